import type { IncomingMessage, ServerResponse } from 'node:http';
import { getIronSession, type SessionOptions } from 'iron-session';
import { signedInCookie } from '../visitor/cookies.ts';
import type { SignedIn } from './issuer.ts';

/** What the encrypted cookie holds of a signed-in visitor. */
export type AccountSession = SignedIn;

const COOKIE = 'account';
/** s; as long as the issuer keeps its own session. */
const LIFETIME_SECONDS = 14 * 24 * 3600;
/** One cookie, or its parts where an issuer's tokens are long. */
const PRESENT = /(?:^|;\s*)account(?:\.\d+)?=/;

/** Does the request carry a session, good or not? */
export const hasSession = ({ headers }: IncomingMessage): boolean => PRESENT.test(headers.cookie ?? '');

export interface SealedSessions {
  /** The session of a request; undefined without one, and for one that is too old or was not sealed by us. */
  readonly read: (request: IncomingMessage, response: ServerResponse) => Promise<AccountSession | undefined>;
  /** Keeps the session in the browser and marks it as signed in (AMB-107). Throws when the headers are out. */
  readonly write: (
    request: IncomingMessage & { secure?: boolean },
    response: ServerResponse,
    session: AccountSession,
  ) => Promise<void>;
  readonly clear: (
    request: IncomingMessage & { secure?: boolean },
    response: ServerResponse,
  ) => Promise<void>;
}

/** Sessions in an encrypted HttpOnly cookie: any replica with the same secret reads them. */
export function createSealedSessions(
  secret: string,
  onRefused: (reason: string) => void = () => {},
): SealedSessions {
  const optionsFor = (secure: boolean): SessionOptions => ({
    cookieName: COOKIE,
    password: secret,
    ttl: LIFETIME_SECONDS,
    cookieOptions: { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: LIFETIME_SECONDS },
    chunk: true,
    onUnsealError: (reason) => onRefused(reason),
  });
  const open = (request: IncomingMessage, response: ServerResponse, secure = false) =>
    getIronSession<{ account: AccountSession }>(request, response, optionsFor(secure));

  return {
    async read(request, response) {
      return hasSession(request) ? (await open(request, response)).account : undefined;
    },
    async write(request, response, account) {
      const { secure = false } = request;
      const session = await open(request, response, secure);
      session.account = account;
      await session.save();
      response.appendHeader('Set-Cookie', signedInCookie(LIFETIME_SECONDS, { secure }));
    },
    async clear(request, response) {
      const { secure = false } = request;
      (await open(request, response, secure)).destroy();
      response.appendHeader('Set-Cookie', signedInCookie(0, { secure }));
    },
  };
}
