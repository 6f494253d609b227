import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { manifestBytesOf, sampleRelease } from '@forecourt/release-kit/testing';
import { Credentials } from './credentials.ts';
import { type TrustedPublisher, TrustedPublishers } from './trustedPublishers.ts';
import { addToStore } from '../releases/addToStore.ts';
import { postJson, startTestRegistry, type TestRegistry } from '../testing/testApp.ts';

const SUBJECT = 'repo:acme/sample:ref:refs/heads/main';
const NAME = `ci:${SUBJECT}`;

const publisherOf = (issuerUrl: string): TrustedPublisher => ({
  remote: 'sample',
  actions: ['publish', 'canary'],
  issuer: issuerUrl,
  audience: 'forecourt',
  claims: { sub: 'repo:acme/sample:ref:refs/heads/*', runner: 'hosted' },
});

let issuer: Server;
let issuerUrl: string;
let key: CryptoKey;
let jwks: unknown[];
let registry: TestRegistry;

beforeEach(async () => {
  const pair = await generateKeyPair('ES256');
  key = pair.privateKey;
  jwks = [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }];
  issuer = createServer((request, response) => {
    const { origin, pathname } = new URL(issuerUrl);
    const discovery = { issuer: issuerUrl, jwks_uri: `${origin}/jwks` };
    response.setHeader('Content-Type', 'application/json');
    if (request.url === '/jwks') response.end(JSON.stringify({ keys: jwks }));
    else if (request.url === `${pathname.replace(/\/$/, '')}/.well-known/openid-configuration`)
      response.end(JSON.stringify(discovery));
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  issuerUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  const publisher = publisherOf(issuerUrl);
  const publishers = new TrustedPublishers([
    publisher,
    { ...publisher, remote: 'other', actions: ['publish'], audience: 'forecourt-other' },
  ]);
  registry = await startTestRegistry({ token: 'a-token-of-some-length' }, { publishers });
  for (const name of ['sample', 'other']) {
    const release = sampleRelease({ name });
    const upload = { manifestBytes: manifestBytesOf(release), files: release.files };
    await addToStore(registry.storage.releases, upload, { brotliQuality: 0 });
  }
});
afterEach(async () => {
  await registry.stop();
  issuer.closeAllConnections();
  if (issuer.listening) await new Promise((resolve) => issuer.close(resolve));
});

const jwt = (claims: Record<string, unknown> = {}, signer = key, kid = 'k1') =>
  new SignJWT({ iss: issuerUrl, aud: 'forecourt', sub: SUBJECT, runner: 'hosted', ...claims })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuedAt()
    .setExpirationTime((claims['exp'] as number | undefined) ?? '5m')
    .sign(signer);
const exchange = (token: string) => postJson(`${registry.url}/api/credentials/exchange`, { token });
const publish = (name: string, token: string) =>
  fetch(`${registry.url}/api/releases/${name}/9.0.0`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: 'no archive',
  });

describe('exchanging the token of a CI run', () => {
  it('exchanges a CI token for a credential of 15 minutes with the configured scopes', async () => {
    const { status, body } = await exchange(await jwt());
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { credential: { name: NAME, scopes: [{ remote: 'sample', actions: ['publish', 'canary'] }] } },
    });
    const { credential, token } = body as {
      credential: { createdAt: string; expiresAt: string };
      token: string;
    };
    expect(Date.parse(credential.expiresAt) - Date.parse(credential.createdAt)).toBe(15 * 60_000);
    // 400: the body is no archive, but the credential was accepted.
    expect((await publish('sample', token)).status).toBe(400);
    expect((await publish('other', token)).status).toBe(403);
    const later = new Credentials(registry.storage.access, () => new Date(Date.now() + 15 * 60_000));
    await expect(later.authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('accepts a CI token once', async () => {
    const token = await jwt();
    const outcomes = await Promise.all([exchange(token), exchange(token)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 401]);
    expect(await exchange(token)).toMatchObject({
      status: 401,
      body: { error: { message: 'the CI token is refused: it was exchanged before' } },
    });
    // Another run of the same branch.
    expect(await exchange(await jwt({ run: 2 }))).toMatchObject({ status: 201 });
  });

  it('rejects a CI token whose audience is another remote', async () => {
    const { body } = await exchange(await jwt({ aud: 'forecourt-other' }));
    expect(body).toMatchObject({ credential: { scopes: [{ remote: 'other', actions: ['publish'] }] } });
    expect((await publish('sample', body['token'] as string)).status).toBe(403);
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['for another service', { aud: 'pypi' }, 401],
    ['without an audience', { aud: undefined }, 401],
    ['of another issuer', { iss: 'https://evil.example' }, 401],
    ['that has expired', { exp: 1_700_000_000 }, 401],
    ['that never ends', { exp: 4_000_000_000 }, 401],
    ['without a subject', { sub: undefined }, 401],
    ['whose subject is a number', { sub: 42 }, 401],
    ['whose subject is a list', { sub: [SUBJECT] }, 401],
    ['that is not valid yet', { nbf: 4_000_000_000 }, 401],
    ['of another repository', { sub: 'repo:evil/sample:ref:refs/heads/main' }, 403],
    ['of a pull request', { sub: 'repo:acme/sample:pull_request' }, 403],
    ['whose branch contains a slash', { sub: 'repo:acme/sample:ref:refs/heads/a/b' }, 403],
    ['with a longer subject', { sub: `x${SUBJECT}` }, 403],
    ['without a required claim', { runner: undefined }, 403],
    ['with an object for a claim', { runner: { hosted: true } }, 403],
  ])('refuses one %s', async (_, claims, status) => {
    expect(await exchange(await jwt(claims))).toMatchObject({ status });
  });

  it('rejects CI tokens with a foreign signature, unsigned, or signed with the public key', async () => {
    const stranger = await generateKeyPair('ES256');
    const [header, payload] = (await jwt()).split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const symmetric = await new SignJWT({ iss: issuerUrl, aud: 'forecourt', sub: SUBJECT, runner: 'hosted' })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(JSON.stringify(jwks[0])));
    for (const bad of [
      await jwt({}, stranger.privateKey),
      await jwt({}, stranger.privateKey, 'k2'),
      `${none}.${payload}.`,
      `${header}.${payload}.`,
      symmetric,
      'a.b.c',
    ])
      expect(await exchange(bad)).toMatchObject({ status: 401 });
  });

  it('rejects CI tokens that bring their own key, or use a public key as a shared secret', async () => {
    const stranger = await generateKeyPair('ES256', { extractable: true });
    const claims = { iss: issuerUrl, aud: 'forecourt', sub: SUBJECT, runner: 'hosted' };
    const sign = (header: object, secret: CryptoKey | Uint8Array) =>
      new SignJWT(claims)
        .setProtectedHeader({ kid: 'k1', ...header } as JWTHeaderParameters)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(secret);
    const own = await exportJWK(stranger.publicKey);
    const pem = createPublicKey({ key: jwks[0] as JsonWebKey, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    const { privateKey } = stranger;
    for (const bad of [
      await sign({ alg: 'ES256', jwk: own }, privateKey),
      await sign({ alg: 'ES256', jku: 'https://evil.example/jwks' }, privateKey),
      await sign({ alg: 'ES256', x5u: 'https://evil.example/chain' }, privateKey),
      await sign({ alg: 'ES256', kid: '../../evil' }, privateKey),
      await sign({ alg: 'HS256' }, new TextEncoder().encode(String(pem))),
      await sign({ alg: 'HS256' }, new Uint8Array(32)),
    ])
      expect(await exchange(bad)).toMatchObject({ status: 401 });
  });

  it('rejects a replay with another signature of the same claims, and at another replica', async () => {
    const token = await jwt();
    expect(await exchange(token)).toMatchObject({ status: 201 });
    const [header = '', payload = ''] = token.split('.');
    const bytes = new TextEncoder().encode(`${header}.${payload}`);
    // Signatures of ECDSA differ each time.
    const again = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes);
    const replayed = `${header}.${payload}.${Buffer.from(again).toString('base64url')}`;
    expect(replayed).not.toBe(token);
    const refused = { message: 'the CI token is refused: it was exchanged before' };
    expect(await exchange(replayed)).toMatchObject({ status: 401, body: { error: refused } });
    const replica = new Credentials(registry.storage.access);
    const runOfToken = await new TrustedPublishers([publisherOf(issuerUrl)]).verify(token);
    await expect(replica.exchange(runOfToken)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it.each(['/', '/realms/ci', '/application/o/ci/'])(
    'accepts tokens of an issuer with %s after its origin, in its spelling only',
    async (rest) => {
      issuerUrl += rest;
      const publishers = new TrustedPublishers([publisherOf(issuerUrl)]);
      expect(await publishers.verify(await jwt())).toMatchObject({ name: NAME, issuer: issuerUrl });
      const respelled = issuerUrl.endsWith('/') ? issuerUrl.slice(0, -1) : `${issuerUrl}/`;
      await expect(publishers.verify(await jwt({ iss: respelled }))).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
      await expect(
        new TrustedPublishers([publisherOf(respelled)]).verify(await jwt({ iss: respelled })),
      ).rejects.toMatchObject({ code: 'ISSUER_UNAVAILABLE' });
    },
  );

  it('reports an issuer that is unavailable', async () => {
    const token = await jwt();
    issuer.closeAllConnections();
    await new Promise((resolve) => issuer.close(resolve));
    expect(await exchange(token)).toMatchObject({
      status: 503,
      body: { error: { code: 'ISSUER_UNAVAILABLE' } },
    });
  });

  it('revokes all runs of a subject', async () => {
    const first = (await exchange(await jwt())).body['token'] as string;
    expect(first).toMatch(/^frc_\S{43}$/);
    const second = (await exchange(await jwt({ run: 2 }))).body['token'] as string;
    const rotation = `${registry.url}/api/credentials/${encodeURIComponent(NAME)}/rotate`;
    expect((await postJson(rotation, {}, { authorization: 'Bearer a-token-of-some-length' })).status).toBe(
      400,
    );
    const path = `${registry.url}/api/credentials/${encodeURIComponent(NAME)}/revoke`;
    expect((await postJson(path, {}, { authorization: 'Bearer a-token-of-some-length' })).status).toBe(200);
    for (const token of [first, second]) expect((await publish('sample', token)).status).toBe(401);
  });
});
