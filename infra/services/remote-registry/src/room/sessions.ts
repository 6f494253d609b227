import { hkdfSync, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Caller, RegistryError } from '@forecourt/cli/release';
import { releaseAccess } from '@forecourt/shared-contracts/slots/access';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { z } from 'zod';
import { LOCAL } from '../access/callers.ts';

/** Length of a session; s. */
const LIFETIME_SECONDS = 8 * 3600;

/** What a session's cookie holds, encrypted. A credential's token is checked again with every request. */
const identitySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('local') }),
  z.object({ kind: z.literal('credential'), token: z.string().min(1).max(1000) }),
]);
type Identity = z.infer<typeof identitySchema>;

export interface SessionOptions {
  /** REGISTRY_TOKEN, which the key of the cookies is derived from; a new key per start without one. */
  readonly token?: string | undefined;
  /** Origin of the control room as browsers see it; default http at the requested host. */
  readonly origin?: string | undefined;
  /** Whether someone on this machine may sign in without a token. */
  readonly isLocal: boolean;
  readonly callerByToken: (token: string) => Promise<Caller>;
}

type SessionRequest = Pick<IncomingMessage, 'headers' | 'socket' | 'method'>;

export type Sessions = ReturnType<typeof createSessions>;

const isLocalProgram = releaseAccess(undefined);

/** From this machine, by one of its own names; the origin is checked separately. */
const isFromHere = ({ headers: { host }, socket }: SessionRequest): boolean =>
  isLocalProgram({ headers: { host }, socket });

/** A host and port as browsers send it. */
const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i;

const refused = (message: string) => new RegistryError('WRITE_REFUSED', message);

/**
 * Sessions of the control room in an encrypted cookie, so that every registry with the same REGISTRY_TOKEN reads them. The
 * cookie alone is not enough: the request must come from the room's own page, or another page could use it.
 */
export function createSessions({ token, origin, isLocal, callerByToken }: SessionOptions) {
  const key = new Uint8Array(
    hkdfSync('sha256', token ?? randomBytes(32), '', 'sessions of the control room', 32),
  );
  const isSecure = origin?.startsWith('https:') ?? false;
  const name = isSecure ? '__Host-room' : 'room';
  const cookie = (value: string, maxAge: number) =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${isSecure ? '; Secure' : ''}`;

  const originOf = ({ headers: { host = '' } }: SessionRequest): string =>
    origin ?? `http://${HOST.test(host) ? host : 'localhost'}`;

  /** @throws RegistryError WRITE_REFUSED */
  function mustBeOwnPage(request: SessionRequest): void {
    const { headers, method } = request;
    const expected = originOf(request);
    // Browsers send no origin when a page reads from its own.
    const isOwn =
      headers.origin === undefined
        ? method === 'GET' && headers['sec-fetch-site'] === 'same-origin'
        : headers.origin === expected;
    if (!isOwn)
      throw refused(
        `sessions are for the page at ${expected}; behind a proxy, set ROOM_ORIGIN to its address`,
      );
  }

  async function identityOf({ headers }: SessionRequest): Promise<Identity | undefined> {
    const sealed = headers.cookie?.split(/;\s*/).find((part) => part.startsWith(`${name}=`));
    if (sealed === undefined) return undefined;
    try {
      const { payload } = await jwtDecrypt(sealed.slice(name.length + 1), key);
      return identitySchema.parse(payload['identity']);
    } catch {
      // Expired, of another key, or forged.
      return undefined;
    }
  }

  async function callerOf(identity: Identity, request: SessionRequest): Promise<Caller> {
    if (identity.kind === 'credential') return callerByToken(identity.token);
    if (isLocal && isFromHere(request)) return LOCAL;
    throw refused('signing in without a token works in local mode, from this machine only');
  }

  return {
    /** The origin at which the page must be. */
    originOf,
    isLocalTo: (request: SessionRequest): boolean => isLocal && isFromHere(request),
    /** The caller of a request with a session; undefined without one. @throws RegistryError WRITE_REFUSED, UNAUTHORIZED */
    async read(request: SessionRequest): Promise<Caller | undefined> {
      const identity = await identityOf(request);
      if (!identity) return undefined;
      mustBeOwnPage(request);
      return callerOf(identity, request);
    },
    /** Starts a session; without a token, that of someone on this machine. @throws RegistryError WRITE_REFUSED, UNAUTHORIZED */
    async begin(
      request: SessionRequest,
      credential: string | undefined,
    ): Promise<{ caller: Caller; cookie: string }> {
      mustBeOwnPage(request);
      const identity: Identity =
        credential === undefined ? { kind: 'local' } : { kind: 'credential', token: credential };
      const caller = await callerOf(identity, request);
      const sealed = await new EncryptJWT({ identity })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(`${LIFETIME_SECONDS}s`)
        .encrypt(key);
      return { caller, cookie: cookie(sealed, LIFETIME_SECONDS) };
    },
    /** The header that ends the session. @throws RegistryError WRITE_REFUSED */
    end(request: SessionRequest): string {
      mustBeOwnPage(request);
      return cookie('', 0);
    },
  };
}
