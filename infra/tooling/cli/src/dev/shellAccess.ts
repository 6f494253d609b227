import { type IncomingMessage, type OutgoingHttpHeaders, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { overrideClaimsSchema } from '@forecourt/releases/override';
import { MAX_OVERRIDE_SECONDS, OVERRIDES_PATH } from '@forecourt/releases/overridePaths';
import { decodeJwt } from 'jose';
import type { z } from 'zod';
import { UsageError } from '../commandLine.ts';

const OVERRIDES_COOKIE = /^(?:__Host-)?overrides=/;
const OWN_PREFIX = 'forecourt-dev-';

/**
 * A cookie of the shell for the browser on this machine, which has no TLS and no domain. Undefined for the overrides, which no
 * browser needs.
 */
export function cookieForBrowser(cookie: string): string | undefined {
  const [pair = '', ...attributes] = cookie.split(';').map((part) => part.trim());
  if (OVERRIDES_COOKIE.test(pair)) return undefined;
  const others = attributes.filter(
    (attribute) => !/^(?:domain=|secure$|partitioned$|samesite=none$)/i.test(attribute),
  );
  return [pair.replace(/^__(Host|Secure)-/, `${OWN_PREFIX}$1-`), ...others].join('; ');
}

/** The browser's cookies under the shell's names, and the override. */
export function cookiesForShell(cookies: string | undefined, token: string, isSecure: boolean): string {
  const pairs = (cookies ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !OVERRIDES_COOKIE.test(pair))
    .map((pair) => pair.replace(/^forecourt-dev-(Host|Secure)-/, '__$1-'));
  return [...pairs, `${isSecure ? '__Host-' : ''}overrides=${token}`].join('; ');
}

/** The only way from here to anywhere: to the shell. Redirects are not followed. */
export function sendToShell(
  shell: URL,
  {
    method = 'GET',
    path,
    headers = {},
    body,
  }: {
    readonly method?: string | undefined;
    readonly path: string;
    readonly headers?: OutgoingHttpHeaders;
    readonly body?: Readable | string;
  },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { protocol, hostname, port } = shell;
    const send = protocol === 'https:' ? requestSecure : requestPlain;
    const host = hostname.replace(/^\[|\]$/g, '');
    const present = Object.entries(headers).filter(([, value]) => value !== undefined);
    const all = { ...Object.fromEntries(present), host: shell.host };
    const request = send({ protocol, hostname: host, port, method, path, headers: all });
    request.once('response', resolve).on('error', reject);
    if (body instanceof Readable) pipeline(body, request).catch(reject);
    else request.end(body);
  });
}

/** An IP address as in a URL. */
export const urlHost = (address: string): string => (address.includes(':') ? `[${address}]` : address);

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** A token does not travel to another machine in plain text. @throws UsageError */
export function readShell(shell: string | undefined): URL {
  if (shell === undefined) throw new UsageError('dev needs --shell URL, the address of the pages');
  const url = new URL(shell);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.includes(url.hostname))) return url;
  throw new UsageError('--shell must be an https: address, or one of this machine');
}

/** Lets a shell in local mode, which trusts visitors to choose releases, sign a token. */
export async function requestToken(shell: URL, remote: string, origin: string): Promise<string> {
  const minutes = String(MAX_OVERRIDE_SECONDS / 60);
  const body = new URLSearchParams({ remote, origin, minutes }).toString();
  const headers = {
    origin: shell.origin,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  };
  const response = await sendToShell(shell, { method: 'POST', path: OVERRIDES_PATH, headers, body });
  response.resume();
  const cookies = response.headers['set-cookie'] ?? [];
  const token = cookies.flatMap((cookie) => /^(?:__Host-)?overrides=([^;]+)/.exec(cookie)?.[1] ?? [])[0];
  if (token !== undefined) return token;
  throw new UsageError(
    `${shell.origin} needs a token: ask its operator for the link of\n` +
      `  npx forecourt override ${remote} --origin ${origin} --shell ${shell.origin}\n` +
      `and set OVERRIDE_TOKEN to it. The shell must list ${origin} in OVERRIDE_ORIGINS`,
  );
}

/** The operator's token, or a link that contains it. @throws UsageError if it is for something else */
export function checkToken(text: string, shell: URL, remote: string, origin: string): string {
  const token = URL.canParse(text) ? (new URL(text).searchParams.get('token') ?? '') : text;
  let claims: z.infer<typeof overrideClaimsSchema>;
  try {
    claims = overrideClaimsSchema.parse(decodeJwt(token));
  } catch {
    throw new UsageError('OVERRIDE_TOKEN is not an override token, nor a link with one');
  }
  const wanted = { aud: shell.origin, remote, origin };
  for (const [name, expected] of Object.entries(wanted)) {
    const found = claims[name as keyof typeof wanted];
    if (found !== expected)
      throw new UsageError(`OVERRIDE_TOKEN is for ${found ?? 'no origin'}, not for ${expected}`);
  }
  if (claims.exp * 1000 > Date.now()) return token;
  throw new UsageError(
    `OVERRIDE_TOKEN expired at ${new Date(claims.exp * 1000).toISOString()}: ask for a new one`,
  );
}
