import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SessionState } from '@forecourt/shared-contracts/store';

/**
 * Who is signed in. The accounts implement it over their encrypted cookie; the
 * rest of the shell knows no more of them than this.
 */
export interface VisitorSessions {
  /**
   * Does the request carry a session, whether it is still good or not? Told
   * from the headers alone. Pages of such a visitor are never shared.
   */
  readonly isPresent: (request: IncomingMessage) => boolean;
  /**
   * The id token for calls made in the visitor's name. Undefined when nobody is
   * signed in or no token can be had: then it goes on without one (A8-ERR-07,
   * AMB-169). Never rejects. May add a renewed cookie to the response.
   */
  readonly idToken: (request: IncomingMessage, response: ServerResponse) => Promise<string | undefined>;
  /**
   * What the page says about the signed-in visitor; undefined for everybody
   * else. Read from the cookie, without asking anybody. Never rejects. May take
   * back the cookies of a session that has ended.
   */
  readonly account: (
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<NonNullable<SessionState['account']> | undefined>;
}

/** Nobody is ever signed in. */
export const noSessions: VisitorSessions = {
  isPresent: () => false,
  idToken: () => Promise.resolve(undefined),
  account: () => Promise.resolve(undefined),
};
