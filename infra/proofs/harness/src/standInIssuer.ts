import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export interface StandInIssuer {
  /** Its identifier. */
  readonly issuer: string;
  /** Pages that browsers opened, each as its role: 'authorize', 'end', 'upstream'. */
  readonly visited: readonly string[];
  readonly stop: () => Promise<void>;
}

/**
 * An OpenID Connect issuer whose pages are on other origins than its identifier, as those of large providers are: one for
 * sign-in, one for sign-out, which redirects to a third. Everyone who comes is Ada.
 */
export async function startStandInIssuer(): Promise<StandInIssuer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const visited: string[] = [];
  const codes = new Map<string, URLSearchParams>();
  const servers = await Promise.all(['issuer', 'authorize', 'end', 'upstream'].map(listen));
  const [issuer = '', authorize = '', end = '', upstream = ''] = servers.map(({ origin }) => origin);

  async function listen(role: string) {
    const server = createServer((request, response) => void respond(role, request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
  }

  function idToken({ client_id: aud, nonce }: Readonly<Record<string, string>>): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, sub: 'ada', aud, nonce, iat: now, exp: now + 3600, name: 'Ada Byron' };
    const signed = `${encode({ alg: 'ES256', kid: 'stand-in' })}.${encode(claims)}`;
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const };
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }

  const documents: Readonly<Record<string, () => object>> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${authorize}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      end_session_endpoint: `${end}/end`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      prompt_values_supported: ['delete'],
    }),
    '/keys': () => ({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'stand-in', alg: 'ES256', use: 'sig' }],
    }),
  };

  async function respond(role: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const redirect = (to: URL | string) => response.writeHead(302, { Location: String(to) }).end();
    const json = (value: object, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (role !== 'issuer') visited.push(role);
    if (pathname === '/authorize') {
      const code = randomUUID();
      codes.set(code, searchParams);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
      return void redirect(back);
    }
    if (pathname === '/end') return void redirect(`${upstream}/end-there?${searchParams.toString()}`);
    if (pathname === '/end-there') return void redirect(searchParams.get('post_logout_redirect_uri') ?? '/');
    if (pathname === '/token') {
      const form = new URLSearchParams(await text(request));
      const asked = codes.get(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (asked?.get('code_challenge') !== challenge) return void json({ error: 'invalid_grant' }, 400);
      const token = idToken(Object.fromEntries(asked));
      return void json({
        access_token: randomUUID(),
        token_type: 'Bearer',
        expires_in: 3600,
        id_token: token,
      });
    }
    const document = documents[pathname];
    return void (document ? json(document()) : response.writeHead(404).end());
  }

  return {
    issuer,
    visited,
    async stop() {
      for (const { server } of servers) server.closeAllConnections();
      await Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
