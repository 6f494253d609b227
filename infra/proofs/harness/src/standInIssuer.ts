import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface IssuerUrls {
  /** Its identifier. */
  readonly issuer: string;
  /** Origins with the path of the identifier: of the page for sign-in, of that for sign-out, and of where it redirects to. */
  readonly authorize: string;
  readonly end: string;
  readonly upstream: string;
}

interface IssuerResponses {
  /** A token with these claims beside the usual ones, signed with the issuer's key. */
  readonly sign: (claims: Readonly<Record<string, unknown>>) => string;
  readonly respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/** Everyone who comes is Ada. */
export function createStandInIssuer({ issuer, authorize, end, upstream }: IssuerUrls): IssuerResponses {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const codes = new Map<string, URLSearchParams>();
  const base = issuer.replace(/\/$/, '');
  const { pathname: basePath } = new URL(base);

  function signClaims(claims: Readonly<Record<string, unknown>>): string {
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: issuer, sub: 'ada', iat: now, exp: now + 3600, ...claims };
    const signed = `${encode({ alg: 'ES256', kid: 'stand-in' })}.${encode(all)}`;
    const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const };
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }

  const documents: Readonly<Record<string, () => object>> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${authorize}/authorize`,
      token_endpoint: `${base}/token`,
      jwks_uri: `${base}/keys`,
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

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const path =
      basePath !== '/' && pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname;
    const redirect = (to: URL | string) => response.writeHead(302, { Location: String(to) }).end();
    const json = (value: object, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (path === '/authorize') {
      const code = randomUUID();
      codes.set(code, searchParams);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
      return void redirect(back);
    }
    if (path === '/end') return void redirect(`${upstream}/end-there?${searchParams.toString()}`);
    if (path === '/end-there') return void redirect(searchParams.get('post_logout_redirect_uri') ?? '/');
    if (path === '/token') {
      const form = new URLSearchParams(await text(request));
      const asked = codes.get(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (asked?.get('code_challenge') !== challenge) return void json({ error: 'invalid_grant' }, 400);
      return void json({
        access_token: randomUUID(),
        token_type: 'Bearer',
        expires_in: 3600,
        id_token: signClaims({ aud: asked.get('client_id'), nonce: asked.get('nonce'), name: 'Ada Byron' }),
      });
    }
    const document = documents[path];
    return void (document ? json(document()) : response.writeHead(404).end());
  }
  return { sign: signClaims, respond };
}

export interface StandInIssuer {
  /** Its identifier. */
  readonly issuer: string;
  /** Pages that browsers opened, each as its role: 'authorize', 'end', 'upstream'. */
  readonly visited: readonly string[];
  readonly stop: () => Promise<void>;
}

/**
 * An OpenID Connect issuer whose pages are on other origins than its identifier, as those of large providers are: one for
 * sign-in, one for sign-out, which redirects to a third.
 */
export async function startStandInIssuer(): Promise<StandInIssuer> {
  const visited: string[] = [];
  const servers = await Promise.all(['issuer', 'authorize', 'end', 'upstream'].map(listen));
  const [issuer = '', authorize = '', end = '', upstream = ''] = servers.map(({ origin }) => origin);
  const { respond } = createStandInIssuer({ issuer, authorize, end, upstream });

  async function listen(role: string) {
    const server = createServer((request, response) => {
      if (role !== 'issuer') visited.push(role);
      void respond(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
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
