import type { IncomingMessage, ServerResponse } from 'node:http';
import { getIronSession, type SessionOptions } from 'iron-session';
import { hostCookie, signedInCookie } from '../visitor/cookies.ts';
import type { SignedIn } from './issuer.ts';
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The secret of the session cookies: configured, the same for every replica, or in
 * local mode generated on the first start and stored in the data folder, readable
 * by this user only. Throws one line that names the key.
 */
export function readSessionSecret({
  SESSION_SECRET,
  LOCAL_MODE,
  DATA_DIR,
}: {
  readonly SESSION_SECRET?: string | undefined;
  readonly LOCAL_MODE: boolean;
  readonly DATA_DIR: string;
}): string {
  if (SESSION_SECRET !== undefined) return SESSION_SECRET;
  if (!LOCAL_MODE)
    throw new Error('configuration: SESSION_SECRET: is required outside local mode (32 characters or more)');
  mkdirSync(DATA_DIR, { recursive: true });
  const file = join(DATA_DIR, 'session-secret');
  const draft = `${file}.${process.pid}`;
  const read = () => readFileSync(file, 'utf8').trim();
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
  try {
    // Atomic; fails if another process was first.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read();
}

/** Content of the encrypted cookie. */
export type AccountSession = SignedIn;

const COOKIE = 'account';
/** s; the lifetime of the issuer's own session. */
const LIFETIME_SECONDS = 14 * 24 * 3600;
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
      return hasSession(request) ? (await open(request, response, request.secure)).account : undefined;
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
