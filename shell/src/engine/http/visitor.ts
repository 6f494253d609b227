import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { PageState } from '../pageState.ts';

/** What the engine reads of a visitor; the site's own visitor extends it. */
export interface Visitor {
  /** Stable for a session; assigns canaries. */
  readonly id: string;
  /** The part of the page's state that describes the visitor. */
  readonly session: PageState['session'];
  readonly isBot: boolean;
  readonly isSignedIn: boolean;
  /** Names the account, for its share of rendering time; undefined for visitors without one. */
  readonly accountKey: string | undefined;
  /** Identifies the visitor to the upstream. */
  readonly consumerId: string;
}

/** How the site recognizes visitors. */
export interface Visitors {
  /** From cookies and headers alone; invalid ones are ignored. */
  readonly read: (request: Request, now: Date) => Visitor;
  /** Adds what needs a lookup, such as account and flags, for responses that are not shared. May set cookies. */
  // A method, so that a site may name its own type of visitors.
  resolve(visitor: Visitor, request: Request, response: Response): Promise<Visitor>;
  /** Whether the request has a session cookie, valid or not. Its pages are never shared. */
  readonly hasSession: (request: IncomingMessage) => boolean;
  /** The signed-in visitor's token for upstream calls; undefined without one. Never rejects. May renew the cookie. */
  readonly idToken: (request: Request, response: Response) => Promise<string | undefined>;
}
