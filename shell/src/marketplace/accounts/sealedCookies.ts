import { safeReturnUrl } from './returnUrl.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getIronSession, type SessionOptions, sealData, unsealData } from 'iron-session';
import { hostCookie, setCookie } from '../../engine/http/cookies.ts';
import { signedInCookie } from '../visitor/cookies.ts';
import type { SignedIn } from './issuer.ts';
import { parseCookie } from 'cookie';
import { z } from 'zod';

/** Content of the encrypted cookie. */
export interface AccountSession extends SignedIn {
  /** ms since 1970. */
  readonly signedInAt: number;
  /** Last recorded use; ms since 1970. */
  readonly usedAt: number;
}

/** Cookies of earlier releases have no times; their visitors sign in again. */
const UNKNOWN_TIMES: object = { signedInAt: 0, usedAt: 0 };
const COOKIE = 'account';
/** s that a session lasts at most, as the issuer's own. */
export const LIFETIME_SECONDS = 14 * 24 * 3600;
/** One cookie, or several chunks if the issuer's tokens are long. */
const HAS_COOKIE = /(?:^|;\s*)account(?:\.\d+)?=/;
const HAS_SECURE_COOKIE = /(?:^|;\s*)__Host-account(?:\.\d+)?=/;

type Secured = IncomingMessage & { secure?: boolean };

/** Whether the request has a session cookie, valid or not. */
export const hasSession = ({ headers, secure = false }: Secured): boolean =>
  (secure ? HAS_SECURE_COOKIE : HAS_COOKIE).test(headers.cookie ?? '');

export type SealedSessions = ReturnType<typeof createSealedSessions>;

/** Sessions in an encrypted HttpOnly cookie, readable by every replica with the same secret. */
export function createSealedSessions(secret: string, onRefused: (reason: string) => void = () => {}) {
  const optionsFor = (secure: boolean): SessionOptions => ({
    cookieName: hostCookie(COOKIE, secure),
    password: secret,
    ttl: LIFETIME_SECONDS,
    cookieOptions: { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: LIFETIME_SECONDS },
    chunk: true,
    onUnsealError: (reason) => onRefused(reason),
  });
  const open = (request: IncomingMessage, response: ServerResponse, secure = false) =>
    getIronSession<{ account: AccountSession }>(request, response, optionsFor(secure));

  return {
    /** The session of a request; undefined if it is missing, expired or forged. */
    async read(request: Secured, response: ServerResponse): Promise<AccountSession | undefined> {
      if (!hasSession(request)) return undefined;
      const { account } = await open(request, response, request.secure);
      return account && { ...UNKNOWN_TIMES, ...account };
    },
    /** Stores the session in the browser (AMB-107). Throws when the headers are already sent. */
    async write(request: Secured, response: ServerResponse, account: AccountSession): Promise<void> {
      const { secure = false } = request;
      const session = await open(request, response, secure);
      session.account = account;
      await session.save();
      response.appendHeader('Set-Cookie', signedInCookie(LIFETIME_SECONDS, { secure }));
    },
    async clear(request: Secured, response: ServerResponse): Promise<void> {
      const { secure = false } = request;
      (await open(request, response, secure)).destroy();
      response.appendHeader('Set-Cookie', signedInCookie(0, { secure }));
    },
  };
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
const PENDING_SECONDS = 3600;
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
      const seal = await sealData(pending, { password: secret, ttl: PENDING_SECONDS });
      store(request, response, nameFor(request, pending.state), seal, PENDING_SECONDS);
    },
    /** Reads and removes the sign-in with this `state`; undefined if this browser did not begin it. */
    async take(request: Secured, response: ServerResponse, state: string): Promise<Pending | undefined> {
      const name = nameFor(request, state);
      const seal = parseCookie(request.headers.cookie ?? '')[name];
      if (seal === undefined) return undefined;
      store(request, response, name, '', 0);
      const parsed = pendingSchema.safeParse(
        await unsealData(seal, { password: secret, ttl: PENDING_SECONDS }),
      );
      if (!parsed.success || parsed.data.state !== state) return undefined;
      return { ...parsed.data, returnTo: safeReturnUrl(parsed.data.returnTo, originOf(request)) };
    },
  };
}
