import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';

const token = 'a-token-of-some-length';

const publisher = {
  remote: 'mfe-results',
  actions: ['publish'],
  issuer: 'https://ci.example',
  audience: 'forecourt',
  claims: { sub: 'repo:acme/results:*' },
};

describe('readConfig', () => {
  it('rejects a missing token outside local mode', () => {
    expect(() => readConfig({})).toThrow('REGISTRY_TOKEN: is required outside local mode');
    expect(() => readConfig({ LOCAL_MODE: 'false' })).toThrow(
      'REGISTRY_TOKEN: is required outside local mode',
    );
    expect(() => readConfig({ REGISTRY_TOKEN: '' })).toThrow(
      'REGISTRY_TOKEN: is required outside local mode',
    );
    expect(readConfig({ LOCAL_MODE: 'true' }).LOCAL_MODE).toBe(true);
  });

  it('listens on the loopback address by default', () => {
    expect(readConfig({ REGISTRY_TOKEN: token })).toMatchObject({ HOST: '127.0.0.1', REGISTRY_PORT: 4100 });
  });

  it('parses trusted publishers', () => {
    const { TRUSTED_PUBLISHERS } = readConfig({
      REGISTRY_TOKEN: token,
      TRUSTED_PUBLISHERS: JSON.stringify([publisher]),
    });
    expect(TRUSTED_PUBLISHERS).toEqual([publisher]);
  });

  it.each([
    'https://site.eu.auth0.com/',
    'https://id.example/realms/site',
    'https://id.example:8443/o/site/',
  ])('keeps an issuer as it is written: %s', (issuer) => {
    const config = readConfig({
      REGISTRY_TOKEN: token,
      OIDC_ISSUER: issuer,
      TRUSTED_PUBLISHERS: JSON.stringify([{ ...publisher, issuer }]),
    });
    expect(config).toMatchObject({ OIDC_ISSUER: issuer, TRUSTED_PUBLISHERS: [{ issuer }] });
  });

  it.each([
    { REGISTRY_TOKEN: token, OIDC_ISSUER: 'https://user@id.example' },
    { REGISTRY_TOKEN: token, OIDC_ISSUER: 'https://id.example/#site' },
    { REGISTRY_TOKEN: token, OIDC_ISSUER: 'http://id.example' },
    { REGISTRY_TOKEN: 'short' },
    { REGISTRY_TOKEN: `${token} with spaces` },
    { REGISTRY_TOKEN: token, REGISTRY_PORT: '70000' },
    { REGISTRY_TOKEN: token, REGISTRY_PORT: 'http' },
    { REGISTRY_TOKEN: token, LOCAL_MODE: 'perhaps' },
    { REGISTRY_TOKEN: token, LOG_LEVEL: 'loud' },
    { REGISTRY_TOKEN: token, TRUSTED_PUBLISHERS: 'github' },
    ...[
      { issuer: 'http://ci.example' },
      { issuer: 'https://user@ci.example' },
      { issuer: 'https://ci.example/?tenant=1' },
      { actions: ['administer'] },
      { claims: {} },
      { claims: { sub: '*' } },
      { audience: '' },
      { subject: 'misspelled' },
    ].map((change) => ({
      REGISTRY_TOKEN: token,
      TRUSTED_PUBLISHERS: JSON.stringify([{ ...publisher, ...change }]),
    })),
    { REGISTRY_TOKEN: token, DATABASE_URL: 'postgres://localhost/forecourt' },
    { REGISTRY_TOKEN: token, BUCKET: 's3://releases', DATABASE_URL: 'mysql://localhost/forecourt' },
    {
      REGISTRY_TOKEN: token,
      BUCKET: 's3://releases',
      DATABASE_URL: 'postgres://registry@db.example/forecourt',
    },
    { REGISTRY_TOKEN: token, BUCKET: 's3://releases/?endpoint=ceph:7480' },
    { REGISTRY_TOKEN: token, BUCKET: 's3://releases/no-slash' },
  ])('rejects the configuration %j with a one-line message', (environment) => {
    expect(() => readConfig(environment)).toThrow(/^configuration: [A-Z0-9_]+(?:\.[\w.]+)?: .+$/);
  });
});
