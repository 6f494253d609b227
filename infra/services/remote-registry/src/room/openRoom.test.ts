import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createPeopleIssuer } from './openRoom.ts';

const CALLBACK = 'http://registry.example/room/api/callback';

let server: Server;
let origin: string;
/** The issuer's name, below its origin. */
let issuer: string;
let idToken: (claims: object) => Promise<string>;
let sent: Promise<string>;

beforeEach(async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }];
  idToken = (claims) =>
    new SignJWT({ iss: issuer, aud: 'forecourt-room', sub: 'u1', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
  server = createServer((request, response) => {
    const send = (body: unknown) =>
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    if (request.url === `${new URL(issuer).pathname.replace(/\/$/, '')}/.well-known/openid-configuration`)
      return send({
        issuer,
        authorization_endpoint: `${origin}/auth`,
        token_endpoint: `${origin}/token`,
        jwks_uri: `${origin}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    if (request.url === '/jwks') return send({ keys });
    if (request.url === '/token')
      return void sent.then((id_token) => send({ access_token: 'a', token_type: 'Bearer', id_token }));
    return response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const people = (url: string) =>
  createPeopleIssuer({ issuer: url, clientId: 'forecourt-room', isHttpAllowed: true });

describe('the issuer of people', () => {
  it.each(['', '/', '/realms/site', '/application/o/site/'])(
    'may have %j after its origin, and is compared as text',
    async (rest) => {
      issuer = origin + rest;
      const { begin, finish } = people(issuer);
      const { url, pending } = await begin(CALLBACK);
      expect(url).toMatch(`${origin}/auth?`);
      const callback = () => new URL(`${CALLBACK}?code=c1&state=${pending.state}`);
      sent = idToken({ nonce: pending.nonce, email: 'ada@example.com' });
      expect(await finish(callback(), pending)).toMatchObject({ email: 'ada@example.com' });

      const respelled = issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
      sent = idToken({ nonce: pending.nonce, iss: respelled });
      await expect(finish(callback(), pending)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      await expect(people(respelled).begin(CALLBACK)).rejects.toMatchObject({ code: 'ISSUER_UNAVAILABLE' });
    },
  );
});
