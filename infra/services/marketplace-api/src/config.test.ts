import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';

describe('the issuer in the environment', () => {
  it.each([
    'http://localhost:4200',
    'https://site.eu.auth0.com/',
    'https://id.example/realms/site',
    'https://id.example:8443/application/o/site/',
  ])('stays as it is written: %s', (issuer) => {
    expect(readConfig({ OIDC_ISSUER: issuer }).OIDC_ISSUER).toBe(issuer);
  });

  it.each([
    'https://user@id.example/realms/site',
    'https://id.example/realms/site?tenant=1',
    'https://id.example/#site',
    'http://id.example',
  ])('is refused: %s', (issuer) => {
    expect(() => readConfig({ OIDC_ISSUER: issuer })).toThrow('OIDC_ISSUER: must');
  });
});
