import type { PageHead, SlotModule } from '@forecourt/slots';
import type { CallDefinition } from '@forecourt/upstream/callDefinition';
import type { PageState } from './pageState.ts';
import type { Request, RequestHandler } from 'express';
import type { SitePageEvents } from './http/sitePageEvents.ts';
import type { InlineElement } from './compose/html.ts';
import type { PageLayouts, SlotPermissions } from './layout/permissions.ts';
import type { SlotPlacement } from './layout/placement.ts';
import type { Messages } from './http/messagePage.ts';
import type { Visitor, Visitors } from './http/visitor.ts';
import type { RecordedPage } from './releases/recordedPage.ts';
import type { providesOf } from '@forecourt/releases/gate';
import type { ReleaseSite } from './rendering/releaseSite.ts';

/** Head fields that differ between pages; `title` is the full title. */
export type HeadFields = Omit<PageHead, 'status'>;

export interface HeadInput {
  readonly head: HeadFields;
  readonly session: PageState['session'];
  readonly origin: string;
  readonly style: InlineElement;
}

export interface TopInput {
  readonly state: PageState;
  /** Path and query to return to after signing in. */
  readonly currentUrl: string;
  /** An extension's HTML above everything else. */
  readonly banner: string;
}

/** The site's HTML around the slots. */
export interface Frame {
  /** The document up to and including `<body>`: everything that the first paint needs. */
  readonly head: (input: HeadInput) => string;
  /** From the body's start to the first slot. */
  readonly top: (input: TopInput) => string;
  /** Between the last slot with a place in the page and the slots without one. */
  readonly bottom: (session: PageState['session']) => string;
  /** Markup before a slot of a layout. */
  readonly before: (placement: SlotPlacement, layout: readonly SlotPlacement[]) => string;
  /** Whether the slot's element is assigned to a slot of this name in a shadow root of `before`. */
  readonly isAssigned: (slot: string) => boolean;
}

/** What the policy of the site's pages allows besides its own origin. */
interface PolicyAdditions {
  readonly formTargets: readonly string[];
  readonly connectTargets: readonly string[];
}

/** Everything that the engine needs to know about one website. */
export interface Site extends ReleaseSite {
  /** Path below which the engine's paths for browsers are, e.g. '/library': `{root}/api/…` and `{root}/svc/…`. */
  readonly root: string;
  /** Types of all events on the bus of its pages. */
  readonly events: readonly string[];
  /** Version of each contract package of the site, besides the slots contract. */
  readonly contracts: Readonly<Record<string, string>>;
  /** What the gate asks of releases. */
  readonly releasePolicy: {
    /** Slots that builds put into chunks of their own: those of other pages than the first view. */
    readonly pageSlots: readonly string[];
    /** Maximum bytes of remotes, each with the reason. */
    readonly budgets: Parameters<typeof providesOf>[0]['budgets'];
  };
  /** Where a visitor goes who came from nowhere. */
  readonly homePath: string;
  /** The slots of each page kind in document order. A main slot has the name of its page kind. */
  readonly layouts: PageLayouts;
  readonly permissions: SlotPermissions;
  /** Modules of the slots that the shell provides itself. */
  readonly ownSlots: Readonly<Record<string, SlotModule>>;
  /** The table of upstream calls. */
  readonly calls: Readonly<Record<string, CallDefinition>>;
  /** Pages over which the gate renders each slot of a release. */
  readonly recordedPages: () => readonly RecordedPage[];
  /**
   * Kinds of pages below `root`, the most frequent one last: browsers keep what they share for the next page, one recorded
   * page of each. Default: none.
   */
  readonly dictionaryKinds?: readonly string[];
  readonly frame: Frame;
  readonly messages: Messages;
  readonly policy: PolicyAdditions;
  /** The page's plain HTML of a required slot whose release failed; undefined: the slot stays empty. */
  readonly plainSlot: (slot: string, state: PageState) => string | undefined;
  readonly personal: {
    /** The state as slots get it that serve several visitors from one process. */
    readonly without: (state: PageState) => PageState;
    /** What `without` has left out, for the browser; undefined for an anonymous visitor. */
    readonly part: (state: PageState) => object | undefined;
  };
  /** The state of a page that has no content but what its main slot loads. */
  // A method, so that a site may name its own type of visitors.
  emptyState(page: PageState['page'], visitor: Visitor, currentUrl: string): PageState;
  /** The full title of a page whose main slot has named it. */
  readonly titleOf: (title: string, session: PageState['session']) => string;
  readonly visitors: Visitors;
  /** Paths that programs call at a replica's own address, besides the engine's. */
  readonly programPaths: readonly string[];
  /** The calls that slots make from the browser. */
  readonly browserCalls: {
    /** Where a visitor signs in, for calls that need an account. */
    readonly signInPath: string;
    /** Parameters that only the server knows. */
    readonly addParams: (call: CallDefinition, request: Request) => Readonly<Record<string, string>>;
    /** Limits calls by name (`request.params.name`), besides the limit of writes. */
    readonly limit: RequestHandler;
  };
  /** What browsers report besides failures and web vitals. */
  readonly pageEvents: SitePageEvents;
  /** URLs of pages that browsers may fetch ahead, as speculation rules (https://wicg.github.io/nav-speculation). */
  readonly speculationRules: object;
  /** Whether the site can serve pages, for `/health/ready`. */
  readonly isReady: () => boolean;
}

/** The parts of a site that need no running upstream: the engine opens its runtime with them. */
export type SitePlan = Omit<
  Site,
  | 'ownSlots'
  | 'visitors'
  | 'policy'
  | 'plainSlot'
  | 'emptyState'
  | 'titleOf'
  | 'browserCalls'
  | 'pageEvents'
  | 'isReady'
>;
