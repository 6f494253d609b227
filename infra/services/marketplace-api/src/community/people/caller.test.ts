import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIdTokenVerifier } from './caller.ts';

const AUDIENCE = 'forecourt-shell';

describe('verifying id tokens', () => {
  let server: Server;
  let issuer: string;
  /** What the metadata call the issuer, if not by its name. */
  let namedIssuer: string | undefined;
  let key: CryptoKey;
  let keys: unknown[];
  beforeEach(async () => {
    const pair = await generateKeyPair('ES256');
    key = pair.privateKey;
    keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }];
    server = createServer((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      const { origin, pathname } = new URL(issuer);
      const discovery = { issuer: namedIssuer ?? issuer, jwks_uri: `${origin}/jwks` };
      if (request.url === '/jwks') response.end(JSON.stringify({ keys }));
      else if (request.url === `${pathname.replace(/\/$/, '')}/.well-known/openid-configuration`)
        response.end(JSON.stringify(discovery));
      else response.writeHead(404).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    namedIssuer = undefined;
  });
  afterEach(async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  });

  const token = (claims: Record<string, unknown> = {}, signer = key) =>
    new SignJWT({ sub: 'account-1', email: 'ada@example.com', iss: issuer, aud: AUDIENCE, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuedAt()
      .setExpirationTime((claims['exp'] as number | undefined) ?? '5m')
      .sign(signer);
  const verifier = () => createIdTokenVerifier({ issuer, audience: AUDIENCE });

  it('returns the account of a valid id token', async () => {
    expect(await verifier()(await token({ given_name: 'Ada', email_verified: true }))).toEqual({
      account: 'account-1',
      verifiedEmail: 'ada@example.com',
      name: { first: 'Ada', last: '' },
    });
  });

  it.each([[undefined], [false], ['true']])(
    'leaves out an email that is %s verified',
    async (email_verified) => {
      expect(await verifier()(await token({ email_verified }))).not.toHaveProperty('verifiedEmail');
    },
  );

  it.each([
    ['Ada Byron', { first: 'Ada', last: 'Byron' }],
    ['Ada King Byron', { first: 'Ada King', last: 'Byron' }],
    ['Ada', { first: 'Ada', last: '' }],
  ])('splits the name %s when the issuer sends a full name only', async (name, expected) => {
    expect((await verifier()(await token({ name }))).name).toEqual(expected);
  });

  it.each(['/', '/realms/site', '/application/o/site/'])(
    'accepts the tokens of an issuer with %s after its origin, in its spelling only',
    async (rest) => {
      issuer += rest;
      const verify = verifier();
      expect(await verify(await token())).toMatchObject({ account: 'account-1' });
      const respelled = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
      for (const iss of [respelled, new URL(issuer).origin + rest.toUpperCase() + 'x'])
        await expect(verify(await token({ iss }))).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
      namedIssuer = respelled;
      await expect(verifier()(await token())).rejects.toMatchObject({
        code: 'ISSUER_UNAVAILABLE',
        cause: { message: expect.stringContaining(respelled) },
      });
    },
  );

  it.each([
    ['for another audience', { aud: 'other' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that has expired', { exp: 1_700_000_000 }],
    ['without a subject', { sub: undefined }],
  ])('rejects an id token %s', async (_, claims) => {
    await expect(verifier()(await token(claims))).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  });

  it('rejects id tokens with a foreign signature, without signature, or truncated', async () => {
    const stranger = await generateKeyPair('ES256');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(`{"sub":"account-1","iss":"${issuer}","aud":"${AUDIENCE}","iat":1,"exp":9999999999}`).toString('base64url')}.`;
    for (const bad of [await token({}, stranger.privateKey), unsigned, 'a.b.c', ''])
      await expect(verifier()(bad)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  });

  it('rejects an id token signed with the public key as a shared secret', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(keys[0]));
    const forged = await new SignJWT({ sub: 'account-1', iss: issuer, aud: AUDIENCE })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(secret);
    await expect(verifier()(forged)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
  });

  it('follows the keys of an issuer that rotates them', async () => {
    const verify = verifier();
    const old = await token();
    await verify(old);
    const next = await generateKeyPair('ES256');
    const published = { ...(await exportJWK(next.publicKey)), kid: 'k2', alg: 'ES256', use: 'sig' };
    const signedByNext = await new SignJWT({ sub: 'account-1', iss: issuer, aud: AUDIENCE })
      .setProtectedHeader({ alg: 'ES256', kid: 'k2' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(next.privateKey);
    keys = [...keys, published];
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now');
    clock.mockReturnValue(now + 3_000);
    expect(await verify(signedByNext)).toMatchObject({ account: 'account-1' });
    expect(await verify(old)).toMatchObject({ account: 'account-1' });
    keys = [published];
    clock.mockReturnValue(now + 90_000);
    await expect(verify(old)).rejects.toMatchObject({ code: 'INVALID_TOKEN' });
    clock.mockRestore();
  });

  it('returns an error while the issuer is unavailable and verifies once it is back', async () => {
    const verify = verifier();
    const good = await token();
    const { port } = server.address() as AddressInfo;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(verify(good)).rejects.toMatchObject({ code: 'ISSUER_UNAVAILABLE' });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(await verify(good)).toMatchObject({ account: 'account-1' });
  });
});
