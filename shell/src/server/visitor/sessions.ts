import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SessionState } from '@forecourt/shared-contracts/store';

/**
 * The port to accounts, which implement it with an encrypted cookie.
 */
export interface VisitorSessions {
  /**
   * Whether the request has a session cookie, valid or not. Pages of such a
   * visitor are never shared.
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

/** Without accounts. */
export const noSessions: VisitorSessions = {
  isPresent: () => false,
  idToken: () => Promise.resolve(undefined),
  account: () => Promise.resolve(undefined),
};
