import {
  MIN_OVERRIDE_KEY,
  OVERRIDE_TOKEN,
  overrideClaimsSchema,
} from '@forecourt/shared-contracts/slots/override';
import { MAX_OVERRIDE_SECONDS } from '@forecourt/shared-contracts/slots/overridePaths';
import { errors, jwtVerify, SignJWT } from 'jose';

export type TokenRefusal = 'OVERRIDE_EXPIRED' | 'OVERRIDE_FORGED' | 'OVERRIDE_ELSEWHERE' | 'OVERRIDE_INVALID';

/** Why a token is refused. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: TokenRefusal;
  constructor(code: TokenRefusal, message: string) {
    super(message);
    this.code = code;
  }
}

type Claims = ReturnType<typeof overrideClaimsSchema.parse>;
export type OverrideTokens = ReturnType<typeof createOverrideTokens>;

/** Tolerated clock difference between the tester's machine and the shell; s. */
const SKEW_SECONDS = 60;
/** Longer tokens are refused unread. */
const MAX_CHARACTERS = 1000;

function refusalOf(error: unknown): TokenError {
  if (error instanceof errors.JWTExpired) return new TokenError('OVERRIDE_EXPIRED', 'it has expired');
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return new TokenError('OVERRIDE_FORGED', 'it was not signed with this shell’s key');
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
    return new TokenError('OVERRIDE_ELSEWHERE', 'it is for another shell');
  return new TokenError('OVERRIDE_INVALID', 'it is not an override token');
}

/**
 * Signs and verifies override tokens with the secret `key`. A token must have
 * the fixed algorithm and type, this shell as audience, and a lifetime of at
 * most eight hours. `now` is in ms.
 */
export function createOverrideTokens(key: string | Uint8Array, now: () => number) {
  const secret = typeof key === 'string' ? new TextEncoder().encode(key) : key;
  if (secret.length < MIN_OVERRIDE_KEY)
    throw new Error(`a signing key has ${MIN_OVERRIDE_KEY} bytes or more`);
  const { alg, typ } = OVERRIDE_TOKEN;

  return {
    sign: (claims: Claims): Promise<string> =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg, typ }).sign(secret),
    /** The claims of a token for the shell at the origin `audience`. @throws TokenError */
    async read(token: string, audience: string): Promise<Claims> {
      if (token.length > MAX_CHARACTERS) throw new TokenError('OVERRIDE_INVALID', 'it is too long');
      let payload: unknown;
      try {
        ({ payload } = await jwtVerify(token, secret, {
          algorithms: [alg],
          typ,
          audience,
          requiredClaims: ['iat', 'exp', 'sub', 'aud'],
          currentDate: new Date(now()),
        }));
      } catch (error) {
        throw refusalOf(error);
      }
      const claims = overrideClaimsSchema.safeParse(payload);
      if (!claims.success) throw new TokenError('OVERRIDE_INVALID', 'it is not an override token');
      const { iat, exp } = claims.data;
      if (exp - iat > MAX_OVERRIDE_SECONDS || exp <= iat || iat > now() / 1000 + SKEW_SECONDS)
        throw new TokenError('OVERRIDE_INVALID', 'its times are invalid');
      return claims.data;
    },
  };
}
