import { describe, expect, it } from '@jest/globals';
import { discoveryUrlOf, issuerUrl, mustBeIssuer } from './issuerUrl.ts';

const WELL_KNOWN = '.well-known/openid-configuration';

describe('the URL of an issuer', () => {
  it.each([
    ['an origin', 'https://accounts.google.com', `https://accounts.google.com/${WELL_KNOWN}`],
    [
      'a slash at its end, as of Auth0',
      'https://site.eu.auth0.com/',
      `https://site.eu.auth0.com/${WELL_KNOWN}`,
    ],
    [
      'a path, as of Keycloak',
      'https://id.example/realms/site',
      `https://id.example/realms/site/${WELL_KNOWN}`,
    ],
    [
      'a path, as of Okta',
      'https://site.okta.com/oauth2/default',
      `https://site.okta.com/oauth2/default/${WELL_KNOWN}`,
    ],
    [
      'a path and a version, as of Entra ID',
      'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
      `https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0/${WELL_KNOWN}`,
    ],
    [
      'an underscore in its path, as of Cognito',
      'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbC123',
      `https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbC123/${WELL_KNOWN}`,
    ],
    [
      'a path with a slash at its end, as of Authentik',
      'https://id.example/application/o/site/',
      `https://id.example/application/o/site/${WELL_KNOWN}`,
    ],
    ['a port', 'https://id.example:8443/realms/site', `https://id.example:8443/realms/site/${WELL_KNOWN}`],
    ['http on this machine', 'http://localhost:4200', `http://localhost:4200/${WELL_KNOWN}`],
    [
      'http at an address of this machine',
      'http://127.0.0.1:8080/realms/site',
      `http://127.0.0.1:8080/realms/site/${WELL_KNOWN}`,
    ],
    ['an at sign in its path', 'https://id.example/@site', `https://id.example/@site/${WELL_KNOWN}`],
  ])('may have %s, and stays as it is written', (_, text, discovery) => {
    expect(issuerUrl.parse(text)).toBe(text);
    expect(discoveryUrlOf(text)).toBe(discovery);
  });

  it.each([
    ['a user', 'https://user@id.example/realms/site'],
    ['a user and a password', 'https://user:secret@id.example'],
    ['an empty user', 'https://@id.example'],
    ['a query', 'https://id.example/realms/site?tenant=1'],
    ['an empty query', 'https://id.example/?'],
    ['a fragment', 'https://id.example/#site'],
    ['an empty fragment', 'https://id.example#'],
    ['a backslash', 'https://id.example\\realms'],
    ['a space', 'https://id.example/my realm'],
    ['another protocol', 'ftp://id.example'],
    ['no protocol', 'id.example/realms/site'],
    ['no host', 'https:///realms/site'],
    ['http on another machine', 'http://id.example/realms/site'],
    ['a name that only begins like this machine', 'http://localhost.evil.example'],
    ['a port that is no number', 'https://id.example:port'],
  ])('must not have %s', (_, text) => {
    expect(issuerUrl.safeParse(text).success).toBe(false);
  });
});

describe('the spelling of an issuer', () => {
  const issuer = 'https://id.example/realms/site';

  it('is compared as text', () => {
    expect(() => mustBeIssuer(issuer, issuer)).not.toThrow();
  });

  it.each([
    `${issuer}/`,
    'https://id.example/realms/Site',
    'https://ID.example/realms/site',
    'https://id.example:443/realms/site',
  ])('differs from %s', (named) => {
    expect(() => mustBeIssuer(named, issuer)).toThrow(`'${named}', the configuration '${issuer}'`);
  });
});
