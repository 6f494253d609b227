import type { IncomingMessage } from 'node:http';
import { hkdfSync, randomBytes } from 'node:crypto';
import { type Caller, scopeSchema } from '@forecourt/release-kit/credentials';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { releaseAccess } from '@forecourt/releases/access';
import { z } from 'zod';
import { LOCAL } from '../access/credentials.ts';
import { EncryptJWT, jwtDecrypt } from 'jose';

/** What people with certain claims may do. */
export const roleSchema = z.strictObject({
  /** Claim of the ID token to its value, e.g. an email address or one of the groups; all must match. */
  claims: z
    .record(z.string(), z.string().min(1))
    .refine((claims) => Object.keys(claims).length > 0, 'must name at least one claim'),
  scopes: z.array(scopeSchema).min(1),
});
export type Role = z.infer<typeof roleSchema>;

/** Claims of a verified ID token. */
export type Claims = Readonly<Record<string, unknown>>;

function matches({ claims: expected }: Role, claims: Claims): boolean {
  // Anyone can enter any address somewhere: it says who someone is only if the issuer has verified it.
  if (Object.hasOwn(expected, 'email') && claims['email_verified'] !== true) return false;
  return Object.entries(expected).every(([claim, value]) => {
    const claimValue = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    return Array.isArray(claimValue) ? claimValue.includes(value) : claimValue === value;
  });
}

const nameOf = ({ email, email_verified: isVerified, sub }: Claims): string =>
  typeof email === 'string' && isVerified === true ? email : `person:${String(sub)}`;

/** The person with the scopes of all matching roles; undefined without any. The name is an email address or has a colon. */
export function callerOfClaims(roles: readonly Role[], claims: Claims): Caller | undefined {
  const scopes = roles.filter((role) => matches(role, claims)).flatMap((role) => role.scopes);
  return scopes.length > 0 ? { name: nameOf(claims).slice(0, 100), scopes } : undefined;
}

/** The claims that roles and names depend on; a cookie has room for no more. */
export function usedClaims(roles: readonly Role[], claims: Claims): Claims {
  const used = new Set([
    'sub',
    'email',
    'email_verified',
    ...roles.flatMap((role) => Object.keys(role.claims)),
  ]);
  const roleClaims = new Set(roles.flatMap((role) => Object.values(role.claims)));
  return Object.fromEntries(
    Object.entries(claims)
      .filter(([claim]) => used.has(claim))
      // Of many groups, those that a role names.
      .map(([claim, value]) => [
        claim,
        Array.isArray(value)
          ? value.filter((one: unknown) => typeof one === 'string' && roleClaims.has(one))
          : value,
      ]),
  );
}

/** Encrypts what the room stores in browsers. The key is derived from `secret`, or new per start without one. */
function createSeal(secret: string | undefined) {
  const key = new Uint8Array(
    hkdfSync('sha256', secret ?? randomBytes(32), '', 'sessions of the control room', 32),
  );
  return {
    seal: (content: object, seconds: number): Promise<string> =>
      new EncryptJWT({ content })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(`${seconds}s`)
        .encrypt(key),
    /** The content of the cookie `name`; undefined if it is missing, expired, of another key, or forged. */
    unseal: async <T>(
      cookies: string | undefined,
      name: string,
      schema: z.ZodType<T>,
    ): Promise<T | undefined> => {
      const sealed = cookies?.split(/;\s*/).find((part) => part.startsWith(`${name}=`));
      if (sealed === undefined) return undefined;
      try {
        const { payload } = await jwtDecrypt(sealed.slice(name.length + 1), key);
        return schema.parse(payload['content']);
      } catch {
        return undefined;
      }
    },
  };
}

/** Length of a session; s. */
const LIFETIME_SECONDS = 8 * 3600;

/** What a session's cookie holds, encrypted. A credential's token is checked again with every request. */
const identitySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('local') }),
  z.object({ kind: z.literal('credential'), token: z.string().min(1).max(1000) }),
  z.object({ kind: z.literal('person'), claims: z.record(z.string(), z.unknown()) }),
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
  /** Permissions of people that the issuer has identified. */
  readonly roles?: readonly Role[];
}

/** A sign-in at the issuer that this browser has begun; s. */
const PENDING_SECONDS = 600;
export const CALLBACK_PATH = '/room/api/callback';
const pendingSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });

type SessionRequest = Pick<IncomingMessage, 'headers' | 'socket' | 'method'>;

export type Sessions = ReturnType<typeof createSessions>;

const isLocalProgram = releaseAccess(undefined);

/** From this machine, by one of its own names; the origin is checked separately. */
const isFromHere = ({ headers: { host }, socket }: SessionRequest): boolean =>
  isLocalProgram({ headers: { host }, socket });

/** A host and port as browsers send it. */
const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i;

const writeRefused = (message: string) => new RegistryError('WRITE_REFUSED', message);

/** Names and headers of the room's cookies; `Secure` where the page is served by https. */
function cookiesOf(isSecure: boolean) {
  const name = isSecure ? '__Host-room' : 'room';
  const pendingName = isSecure ? '__Secure-room-sign-in' : 'room-sign-in';
  const end = isSecure ? '; Secure' : '';
  return {
    name,
    pendingName,
    cookie: (value: string, maxAge: number) =>
      `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${end}`,
    // Lax: the issuer, another site, sends the browser back.
    pendingCookie: (value: string, maxAge: number) =>
      `${pendingName}=${value}; Path=${CALLBACK_PATH}; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${end}`,
  };
}

/**
 * Sessions of the control room in an encrypted cookie, so that every registry with the same REGISTRY_TOKEN reads them. The
 * cookie alone is not enough: the request must come from the room's own page, or another page could use it.
 */
export function createSessions({ token, origin, isLocal, callerByToken, roles = [] }: SessionOptions) {
  const { seal, unseal } = createSeal(token);
  const { name, cookie, pendingName, pendingCookie } = cookiesOf(origin?.startsWith('https:') ?? false);

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
      throw writeRefused(
        `sessions are for the page at ${expected}; behind a proxy, set ROOM_ORIGIN to its address`,
      );
  }

  async function callerOf(identity: Identity, request: SessionRequest): Promise<Caller> {
    if (identity.kind === 'credential') return callerByToken(identity.token);
    if (identity.kind === 'person') {
      const caller = callerOfClaims(roles, identity.claims);
      if (caller) return caller;
      throw new RegistryError('FORBIDDEN', 'no role of this registry is for this person');
    }
    if (isLocal && isFromHere(request)) return LOCAL;
    throw writeRefused('signing in without a token works in local mode, from this machine only');
  }

  return {
    /** The origin at which the page must be. */
    originOf,
    isLocalTo: (request: SessionRequest): boolean => isLocal && isFromHere(request),
    /** The caller of a request with a session; undefined without one. @throws RegistryError WRITE_REFUSED, UNAUTHORIZED */
    async read(request: SessionRequest): Promise<Caller | undefined> {
      const identity = await unseal(request.headers.cookie, name, identitySchema);
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
      return { caller, cookie: cookie(await seal(identity, LIFETIME_SECONDS), LIFETIME_SECONDS) };
    },
    /** The header that keeps a sign-in at the issuer until its callback. */
    keep: async (pending: z.infer<typeof pendingSchema>): Promise<string> =>
      pendingCookie(await seal(pending, PENDING_SECONDS), PENDING_SECONDS),
    /** The sign-in that this browser has begun. */
    pending: ({ headers }: SessionRequest) => unseal(headers.cookie, pendingName, pendingSchema),
    /** Starts the session of a person that the issuer has identified. @throws RegistryError FORBIDDEN without a role */
    async beginAs(
      request: SessionRequest,
      claims: Claims,
    ): Promise<{ caller: Caller; cookies: readonly string[] }> {
      const identity = { kind: 'person' as const, claims: usedClaims(roles, claims) };
      const caller = await callerOf(identity, request);
      const sealed = await seal(identity, LIFETIME_SECONDS);
      return { caller, cookies: [cookie(sealed, LIFETIME_SECONDS), pendingCookie('', 0)] };
    },
    /** The header that ends the session. @throws RegistryError WRITE_REFUSED */
    end(request: SessionRequest): string {
      mustBeOwnPage(request);
      return cookie('', 0);
    },
  };
}
