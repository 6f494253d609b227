import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import { sealData, unsealData } from 'iron-session';
import { z } from 'zod';
import { safeReturnUrl } from './returnUrl.ts';

const pendingSchema = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  codeVerifier: z.string().min(1),
  /** Path of the page that the visitor came from. */
  returnTo: z.string().startsWith('/'),
});
type Pending = z.infer<typeof pendingSchema>;

const PREFIX = 'signingIn.';
const LIFETIME_SECONDS = 3600;
/** Tabs that may be signing in at once; more would overflow the request's headers. */
const MAX_PENDING = 4;

const nameFor = (state: string) => PREFIX + state.replace(/[^A-Za-z0-9]/g, '').slice(0, 12);
const namesIn = (request: IncomingMessage) =>
  Object.keys(parseCookie(request.headers.cookie ?? '')).filter((name) => name.startsWith(PREFIX));

export interface PendingSignIns {
  readonly write: (request: Secured, response: ServerResponse, pending: Pending) => Promise<void>;
  /** The sign-in that `state` belongs to, if this browser began it; it is gone afterwards. */
  readonly take: (request: Secured, response: ServerResponse, state: string) => Promise<Pending | undefined>;
}
type Secured = IncomingMessage & { secure?: boolean };

/**
 * The narrowest path below which both ends of a sign-in stand: where it begins
 * the older ones must be read, or they would never be removed.
 */
const pathFor = (signInPath: string): string => (signInPath.startsWith('/account/') ? '/account' : '/');

/** Pending sign-ins, one encrypted cookie each, so that tabs do not interfere. */
export function createPendingSignIns(
  secret: string,
  { signInPath, originOf }: { signInPath: string; originOf: (request: Secured) => string },
): PendingSignIns {
  const path = pathFor(signInPath);
  const setCookie = (
    request: Secured,
    response: ServerResponse,
    name: string,
    value: string,
    maxAge: number,
  ) =>
    response.appendHeader(
      'Set-Cookie',
      stringifySetCookie({
        name,
        value,
        maxAge,
        httpOnly: true,
        sameSite: 'lax',
        secure: request.secure ?? false,
        path,
      }),
    );
  return {
    async write(request, response, pending) {
      const stale = namesIn(request).slice(0, -(MAX_PENDING - 1) || undefined);
      if (namesIn(request).length >= MAX_PENDING)
        for (const name of stale) setCookie(request, response, name, '', 0);
      const seal = await sealData(pending, { password: secret, ttl: LIFETIME_SECONDS });
      setCookie(request, response, nameFor(pending.state), seal, LIFETIME_SECONDS);
    },
    async take(request, response, state) {
      const name = nameFor(state);
      const seal = parseCookie(request.headers.cookie ?? '')[name];
      if (seal === undefined) return undefined;
      setCookie(request, response, name, '', 0);
      const parsed = pendingSchema.safeParse(
        await unsealData(seal, { password: secret, ttl: LIFETIME_SECONDS }),
      );
      if (!parsed.success || parsed.data.state !== state) return undefined;
      return { ...parsed.data, returnTo: safeReturnUrl(parsed.data.returnTo, originOf(request)) };
    },
  };
}
