import {
  MAX_OVERRIDE_SECONDS,
  MIN_OVERRIDE_KEY,
  OVERRIDE_TOKEN,
  overrideClaimsSchema,
} from '@forecourt/shared-contracts/slots/override';
import { errors, jwtVerify, SignJWT } from 'jose';

export type TokenRefusal = 'OVERRIDE_EXPIRED' | 'OVERRIDE_FORGED' | 'OVERRIDE_ELSEWHERE' | 'OVERRIDE_INVALID';

/** Why a token counts for nothing. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: TokenRefusal;
  constructor(code: TokenRefusal, message: string) {
    super(message);
    this.code = code;
  }
}

export interface OverrideTokens {
  readonly sign: (claims: ReturnType<typeof overrideClaimsSchema.parse>) => Promise<string>;
  /** What a token says to the shell at `host`. @throws TokenError */
  readonly read: (token: string, host: string) => Promise<ReturnType<typeof overrideClaimsSchema.parse>>;
}

/** Clocks of a tester's machine and of the shell differ; s. */
const SKEW_SECONDS = 60;
/** No token of ours is longer. */
const MAX_CHARACTERS = 1000;

const REFUSALS: readonly (readonly [new (...given: never[]) => Error, TokenRefusal, string])[] = [
  [errors.JWTExpired, 'OVERRIDE_EXPIRED', 'it has expired'],
  [errors.JWSSignatureVerificationFailed, 'OVERRIDE_FORGED', 'it was not signed with this shell’s key'],
];

function refusalOf(error: unknown): TokenError {
  const [, code, reason] = REFUSALS.find(([type]) => error instanceof type) ?? [];
  if (code !== undefined && reason !== undefined) return new TokenError(code, reason);
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
    return new TokenError('OVERRIDE_ELSEWHERE', 'it is for another shell');
  return new TokenError('OVERRIDE_INVALID', 'it is no override token');
}

/**
 * Signs and reads override tokens with `key`, which only the shell and those
 * who may override know. One algorithm, one type, one audience, and an end
 * within eight hours: whatever else a token says of itself is not believed.
 * `now` is in ms.
 */
export function createOverrideTokens(key: string | Uint8Array, now: () => number): OverrideTokens {
  const secret = typeof key === 'string' ? new TextEncoder().encode(key) : key;
  if (secret.length < MIN_OVERRIDE_KEY)
    throw new Error(`a signing key has ${MIN_OVERRIDE_KEY} bytes or more`);
  const { alg, typ } = OVERRIDE_TOKEN;

  return {
    sign: (claims) => new SignJWT({ ...claims }).setProtectedHeader({ alg, typ }).sign(secret),
    async read(token, host) {
      if (token.length > MAX_CHARACTERS) throw new TokenError('OVERRIDE_INVALID', 'it is too long');
      let payload: unknown;
      try {
        ({ payload } = await jwtVerify(token, secret, {
          algorithms: [alg],
          typ,
          audience: host,
          requiredClaims: ['iat', 'exp', 'sub', 'aud'],
          currentDate: new Date(now()),
        }));
      } catch (error) {
        throw refusalOf(error);
      }
      const claims = overrideClaimsSchema.safeParse(payload);
      if (!claims.success) throw new TokenError('OVERRIDE_INVALID', 'it is no override token');
      const { iat, exp } = claims.data;
      if (exp - iat > MAX_OVERRIDE_SECONDS || exp <= iat || iat > now() / 1000 + SKEW_SECONDS)
        throw new TokenError('OVERRIDE_INVALID', 'its times cannot be');
      return claims.data;
    },
  };
}
