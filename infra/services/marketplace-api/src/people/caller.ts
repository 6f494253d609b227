import type { Request } from 'express';
import { ApiError } from '../http/errors.ts';
import { IdTokenError, type IdTokenVerifier } from './idToken.ts';

/** Who makes a call: an account, by the subject of its verified id token, or a browser, or nobody. */
export interface Caller {
  readonly account?: string;
  /** The visitor's consumer id: what is kept about somebody who is not signed in. */
  readonly consumer?: string;
  /** Claims of the id token. */
  readonly email?: string;
  readonly name?: { readonly first: string; readonly last: string };
}

export interface Callers {
  /** Only a signed-in caller: 401 without a good token, 503 when nobody can tell. */
  account(request: Request): Promise<Caller & { readonly account: string }>;
  /** Whoever it is: a token that is not good counts as none (A8-ERR-07, AMB-169). */
  visitor(request: Request): Promise<Caller>;
}

const CONSUMER_ID = /^[\w.:-]{1,128}$/;

/** The id token of `x-id-token` (AMB-104) or of `Authorization: Bearer`. */
function tokenOf(request: Request): string | undefined {
  const own = request.get('x-id-token');
  if (own) return own.trim();
  return /^Bearer ([\w.~+/=-]+)$/i.exec(request.get('authorization') ?? '')?.[1];
}

/** `X-Consumer-Id`, or `consumerId` of the query where the call's own parameters name it. */
function consumerOf(request: Request): string | undefined {
  const given = request.get('x-consumer-id') ?? request.query['consumerId'];
  return typeof given === 'string' && CONSUMER_ID.test(given) ? given : undefined;
}

export function createCallers(verify: IdTokenVerifier): Callers {
  return {
    async account(request) {
      const token = tokenOf(request);
      if (!token) throw new ApiError(401, 'SIGN_IN_REQUIRED', 'This call needs the id token of an account');
      try {
        const { account, ...claims } = await verify(token);
        return { account, ...claims, consumer: consumerOf(request) };
      } catch (error) {
        if (!(error instanceof IdTokenError)) throw error;
        throw error.code === 'ISSUER_UNAVAILABLE'
          ? new ApiError(503, 'ISSUER_UNAVAILABLE', 'Accounts cannot be checked at the moment')
          : new ApiError(401, 'INVALID_TOKEN', 'The id token is not valid any more');
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
        request.log.warn({ code: error.code }, 'id token not used');
        return { consumer };
      }
    },
  };
}
