import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';
import { readOrCreateKeys } from './oidc/storage.ts';

describe('configuration', () => {
  it('requires no keys in local mode', () => {
    const config = readConfig({ LOCAL_MODE: 'true', OIDC_CLIENT_SECRET: '' });
    expect(config).toMatchObject({
      HOST: '127.0.0.1',
      IDENTITY_PORT: 4200,
      OIDC_ISSUER: 'http://localhost:4200',
    });
    expect(config.OIDC_CLIENT_SECRET).toBeUndefined();
  });

  it('requires a secret, mail and https outside local mode, and names the missing keys', () => {
    expect(() => readConfig({})).toThrow(
      /OIDC_CLIENT_SECRET.*SMTP_URL.*OIDC_ISSUER: must be an https origin/,
    );
    expect(
      readConfig({
        OIDC_CLIENT_SECRET: 's'.repeat(32),
        OIDC_ISSUER: 'https://id.example.com',
        SMTP_URL: 'smtp://mail.example.com',
      }).OIDC_ISSUER,
    ).toBe('https://id.example.com');
  });

  it('demands TLS with a checked certificate to a database on another machine', () => {
    const read = (DATABASE_URL: string) =>
      readConfig({
        OIDC_CLIENT_SECRET: 's'.repeat(32),
        OIDC_ISSUER: 'https://id.example.com',
        SMTP_URL: 'smtp://mail.example.com',
        DATABASE_URL,
      });
    expect(() => read('postgres://db.example/cars')).toThrow(/DATABASE_URL: must have sslmode=verify-full/);
    expect(() => read('postgres://db.example/cars?sslmode=require')).toThrow(/DATABASE_URL/);
    expect(read('postgres://db.example/cars?sslmode=verify-full').DATABASE_CONNECTIONS).toBe(10);
    expect(read('postgres://127.0.0.1/cars').DATABASE_URL).toBe('postgres://127.0.0.1/cars');
  });

  it.each([
    ['OIDC_CLIENT_ORIGINS', 'https://shop.example/path'],
    ['OIDC_ISSUER', 'https://user@id.example'],
    ['IDENTITY_PORT', '70000'],
    ['OIDC_CLIENT_SECRET', 'short'],
    ['SMTP_URL', 'https://mail.example'],
    ['DATABASE_URL', 'mysql://localhost/cars'],
  ])('names the configuration key %s when its value is invalid', (key, value) => {
    expect(() => readConfig({ LOCAL_MODE: 'true', [key]: value })).toThrow(key);
  });
});

describe('keys', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'keys-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('generates signing keys once and stores them readable by their owner only', () => {
    const first = readOrCreateKeys(directory);
    expect(readOrCreateKeys(directory)).toEqual(first);
    expect(first.jwks[0]).toMatchObject({ kty: 'EC', alg: 'ES256' });
    expect(statSync(join(directory, 'identity-keys.json')).mode & 0o777).toBe(0o600);
    const other = mkdtempSync(join(tmpdir(), 'keys-'));
    expect(readOrCreateKeys(other).cookieKeys).not.toEqual(first.cookieKeys);
    rmSync(other, { recursive: true });
  });

  it('rejects a damaged key file instead of replacing it, which would sign everyone out', () => {
    const file = join(directory, 'identity-keys.json');
    writeFileSync(file, '{"jwks": []');
    expect(() => readOrCreateKeys(directory)).toThrow();
    expect(readFileSync(file, 'utf8')).toBe('{"jwks": []');
  });
});
