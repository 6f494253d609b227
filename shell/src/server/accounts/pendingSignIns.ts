import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseCookie } from 'cookie';
import { sealData, unsealData } from 'iron-session';
import { z } from 'zod';
import { setCookie } from '../visitor/cookies.ts';

/** Default return URL. */
export const HOME = '/cars-for-sale/all-cars';

const MAX_LENGTH = 2000;
/** Browsers drop control characters and whitespace and read a backslash as a slash. */
const UNSAFE = /[\p{Cc}\s\\]/u;

/**
 * Return URL after signing in or out: path, query and fragment of `raw` if it is a
 * page of exactly `origin` ('https://example.com'), otherwise the results
 * (AMB-054). Pages of the sign-in flow are refused, to avoid a loop.
 */
export function safeReturnUrl(raw: unknown, origin: string): string {
  if (typeof raw !== 'string' || raw.length > MAX_LENGTH || UNSAFE.test(raw)) return HOME;
  if (!raw.startsWith('/') && !raw.startsWith(`${origin}/`)) return HOME;
  if (!URL.canParse(raw, origin)) return HOME;
  const url = new URL(raw, origin);
  if (url.origin !== origin || url.username !== '' || url.password !== '') return HOME;
  // As a Location header, the path '//evil.example' leads to another host.
  if (url.pathname.startsWith('//')) return HOME;
  if (/^\/account\/(sign-in|sign-out|callback|signed-out)(\/|$)/i.test(url.pathname)) return HOME;
  return url.pathname + url.search + url.hash;
}

const pendingSchema = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  codeVerifier: z.string().min(1),
  /** Path of the page to return to. */
  returnTo: z.string().startsWith('/'),
});
type Pending = z.infer<typeof pendingSchema>;

const PREFIX = 'signingIn.';
const LIFETIME_SECONDS = 3600;
/** Concurrent sign-ins per browser; more would exceed the limit of request headers. */
const MAX_PENDING = 4;

/** Not `__Host-`, which needs the path `/`. */
const prefixFor = ({ secure = false }: Secured) => (secure ? `__Secure-${PREFIX}` : PREFIX);
const nameFor = (request: Secured, state: string) =>
  prefixFor(request) + state.replace(/[^A-Za-z0-9]/g, '').slice(0, 12);
const namesIn = (request: Secured) =>
  Object.keys(parseCookie(request.headers.cookie ?? '')).filter((name) =>
    name.startsWith(prefixFor(request)),
  );

export type PendingSignIns = ReturnType<typeof createPendingSignIns>;
type Secured = IncomingMessage & { secure?: boolean };

/**
 * The narrowest path that contains both the sign-in and the callback: older
 * cookies are removed on sign-in, so it must receive them.
 */
const pathFor = (signInPath: string): string => (signInPath.startsWith('/account/') ? '/account' : '/');

/** Pending sign-ins in one encrypted cookie each, so that tabs do not interfere. */
export function createPendingSignIns(
  secret: string,
  { signInPath, originOf }: { signInPath: string; originOf: (request: Secured) => string },
) {
  const path = pathFor(signInPath);
  const store = (request: Secured, response: ServerResponse, name: string, value: string, maxAge: number) =>
    response.appendHeader(
      'Set-Cookie',
      setCookie(name, value, { maxAge, path, httpOnly: true, secure: request.secure ?? false }),
    );
  return {
    async write(request: Secured, response: ServerResponse, pending: Pending): Promise<void> {
      const names = namesIn(request);
      const surplus = Math.max(0, names.length - MAX_PENDING + 1);
      for (const name of names.slice(0, surplus)) store(request, response, name, '', 0);
      const seal = await sealData(pending, { password: secret, ttl: LIFETIME_SECONDS });
      store(request, response, nameFor(request, pending.state), seal, LIFETIME_SECONDS);
    },
    /** Reads and removes the sign-in with this `state`; undefined if this browser did not begin it. */
    async take(request: Secured, response: ServerResponse, state: string): Promise<Pending | undefined> {
      const name = nameFor(request, state);
      const seal = parseCookie(request.headers.cookie ?? '')[name];
      if (seal === undefined) return undefined;
      store(request, response, name, '', 0);
      const parsed = pendingSchema.safeParse(
        await unsealData(seal, { password: secret, ttl: LIFETIME_SECONDS }),
      );
      if (!parsed.success || parsed.data.state !== state) return undefined;
      return { ...parsed.data, returnTo: safeReturnUrl(parsed.data.returnTo, originOf(request)) };
    },
  };
}
