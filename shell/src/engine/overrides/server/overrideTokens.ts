import {
  MIN_OVERRIDE_KEY,
  OVERRIDE_TOKEN,
  overrideClaimsSchema,
  overrideSchema,
} from '@forecourt/releases/override';
import { MAX_OVERRIDE_SECONDS } from '@forecourt/releases/overridePaths';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Request } from 'express';
import { parseCookie } from 'cookie';
import { setCookie } from '../../http/cookies.ts';
import { z } from 'zod';

/** Plain HTTP is allowed for this machine only. */
const LOCAL_ORIGIN = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Parses an origin in serialized form ('http://localhost:5001'). Undefined for
 * anything else: with a path, user or trailing dot, not in serialized form, or plain
 * HTTP to another machine.
 */
export function readOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol } = new URL(text);
  const isSecure = protocol === 'https:' || LOCAL_ORIGIN.test(origin);
  return isSecure && text === origin && !/\.(?::\d+)?$/.test(origin) ? origin : undefined;
}

/** Compares whole origins, never prefixes or suffixes. */
export function isAllowedOrigin(text: string, allowed: readonly string[]): boolean {
  const origin = readOrigin(text);
  return origin !== undefined && allowed.includes(origin);
}

/** Several tokens of up to 1,000 characters each. */
const MAX_TOKENS_LENGTH = 6_000;

const text = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength)
    .optional()
    .transform((value) => (value === '' ? undefined : value));
const optionalText = text(2_000);

/** Fields of a form or link; untrusted. */
const fieldsSchema = z.object({
  /** One or several. */
  token: text(MAX_TOKENS_LENGTH),
  remote: optionalText,
  version: optionalText,
  origin: optionalText,
  returnTo: optionalText,
  minutes: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_OVERRIDE_SECONDS / 60)
    .catch(60),
});
export type OverrideFields = z.infer<typeof fieldsSchema>;

/** Non-object input yields no fields. */
export const readFields = (input: unknown): OverrideFields =>
  fieldsSchema.catch({ minutes: 60 } as OverrideFields).parse(input ?? {});

/** The requested override, or why it is refused. */
export function requestedOverride(
  { remote, version, origin }: Pick<OverrideFields, 'remote' | 'version' | 'origin'>,
  allowed: readonly string[],
): { readonly override: ReturnType<typeof overrideSchema.parse> } | { readonly refusal: string } {
  const parsed = overrideSchema.safeParse({ remote, version, origin });
  if (!parsed.success)
    return {
      refusal:
        'Enter a remote and a version, or a remote and the origin of a local build, like http://localhost:5001.',
    };
  if (origin !== undefined && !isAllowedOrigin(origin, allowed))
    return { refusal: `Releases may not come from ${origin}: it is not one of the allowed origins.` };
  return { override: parsed.data };
}

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

/** Cookie with one token per remote. */
const NAME = 'overrides';
const SECURE_NAME = '__Host-overrides';
/** Separates tokens; never part of one. */
const SEPARATOR = '~';
/** Of all tokens together: browsers drop cookies of more than 4,096 bytes with their name and attributes. */
const MAX_COOKIE_CHARACTERS = 3_900;

/** Whether a cookie holds the tokens. */
export const fitsCookie = (tokens: readonly string[]): boolean =>
  tokens.join(SEPARATOR).length <= MAX_COOKIE_CHARACTERS;

const nameFor = ({ secure }: Request) => (secure ? SECURE_NAME : NAME);

/** The tokens of a link or cookie, not yet verified. */
export const splitTokens = (text: string): readonly string[] => (text === '' ? [] : text.split(SEPARATOR));

/** The request's tokens, not yet verified. Cheap for visitors without tokens. */
export function tokensOf(request: Request): readonly string[] {
  const { cookie } = request.headers;
  if (!cookie?.includes(NAME)) return [];
  const value = parseCookie(cookie)[nameFor(request)] ?? '';
  return value.length <= MAX_COOKIE_CHARACTERS ? splitTokens(value) : [];
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
