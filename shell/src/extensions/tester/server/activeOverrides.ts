import type { Request } from 'express';
import { parseCookie } from 'cookie';
import { setCookie } from '../../../server/visitor/cookies.ts';
import { isAllowedOrigin } from './requestedOverride.ts';
import { TokenError, type OverrideTokens } from './token.ts';
import type { overrideClaimsSchema } from '@forecourt/shared-contracts/slots/override';

/** Cookie with one token per remote. */
const NAME = 'overrides';
const SECURE_NAME = '__Host-overrides';
/** Separates tokens; never part of one. */
const SEPARATOR = '~';
/** Maximum; more would exceed common header size limits. */
export const MAX_OVERRIDES = 5;

const nameFor = ({ secure }: Request) => (secure ? SECURE_NAME : NAME);

/** The request's tokens, not yet verified. Cheap for visitors without tokens. */
export function tokensOf(request: Request): readonly string[] {
  const { cookie } = request.headers;
  if (!cookie?.includes(NAME)) return [];
  const value = parseCookie(cookie)[nameFor(request)] ?? '';
  return value === '' ? [] : value.split(SEPARATOR).slice(0, MAX_OVERRIDES);
}

/** Stores the tokens for `seconds`; without tokens the cookie is removed. */
export const overridesCookie = (request: Request, tokens: readonly string[], seconds: number): string =>
  setCookie(nameFor(request), tokens.join(SEPARATOR), {
    maxAge: tokens.length === 0 ? 0 : seconds,
    httpOnly: true,
    secure: request.secure,
  });

/** A valid override with its token. */
export interface ActiveOverride {
  readonly token: string;
  readonly claims: ReturnType<typeof overrideClaimsSchema.parse>;
}

/** Audience of tokens: the requested origin; '', which no token has, if the Host header is invalid. */
export function audienceOf({ protocol, headers }: Request): string {
  const text = `${protocol}://${headers.host ?? ''}`;
  const { origin, href } = URL.canParse(text) ? new URL(text) : { origin: '', href: '' };
  // Without user, path or query, which `origin` would leave out.
  return href === `${origin}/` ? origin : '';
}

/**
 * The overrides of a request. Ignores tokens that are forged, expired, for
 * another shell, or for an origin that is no longer allowed.
 */
export async function readOverrides(
  request: Request,
  { tokens, origins }: { readonly tokens: OverrideTokens; readonly origins: readonly string[] },
): Promise<readonly ActiveOverride[]> {
  const active = new Map<string, ActiveOverride>();
  for (const token of tokensOf(request)) {
    try {
      const claims = await tokens.read(token, audienceOf(request));
      const isAllowed = claims.origin === undefined || isAllowedOrigin(claims.origin, origins);
      if (isAllowed) active.set(claims.remote, { token, claims });
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
    }
  }
  return [...active.values()];
}
