import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';

describe('readConfig', () => {
  it('has defaults for every key', () => {
    expect(readConfig({})).toMatchObject({
      HOST: '127.0.0.1',
      PORT: 3000,
      BRAND: 'atc',
      SIGN_IN_PATH: '/account/sign-in',
      LOCAL_MODE: false,
      SLOT_RENDERER: { defaultRenderer: 'process' },
      RELEASE_SANDBOX: 'auto',
    });
  });

  it('treats an empty value as unset', () => {
    expect(readConfig({ PORT: '', BRAND: '', MARKETPLACE_API_URL: '' })).toMatchObject({
      PORT: 3000,
      BRAND: 'atc',
      MARKETPLACE_API_URL: 'http://localhost:4000',
    });
  });

  it('selects a renderer per slot', () => {
    const { SLOT_RENDERER } = readConfig({ SLOT_RENDERER: 'inline, results=process,showcase=inline' });
    expect(SLOT_RENDERER.defaultRenderer).toBe('inline');
    expect([...SLOT_RENDERER.perSlot]).toEqual([
      ['results', 'process'],
      ['showcase', 'inline'],
    ]);
  });

  // rows: A2-ROUTE-07
  it('uses the configured sign-in path', () => {
    expect(readConfig({ SIGN_IN_PATH: '/login' }).SIGN_IN_PATH).toBe('/login');
  });

  it('maps hosts to brands case-insensitively', () => {
    expect(readConfig({ BRAND_HOSTS: 'Valuation.example=kbb, maker.example=oem' }).BRAND_HOSTS).toEqual({
      'valuation.example': 'kbb',
      'maker.example': 'oem',
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
    ['SLOT_RENDERER', 'thread'],
    // Required, the shell's own, not rendered on the server, unknown.
    ['FRAMED_SLOTS', 'showcase,results'],
    ['FRAMED_SLOTS', 'related'],
    ['FRAMED_SLOTS', 'leads'],
    ['FRAMED_SLOTS', 'shwocase'],
    ['RELEASE_SANDBOX', 'none'],
    ['RELEASE_SANDBOX_MINIMUM', 'auto'],
    ['SLOT_RENDERER', 'process,resutls=inline'],
    ['BRAND', 'acme'],
    ['BRAND_HOSTS', 'valuation.example'],
    ['SIGN_IN_PATH', 'https://elsewhere.example'],
    ['WALLET_BASE', '/garage'],
    ['WALLET_BASE', '//elsewhere.example/'],
    ['RELEVANCE_VERSION', 'relevance v4'],
    ['LOCAL_MODE', 'yes'],
    ['TRUST_PROXY', '-1'],
    ['MAX_CONCURRENT_PAGES', '0'],
    ['SHED_DELAY_MS', '0'],
    ['FIREBASE_WEB_APP', '{}'],
    ['FIREBASE_WEB_APP', 'AIza'],
    ['LOG_LEVEL', 'loud'],
  ])('names %s when it is %j', (key, value) => {
    expect(() => readConfig({ [key]: value })).toThrow(new RegExp(`^configuration: .*${key}`));
  });

  it('refuses releases in a container without the socket of its host, and development builds in production', () => {
    expect(() => readConfig({ RELEASE_SANDBOX: 'container', DEVELOPMENT_BUILDS: 'true' })).toThrow(
      /^configuration: DEVELOPMENT_BUILDS: .*; RELEASE_HOST: is required for RELEASE_SANDBOX=container$/,
    );
    const hosted = readConfig({ RELEASE_SANDBOX: 'container', RELEASE_HOST: '/run/releases/host.sock' });
    expect(hosted.RELEASE_HOST).toBe('/run/releases/host.sock');
  });

  it('names every invalid key in one line', () => {
    expect(() => readConfig({ PORT: 'x', BRAND: 'y' })).toThrow(/^configuration: PORT.*; BRAND.*$/);
  });
});
