import type { Request } from '../server/requestContext.ts';
import { isAllowedOrigin } from './allowList.ts';
import { tokensOf } from './cookie.ts';
import { TokenError, type OverrideTokens } from './token.ts';
import type { overrideClaimsSchema } from '@forecourt/shared-contracts/slots/override';

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
