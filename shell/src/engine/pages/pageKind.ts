import type { Request, Response } from 'express';
import type { LoadedState } from '../compose/composePage.ts';
import type { SlotOutcome } from '../compose/renderSlots.ts';
import type { SlotPlacement } from '../layout/placement.ts';
import type { CallContext } from '../gateway/gateway.ts';
import type { MessagePage } from '../http/messagePage.ts';
import type { RequestContext } from '../http/requestContext.ts';
import type { Visitor } from '../http/visitor.ts';
import type { PageAddition } from '../pageExtension.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import type { PageState } from '../pageState.ts';
import type { HeadFields } from '../site.ts';
import type { PageCalls } from './pageCalls.ts';

/** A response instead of a page. */
export type Ending =
  | {
      readonly kind: 'redirect';
      readonly status: 301 | 302;
      /** Path and query of this origin. */
      readonly location: string;
      /** Default: none. */
      readonly cacheControl?: string;
    }
  | {
      readonly kind: 'message';
      readonly status: number;
      /** The page, or one that offers to load this URL again. */
      readonly page: MessagePage | ((url: string) => MessagePage);
      readonly robots?: 'noindex' | undefined;
      /** Default: `no-store`. */
      readonly cacheControl?: string;
    };

/** What a request asks for. */
export interface PageDescription {
  readonly kind: 'page';
  /** Normalized path and query. */
  readonly url: string;
  /** `slots`: a page in a browser replaces its own by them, so head, frame and structured data are left out. */
  readonly part?: 'slots' | undefined;
  /** The view of the page, if its URL asks for one. */
  readonly view?: string | undefined;
  /**
   * Everything of the visitor that the page depends on. Pages with equal keys are shared by visitors without a session;
   * undefined: rendered for this visitor alone.
   */
  readonly shareKey?: readonly unknown[] | undefined;
}

/** One page to be made. */
export interface PageRequest<D extends PageDescription = PageDescription> {
  readonly description: D;
  readonly visitor: Visitor;
  readonly snapshot: Snapshot;
  readonly addition: PageAddition | undefined;
  readonly origin: string;
  /** Set for pages that visitors share: they are requested without credentials. */
  readonly isShared: boolean;
}

/** How a page is loaded. */
interface LoadContext {
  /** Makes the page's upstream calls. */
  readonly calls: PageCalls;
  readonly callContext: CallContext;
  /** Renders a slot of the page before its head is known. */
  readonly renderSlot: (placement: SlotPlacement, state: PageState) => Promise<SlotOutcome>;
  readonly layout: readonly SlotPlacement[];
  readonly signal: AbortSignal;
}

/** A page whose head is known. */
export interface LoadedPage extends LoadedState {
  readonly kind: 'loaded';
  /** The rest of the state, for the slots; default: `state`. */
  readonly complete?: Promise<LoadedState>;
  readonly head: HeadFields;
  /** Default: 200. */
  readonly status?: 200 | 404 | 410 | 503 | undefined;
  /** JSON-LD about the whole page, ready for a script element. */
  readonly structuredData?: string;
  /** Value of X-Robots-Tag. */
  readonly robots?: string | undefined;
  /** Path and query to return to after signing in. */
  readonly currentUrl: string;
  /** The main slot, if it was rendered to know the head. */
  readonly mainSlot?: SlotOutcome;
}

/** How a kind of pages is made: what a request asks for, and what such a page shows. */
export interface PageKind<D extends PageDescription = PageDescription> {
  /** Of its layout. */
  readonly name: string;
  /** Reads the request; may set cookies. */
  readonly describe: (request: Request, response: Response, url: string) => Promise<D | Ending> | D | Ending;
  /** Resolves when the head of the page is known. Rejects when the client disconnects. */
  readonly load: (page: PageRequest<D>, context: LoadContext) => Promise<LoadedPage | Ending>;
  /** Adds headers to a page that is sent. */
  readonly setHeaders?: (request: Request, response: Response, page: PageRequest<D>) => void;
  /** Runs for each page that is sent with status 200, but not for one that is fetched ahead. */
  readonly onShown?: ((request: Request, context: RequestContext) => void) | undefined;
}
