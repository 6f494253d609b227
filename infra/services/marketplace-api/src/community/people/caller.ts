import type { Request } from 'express';
import { ApiError } from '../../http/middleware.ts';
import { type JWTVerifyGetKey, errors, jwtVerify } from 'jose';
import { createEgress } from '@forecourt/service-kit/egress';
import { createIssuerKeys } from '@forecourt/service-kit/issuerKeys';
import { discoveryUrlOf, mustBeIssuer } from '@forecourt/service-kit/issuerUrl';
import { EGRESS } from '../../http/egress.ts';
import { z } from 'zod';

/** Who makes a call: an account (subject of its id token), a browser, or neither. */
export interface Caller {
  readonly account?: string;
  /** Consumer id of the browser, for visitors who are not signed in. */
  readonly consumer?: string;
  /** Claims of the id token. The issuer has verified that the address is the account's. */
  readonly verifiedEmail?: string;
  readonly name?: { readonly first: string; readonly last: string };
}

export interface Callers {
  /** Throws 401 without a valid token, and 503 if the issuer is unavailable. */
  account(request: Request): Promise<Caller & { readonly account: string }>;
  /** Ignores an invalid token. */
  visitor(request: Request): Promise<Caller>;
}

const CONSUMER_ID = /^[\w.:-]{1,128}$/;

/** The id token of `x-id-token` or of `Authorization: Bearer`. */
function tokenOf(request: Request): string | undefined {
  const header = request.get('x-id-token');
  if (header) return header.trim();
  return /^Bearer ([\w.~+/=-]+)$/i.exec(request.get('authorization') ?? '')?.[1];
}

/** From `X-Consumer-Id`, or from the query parameter `consumerId`. */
function consumerOf(request: Request): string | undefined {
  const consumerId = request.get('x-consumer-id') ?? request.query['consumerId'];
  return typeof consumerId === 'string' && CONSUMER_ID.test(consumerId) ? consumerId : undefined;
}

export function createCallers(verify: IdTokenVerifier): Callers {
  return {
    async account(request) {
      const token = tokenOf(request);
      if (!token) throw new ApiError(401, 'SIGN_IN_REQUIRED', 'Sign in to use this call');
      try {
        const { account, ...claims } = await verify(token);
        return { account, ...claims, consumer: consumerOf(request) };
      } catch (error) {
        if (!(error instanceof IdTokenError)) throw error;
        throw error.code === 'ISSUER_UNAVAILABLE'
          ? new ApiError(503, 'ISSUER_UNAVAILABLE', 'Sign-in cannot be verified right now; try again later')
          : new ApiError(401, 'INVALID_TOKEN', 'The id token is invalid or expired');
      }
    },
    async visitor(request) {
      const token = tokenOf(request);
      const consumer = consumerOf(request);
      if (!token) return { consumer };
      try {
        return { ...(await verify(token)), consumer };
      } catch (error) {
        if (!(error instanceof IdTokenError)) throw error;
        request.log.warn({ code: error.code }, 'invalid id token ignored');
        return { consumer };
      }
    },
  };
}

export type IdTokenErrorCode = 'INVALID_TOKEN' | 'ISSUER_UNAVAILABLE';

export class IdTokenError extends Error {
  override readonly name = 'IdTokenError';
  readonly code: IdTokenErrorCode;
  constructor(code: IdTokenErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

interface VerifiedAccount {
  /** The token's subject. */
  readonly account: string;
  readonly verifiedEmail?: string;
  readonly name?: { readonly first: string; readonly last: string };
}

/** Rejects with IdTokenError. */
export type IdTokenVerifier = (token: string) => Promise<VerifiedAccount>;

export interface IssuerOptions {
  /** The issuer's identifier, in its own spelling. */
  readonly issuer: string;
  /** Required audience of the tokens. */
  readonly audience: string;
}

/** Asymmetric only: a shared secret would let every holder of it sign. */
const ALGORITHMS = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'];
/** Seconds of clock skew. */
const CLOCK_TOLERANCE = 30;
const TIMEOUT_MS = 3_000;
const HTTP_OK = 200;

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() });
const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
  given_name: z.string().max(100).optional().catch(undefined),
  family_name: z.string().max(100).optional().catch(undefined),
  name: z.string().max(200).optional().catch(undefined),
});

/** First and last name; the last word of a full name is the last name. */
function nameOf({ given_name: first, family_name: last, name }: z.output<typeof claimsSchema>) {
  if (first || last) return { first: first ?? '', last: last ?? '' };
  const words = (name ?? '').split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  return {
    first: words.slice(0, Math.max(1, words.length - 1)).join(' '),
    last: words.slice(1).at(-1) ?? '',
  };
}

/** The issuer's keys by OpenID Connect Discovery 1.0. */
async function discoverKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const url = discoveryUrlOf(issuer);
  const request = createEgress(EGRESS.issuer(issuer));
  const response = await request(url);
  if (response.status !== HTTP_OK) throw new Error(`${url} returned ${response.status}`);
  const { jwks_uri, issuer: issuerName } = discoverySchema.parse(await response.json());
  mustBeIssuer(issuerName, issuer);
  return createIssuerKeys(new URL(jwks_uri), {
    timeoutMs: TIMEOUT_MS,
    request: (keysUrl) => request(keysUrl),
  });
}

/** Verifies signature, issuer, audience and time of id tokens. */
export function createIdTokenVerifier({ issuer, audience }: IssuerOptions): IdTokenVerifier {
  let discovery: Promise<JWTVerifyGetKey> | undefined;
  const keys = () => {
    // A failed discovery is retried by the next call.
    discovery ??= discoverKeys(issuer).catch((error: unknown) => {
      discovery = undefined;
      throw error;
    });
    return discovery;
  };

  return async (token) => {
    let key: JWTVerifyGetKey;
    try {
      key = await keys();
    } catch (error) {
      throw new IdTokenError('ISSUER_UNAVAILABLE', `no keys of ${issuer}`, { cause: error });
    }
    try {
      const { payload } = await jwtVerify(token, key, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE,
        requiredClaims: ['sub', 'exp', 'iat'],
      });
      const claims = claimsSchema.parse(payload);
      return {
        account: claims.sub,
        name: nameOf(claims),
        ...(claims.email_verified && { verifiedEmail: claims.email }),
      };
    } catch (error) {
      const isOurs = error instanceof errors.JOSEError || error instanceof z.ZodError;
      const isUnreachable = error instanceof errors.JWKSTimeout || !isOurs;
      throw new IdTokenError(
        isUnreachable ? 'ISSUER_UNAVAILABLE' : 'INVALID_TOKEN',
        error instanceof Error ? error.message : String(error),
        { cause: error },
      );
    }
  };
}
