import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';

describe('readConfig', () => {
  it('has defaults for every key', () => {
    expect(readConfig({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      BRAND: { byDefault: 'atc', hosts: {} },
      FLAGS: { settings: [] },
      SIGN_IN_PATH: '/account/sign-in',
      LOCAL_MODE: false,
      CACHE_SECONDS: { pages: 10, slots: 60 },
      RENDER_LIMITS: { concurrent: 32, delayMs: 50 },
    });
  });

  it('treats an empty value as unset', () => {
    expect(readConfig({ PORT: '', BRAND: '', MARKETPLACE_API_URL: '' })).toMatchObject({
      PORT: 3000,
      BRAND: { byDefault: 'atc' },
      MARKETPLACE_API_URL: 'http://localhost:4000',
    });
  });

  it('changes one setting of a family and keeps the others', () => {
    expect(
      readConfig({ CACHE_SECONDS: 'slots=0', RENDER_LIMITS: 'pagesPerMinute=60, concurrent=8' }),
    ).toMatchObject({
      CACHE_SECONDS: { pages: 10, slots: 0 },
      RENDER_LIMITS: { concurrent: 8, delayMs: 50, pagesPerMinute: 60 },
    });
  });

  it.each([
    'https://site.eu.auth0.com/',
    'https://id.example/realms/site',
    'https://id.example:8443/o/site/',
  ])('keeps the issuer as it is written: %s', (issuer) => {
    expect(readConfig({ OIDC_ISSUER: issuer }).OIDC_ISSUER).toBe(issuer);
  });

  // rows: A2-ROUTE-07
  it('uses the configured sign-in path', () => {
    expect(readConfig({ SIGN_IN_PATH: '/login' }).SIGN_IN_PATH).toBe('/login');
  });

  it('maps hosts to brands case-insensitively', () => {
    expect(readConfig({ BRAND: 'kbb,Valuation.example=atc, maker.example=oem' }).BRAND).toEqual({
      byDefault: 'kbb',
      hosts: { 'valuation.example': 'atc', 'maker.example': 'oem' },
    });
  });

  it.each([
    ['RELEASE_KEYS', 'mfe-results'],
    ['RELEASE_KEYS', '{"mfe-results": []}'],
    ['RELEASE_KEYS', '{"mfe-results": ["short"]}'],
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['MARKETPLACE_API_URL', 'localhost:4000'],
    ['MARKETPLACE_API_URL', 'ftp://localhost'],
    ['REGISTRY_URL', 'http://localhost:4100/registry'],
    ['OIDC_ISSUER', 'https://user@id.example'],
    ['OIDC_ISSUER', 'https://id.example/?tenant=1'],
    ['OIDC_ISSUER', 'http://id.example'],
    // Required, the shell's own, not rendered on the server, unknown.
    ['FRAMED_SLOTS', 'showcase,results'],
    ['FRAMED_SLOTS', 'related'],
    ['FRAMED_SLOTS', 'leads'],
    ['FRAMED_SLOTS', 'shwocase'],
    ['RELEASE_ISOLATION', 'container'],
    ['BRAND', 'acme'],
    ['BRAND', 'valuation.example'],
    ['BRAND', 'valuation.example=acme'],
    ['SIGN_IN_PATH', 'https://elsewhere.example'],
    ['WALLET_BASE', '/garage'],
    ['WALLET_BASE', '//elsewhere.example/'],
    ['RELEVANCE_VERSION', 'relevance v4'],
    ['LOCAL_MODE', 'yes'],
    ['TRUST_PROXY', '-1'],
    ['CACHE_SECONDS', '10'],
    ['CACHE_SECONDS', 'pages=soon'],
    ['CACHE_SECONDS', 'results=10'],
    ['RENDER_LIMITS', 'concurrent=0'],
    ['RENDER_LIMITS', 'delayMs=0'],
    ['FIREBASE_WEB_APP', '{}'],
    ['FIREBASE_WEB_APP', 'AIza'],
    ['LOG_LEVEL', 'loud'],
  ])('names %s when it is %j', (key, value) => {
    expect(() => readConfig({ [key]: value })).toThrow(new RegExp(`^configuration: .*${key}`));
  });

  it('refuses releases without isolation and development builds outside local mode', () => {
    const forDevelopment = { RELEASE_ISOLATION: 'none', DEVELOPMENT_BUILDS: 'true' };
    expect(() => readConfig(forDevelopment)).toThrow(
      /^configuration: DEVELOPMENT_BUILDS: .*needs LOCAL_MODE=true; RELEASE_ISOLATION: .*needs LOCAL_MODE=true$/,
    );
    expect(readConfig({ ...forDevelopment, LOCAL_MODE: 'true' }).RELEASE_ISOLATION).toBe('none');
  });

  it('says what is expected and what was found', () => {
    expect(() =>
      readConfig({ PORT: 'eighty', RELEASE_ISOLATION: 'thread', RENDER_LIMITS: 'delayMs=0' }),
    ).toThrow(
      /PORT: .*expected number.*found 'eighty'; RELEASE_ISOLATION: .*"namespaces".*found 'thread'; RENDER_LIMITS.delayMs: .*>=1, found '0'$/,
    );
  });

  it('names every invalid key in one line', () => {
    expect(() => readConfig({ PORT: 'x', BRAND: 'y' })).toThrow(/^configuration: PORT.*; BRAND.*$/);
  });
});
