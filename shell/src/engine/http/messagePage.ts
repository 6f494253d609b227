import type { Response } from 'express';

/** A page without slots and scripts that says one thing. */
export interface MessagePage {
  readonly title: string;
  /** HTML of the message. */
  readonly body: string;
}

export interface MessageOptions {
  /** Styles of the page. */
  readonly css: string;
  readonly status: number;
  /** Default: `no-store`. */
  readonly cacheControl?: string;
}

/** The site's pages for requests that get no page of slots. Those with a URL offer to load it again. */
export interface Messages {
  readonly notFound: MessagePage;
  readonly badRequest: MessagePage;
  /** An error of the shell. */
  readonly broken: MessagePage;
  /** The required slot of the page failed. */
  readonly unavailable: (url: string) => MessagePage;
  readonly overloaded: (url: string) => MessagePage;
  /** A network or an account has used up its rendering time. */
  readonly tooManyRequests: (url: string) => MessagePage;
  /** Sends a message in the site's frame, with the policy of its styles, not indexed. */
  readonly send: (response: Response, page: MessagePage, options: MessageOptions) => void;
}
