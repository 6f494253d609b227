import type { IncomingMessage, ServerResponse } from 'node:http';
import { getIronSession, type SessionOptions } from 'iron-session';
import { signedInCookie } from '../visitor/cookies.ts';
import type { SignedIn } from './issuer.ts';

/** What the encrypted cookie holds of a signed-in visitor. */
export type AccountSession = SignedIn;

const COOKIE = 'account';
/** s; the lifetime of the issuer's own session. */
const LIFETIME_SECONDS = 14 * 24 * 3600;
/** One cookie, or several parts if the issuer's tokens are long. */
const PRESENT = /(?:^|;\s*)account(?:\.\d+)?=/;

/** Whether the request has a session cookie, valid or not. */
export const hasSession = ({ headers }: IncomingMessage): boolean => PRESENT.test(headers.cookie ?? '');

export interface SealedSessions {
  /** The session of a request; undefined if it is missing, expired or forged. */
  readonly read: (request: IncomingMessage, response: ServerResponse) => Promise<AccountSession | undefined>;
  /** Stores the session in the browser (AMB-107). Throws when the headers are already sent. */
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
