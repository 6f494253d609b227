import type { Request } from 'express';
import { ApiError } from '../http/errors.ts';
import { IdTokenError, type IdTokenVerifier } from './idToken.ts';

/** Who makes a call: an account (subject of its id token), a browser, or neither. */
export interface Caller {
  readonly account?: string;
  /** Consumer id of the browser, for visitors who are not signed in. */
  readonly consumer?: string;
  /** Claims of the id token. */
  readonly email?: string;
  readonly name?: { readonly first: string; readonly last: string };
}

export interface Callers {
  /** Throws 401 without a valid token, and 503 if the issuer is unavailable. */
  account(request: Request): Promise<Caller & { readonly account: string }>;
  /** Ignores an invalid token (A8-ERR-07, AMB-169). */
  visitor(request: Request): Promise<Caller>;
}

const CONSUMER_ID = /^[\w.:-]{1,128}$/;

/** The id token of `x-id-token` (AMB-104) or of `Authorization: Bearer`. */
function tokenOf(request: Request): string | undefined {
  const own = request.get('x-id-token');
  if (own) return own.trim();
  return /^Bearer ([\w.~+/=-]+)$/i.exec(request.get('authorization') ?? '')?.[1];
}

/** From `X-Consumer-Id`, or from the query parameter `consumerId`. */
function consumerOf(request: Request): string | undefined {
  const given = request.get('x-consumer-id') ?? request.query['consumerId'];
  return typeof given === 'string' && CONSUMER_ID.test(given) ? given : undefined;
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
