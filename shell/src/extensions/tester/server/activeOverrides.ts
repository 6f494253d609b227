import type { Request } from 'express';
import { parseCookie, stringifySetCookie } from 'cookie';
import { isAllowedOrigin } from './requestedOverride.ts';
import { TokenError, type OverrideTokens } from './token.ts';
import type { overrideClaimsSchema } from '@forecourt/shared-contracts/slots/override';

/** Tokens of the overrides, one per remote. Over TLS no other host can set it, and no script reads it. */
const NAME = 'overrides';
const SECURE_NAME = '__Host-overrides';
/** Between two tokens: no character of one. */
const BETWEEN = '~';
/** A page has five remotes; more would outgrow what servers take for headers. */
export const MAX_OVERRIDES = 5;

const nameFor = ({ secure }: Request) => (secure ? SECURE_NAME : NAME);

/** The tokens that a request carries, as they are. Cheap for the visitors who have none. */
export function tokensOf(request: Request): readonly string[] {
  const { cookie } = request.headers;
  if (!cookie?.includes(NAME)) return [];
  const value = parseCookie(cookie)[nameFor(request)] ?? '';
  return value === '' ? [] : value.split(BETWEEN).slice(0, MAX_OVERRIDES);
}

/** Keeps these tokens for `seconds`; none ends the cookie. */
export const overridesCookie = (request: Request, tokens: readonly string[], seconds: number): string =>
  stringifySetCookie({
    name: nameFor(request),
    value: tokens.join(BETWEEN),
    maxAge: tokens.length === 0 ? 0 : seconds,
    httpOnly: true,
    sameSite: 'lax',
    secure: request.secure,
    path: '/',
  });

/** An override that counts now, with the token that says so. */
export interface ActiveOverride {
  readonly token: string;
  readonly claims: ReturnType<typeof overrideClaimsSchema.parse>;
}

/** Whom a token is for: the host that the browser asks. */
export const hostOf = ({ headers }: Pick<Request, 'headers'>): string => headers.host ?? '';

/**
 * The overrides of a request. A token that is forged, over, for another shell,
 * or for an origin that is not allowed any more counts for nothing.
 */
export async function readOverrides(
  request: Request,
  { tokens, origins }: { readonly tokens: OverrideTokens; readonly origins: readonly string[] },
): Promise<readonly ActiveOverride[]> {
  const given = tokensOf(request);
  if (given.length === 0) return [];
  const active = new Map<string, ActiveOverride>();
  for (const token of given) {
    try {
      const claims = await tokens.read(token, hostOf(request));
      const isAllowed = claims.origin === undefined || isAllowedOrigin(claims.origin, origins);
      if (isAllowed) active.set(claims.remote, { token, claims });
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
    }
  }
  return [...active.values()];
}
