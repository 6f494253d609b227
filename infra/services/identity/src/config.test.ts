import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';
import { readOrCreateKeys } from './oidc/storage.ts';

const OIDC_CLIENTS = JSON.stringify({ shell: { secret: 's'.repeat(32) } });

describe('configuration', () => {
  it('requires no keys in local mode', () => {
    const config = readConfig({ LOCAL_MODE: 'true', OIDC_CLIENTS: '' });
    expect(config).toMatchObject({
      HOST: '127.0.0.1',
      IDENTITY_PORT: 4200,
      OIDC_ISSUER: 'http://localhost:4200',
    });
    expect(config.OIDC_CLIENTS.shell).toEqual({
      id: 'forecourt-shell',
      origins: ['http://localhost:3000', 'http://127.0.0.1:3000'],
      logoutUri: 'http://localhost:3000/account/back-channel-logout',
    });
    expect(config.OIDC_CLIENTS.room.secret).toBeUndefined();
  });

  it('requires a secret, mail and https outside local mode, and names the missing keys', () => {
    expect(() => readConfig({})).toThrow(
      /OIDC_CLIENTS\.shell\.secret.*SMTP_URL.*OIDC_ISSUER: must be an https origin/,
    );
    expect(
      readConfig({
        OIDC_CLIENTS,
        OIDC_ISSUER: 'https://id.example.com',
        SMTP_URL: 'smtp://mail.example.com',
      }).OIDC_ISSUER,
    ).toBe('https://id.example.com');
  });

  it('demands TLS with a checked certificate to a database on another machine', () => {
    const read = (DATABASE_URL: string) =>
      readConfig({
        OIDC_CLIENTS,
        OIDC_ISSUER: 'https://id.example.com',
        SMTP_URL: 'smtp://mail.example.com',
        DATABASE_URL,
      });
    expect(() => read('postgres://db.example/cars')).toThrow(/DATABASE_URL: must have sslmode=verify-full/);
    expect(() => read('postgres://db.example/cars?sslmode=require')).toThrow(/DATABASE_URL/);
    const isPrivate = 'postgres://db.example/cars?sslmode=verify-full';
    expect(read(isPrivate).DATABASE_URL).toBe(isPrivate);
    expect(() => read(`${isPrivate}&connections=0`)).toThrow(/DATABASE_URL: connections/);
    expect(read('postgres://127.0.0.1/cars').DATABASE_URL).toBe('postgres://127.0.0.1/cars');
  });

  it.each([
    ['OIDC_CLIENTS', '{"shell": {"origins": ["https://shop.example/path"]}}'],
    ['OIDC_CLIENTS', '{"shop": {}}'],
    ['OIDC_CLIENTS', 'forecourt-shell'],
    ['OIDC_ISSUER', 'https://user@id.example'],
    ['OIDC_ISSUER', 'https://id.example/'],
    ['OIDC_ISSUER', 'https://ID.example'],
    ['OIDC_ISSUER', 'https://id.example/realms/site'],
    ['IDENTITY_PORT', '70000'],
    ['OIDC_CLIENTS', '{"shell": {"secret": "short"}}'],
    ['OIDC_CLIENTS', '{"room": {"secret": "short"}}'],
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

  it.each([0o000, 0o022])('are below folders of their owner only, with the umask %o', (mask) => {
    const umask = process.umask(mask);
    readOrCreateKeys(join(directory, 'new/data'));
    process.umask(umask);
    for (const path of ['new', 'new/data']) expect(statSync(join(directory, path)).mode & 0o777).toBe(0o700);
    expect(statSync(join(directory, 'new/data/identity-keys.json')).mode & 0o777).toBe(0o600);
  });

  it('rejects a damaged key file instead of replacing it, which would sign everyone out', () => {
    const file = join(directory, 'identity-keys.json');
    writeFileSync(file, '{"jwks": []');
    expect(() => readOrCreateKeys(directory)).toThrow();
    expect(readFileSync(file, 'utf8')).toBe('{"jwks": []');
  });
});
