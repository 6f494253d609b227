import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SessionState } from '@forecourt/shared-contracts/store';

/** Port to the accounts, implemented with an encrypted cookie. */
export interface VisitorSessions {
  /** Whether the request has a session cookie, valid or not. Its pages are never shared. */
  readonly isPresent: (request: IncomingMessage) => boolean;
  /**
   * The id token for calls on the visitor's behalf; undefined if the visitor is not
   * signed in or the token cannot be renewed (A8-ERR-07, AMB-169). Never rejects.
   * May add a renewed cookie to the response.
   */
  readonly idToken: (request: IncomingMessage, response: ServerResponse) => Promise<string | undefined>;
  /**
   * Name and email of the signed-in visitor, from the cookie alone; undefined for
   * others. Never rejects. May clear the cookies of an ended session.
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
