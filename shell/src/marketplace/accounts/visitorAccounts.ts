import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SessionState } from '@forecourt/search/state';
import type { VisitorSessions } from '../visitor/visitor.ts';
import type { EndedSessions } from './backChannelLogout.ts';
import { IssuerError, type SignedIn, type Issuer } from './issuer.ts';
import { hasSession, LIFETIME_SECONDS, type AccountSession, type SealedSessions } from './sealedCookies.ts';
import { createHash } from 'node:crypto';
import { messageOf } from '../../engine/universal/messageOf.ts';

/** ms before expiry at which a token is renewed, so that it is still valid during its call. */
const MARGIN_MS = 60_000;

/** ms without a request after which a session ends. */
const IDLE_MS = 7 * 24 * 3_600_000;
/** ms after which a use is recorded again; a renewal records it, too. */
const TOUCH_MS = 600_000;

/** Whether sessions still last. */
export interface ActivityCheck {
  /** Whether the issuer still has the session. Never rejects. */
  readonly isActive: (session: AccountSession) => Promise<boolean>;
  /** Refuses the session at once, until the issuer can know that it is over. */
  readonly end: (session: AccountSession) => void;
}

export interface VisitorAccountsDeps {
  readonly sealed: SealedSessions;
  readonly renew: (refreshToken: string) => Promise<SignedIn>;
  readonly activity: ActivityCheck;
  readonly now: () => number;
  readonly log: (event: { event: string; code: string; message: string }) => void;
}

export interface VisitorAccounts extends VisitorSessions {
  /** The session; its tokens may have expired. */
  readonly session: (
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<AccountSession | undefined>;
  /** Refuses copies of the session's cookie from now on; its tokens are to be revoked. */
  readonly end: (session: AccountSession) => void;
}

/**
 * Signed-in visitors by their sealed cookie. The issuer is contacted to renew a token,
 * and every other second about revocation; if renewing fails, the page continues without a token,
 * and signed out if the issuer has ended the session.
 */
export function createVisitorAccounts(deps: VisitorAccountsDeps): VisitorAccounts {
  const { sealed, renew, activity, now, log } = deps;
  // Results are cached per request.
  const sessions = new WeakMap<IncomingMessage, Promise<AccountSession | undefined>>();
  const tokens = new WeakMap<IncomingMessage, Promise<string | undefined>>();

  const isOver = ({ signedInAt, usedAt }: AccountSession): boolean =>
    now() - usedAt > IDLE_MS || now() - signedInAt > LIFETIME_SECONDS * 1000;

  const isUnrecorded = ({ usedAt }: AccountSession): boolean => now() - usedAt > TOUCH_MS;

  async function read(request: IncomingMessage, response: ServerResponse) {
    const cookie = await sealed.read(request, response);
    const session = cookie && !isOver(cookie) && (await activity.isActive(cookie)) ? cookie : undefined;
    if (response.headersSent) return session;
    // Expired, revoked, or encrypted with another secret.
    if (!session && hasSession(request)) await sealed.clear(request, response);
    // Not while another request may renew the tokens, or the later response would restore the old ones.
    if (session && isUnrecorded(session) && session.expiresAt - 2 * MARGIN_MS > now())
      await sealed.write(request, response, { ...session, usedAt: now() });
    return session;
  }

  async function freshToken(request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
    try {
      const session = await accounts.session(request, response);
      if (!session) return undefined;
      if (session.expiresAt - MARGIN_MS > now()) return session.idToken;
      if (session.refreshToken === undefined)
        throw new IssuerError('SESSION_OVER', 'the token has expired and cannot be renewed');
      const renewed = await renew(session.refreshToken);
      if (renewed.subject !== session.subject)
        throw new IssuerError('SESSION_OVER', 'the token belongs to another account');
      if (!response.headersSent)
        await sealed.write(request, response, {
          ...renewed,
          signedInAt: session.signedInAt,
          usedAt: now(),
          sid: session.sid ?? renewed.sid,
          name: renewed.name ?? session.name,
          email: renewed.email ?? session.email,
        });
      return renewed.idToken;
    } catch (error) {
      const code = error instanceof IssuerError ? error.code : 'FAILED';
      log({ event: 'no-token', code, message: messageOf(error) });
      if (code === 'SESSION_OVER' && !response.headersSent) await sealed.clear(request, response);
      return undefined;
    }
  }

  /** The visitor's first name and email, as pages show them. */
  const accountOf = ({ name, email }: AccountSession): NonNullable<SessionState['account']> => ({
    firstName: name?.split(/\s+/)[0] ?? email?.split('@')[0] ?? 'Account',
    email: email ?? '',
  });

  const accounts: VisitorAccounts = {
    isPresent: hasSession,
    end: activity.end,
    session(request, response) {
      const session = sessions.get(request) ?? read(request, response);
      sessions.set(request, session);
      return session;
    },
    idToken(request, response) {
      const token = tokens.get(request) ?? freshToken(request, response);
      tokens.set(request, token);
      return token;
    },
    async account(request, response) {
      const session = await accounts.session(request, response);
      // Pages use the session, also those that make no calls in its name.
      if (session && isUnrecorded(session)) await accounts.idToken(request, response);
      return session && accountOf(session);
    },
  };
  return accounts;
}

/**
 * Remembers a value for each token for `ms` milliseconds, keyed by its hash, so that no token is kept in memory. Above `max`
 * entries, it drops the oldest.
 */
function createTokenMemory<T>({ ms, max, now }: { ms: number; max: number; now: () => number }) {
  const entries = new Map<string, { readonly value: T; readonly until: number }>();
  const keyOf = (token: string) => createHash('sha256').update(token).digest('base64');
  return {
    get(token: string): T | undefined {
      const entry = entries.get(keyOf(token));
      return entry && entry.until > now() ? entry.value : undefined;
    },
    set(token: string, value: T): void {
      const key = keyOf(token);
      entries.delete(key);
      entries.set(key, { value, until: now() + ms });
      for (const [oldest, { until }] of entries) {
        if (until > now() && entries.size <= max) break;
        entries.delete(oldest);
      }
    },
    forget: (token: string): void => void entries.delete(keyOf(token)),
  };
}

/** Time in which requests with the old refresh token share the renewed tokens; ms. */
const REUSE_MS = 30_000;
const MAX_RENEWALS = 10_000;

/**
 * Renews tokens once for all requests with the same refresh token: a page makes
 * several calls at once, and an issuer that rotates tokens treats a second use as
 * theft. Rejects like `issuer.renew`; failures are not cached.
 */
export function createRenewals(
  issuer: Pick<Issuer, 'renew'>,
  now: () => number = Date.now,
): (refreshToken: string) => Promise<SignedIn> {
  const renewals = createTokenMemory<Promise<SignedIn>>({ ms: REUSE_MS, max: MAX_RENEWALS, now });
  return (refreshToken) => {
    const recent = renewals.get(refreshToken);
    if (recent) return recent;
    const renewal = issuer.renew(refreshToken);
    renewals.set(refreshToken, renewal);
    renewal.catch(() => renewals.forget(refreshToken));
    return renewal;
  };
}

/** ms for which an answer about revocation holds. With the time of the request it is below two seconds. */
const ACTIVE_MS = 1_500;
/** ms that a page waits for the answer. */
const ACTIVE_WAIT_MS = 400;
const MAX_SESSIONS = 10_000;

/** True if the answer is late or fails. */
function trueUnless(answer: Promise<boolean>): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), ACTIVE_WAIT_MS);
  return Promise.race([answer.catch(() => true), timeout]).finally(() => clearTimeout(timer));
}

/**
 * Asks at most once in 1.5 s per session whether it was ended elsewhere, by "sign out everywhere", a new password or a
 * revoked token: the issuer by its refresh token, and the sessions that the issuer has ended by logout tokens. Every replica
 * asks for itself. While neither responds, sessions last until their tokens expire.
 */
export function createActivityCheck(
  {
    issuer,
    ended,
  }: { readonly issuer: Pick<Issuer, 'isActive'>; readonly ended: Pick<EndedSessions, 'has'> },
  now: () => number = Date.now,
): ActivityCheck {
  const answers = createTokenMemory<Promise<boolean>>({ ms: ACTIVE_MS, max: MAX_SESSIONS, now });
  /** Refresh tokens that the issuer no longer accepts: none comes back, so an answer that was late for its page counts later. */
  const over = createTokenMemory<true>({ ms: LIFETIME_SECONDS * 1000, max: MAX_SESSIONS, now });
  const tokenOf = ({ refreshToken, idToken }: AccountSession): string => refreshToken ?? idToken;
  async function isAccepted(refreshToken: string): Promise<boolean> {
    const isActive = await issuer.isActive(refreshToken);
    if (!isActive) over.set(refreshToken, true);
    return isActive;
  }
  async function ask(session: AccountSession): Promise<boolean> {
    const { refreshToken } = session;
    const both = await Promise.all([
      trueUnless(ended.has(session).then((isEnded) => !isEnded)),
      refreshToken === undefined || trueUnless(isAccepted(refreshToken)),
    ]);
    return both.every(Boolean);
  }
  return {
    isActive(session) {
      const token = tokenOf(session);
      if (over.get(token)) return Promise.resolve(false);
      const recent = answers.get(token);
      if (recent) return recent;
      const answer = ask(session);
      answers.set(token, answer);
      return answer;
    },
    end: (session) => answers.set(tokenOf(session), Promise.resolve(false)),
  };
}
