import { EVENT_SCHEMAS, type EventType } from '@forecourt/shared-contracts/events';
import { type RootState, type SessionState, anonymousSession } from '@forecourt/shared-contracts/store';
import type { FilterParam } from '@forecourt/shared-contracts/criteria';

/** One slot of the page as the server left it. */
export interface BootSlot {
  readonly slot: string;
  /** Remote and module; null for the shell's own slots. */
  readonly remote: string | null;
  readonly expose: string;
  readonly hydrate: 'load' | 'idle' | 'visible' | 'late' | 'need';
  readonly wakes: readonly string[];
  /** Events that it may emit and listen to, as `eventCodes`. */
  readonly emits: string;
  readonly hears: string;
  /** What the element contains: the release's HTML, the shell's fallback, or nothing. */
  readonly rendered: 'release' | 'fallback' | 'none';
  /** Result of the slot's `load` on the server. */
  readonly data?: unknown;
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** Present if its code runs in a frame. */
  readonly frame?: BootFrame;
}

export interface BootFrame {
  /** Of the release that fills it. */
  readonly version: string;
  /** Parts of the state that it gets. */
  readonly reads: readonly string[];
  /** px */
  readonly maxHeight: number;
}

/** What the document of a frame contains about its slot. */
export interface FrameData extends Pick<BootSlot, 'slot' | 'expose' | 'scripts'> {
  readonly remote: BootRemote;
}

/** A release of the page's snapshot, as the browser's federation runtime needs it. */
export interface BootRemote {
  readonly name: string;
  readonly version: string;
  /** URL of the container entry. */
  readonly entry: string;
  /**
   * URL to Subresource Integrity of the entry and of the scripts and styles that slots list. Scripts that the release loads
   * itself are checked by integrities in its own code.
   */
  readonly integrity: Readonly<Record<string, string>>;
}

/** Boot data of a page extension, whose browser code defines the shape of `data`. */
export interface BootExtension {
  readonly name: string;
  readonly data: unknown;
}

/** What the visitor's own state has beyond the state that slots were rendered with. */
export interface PersonalState {
  readonly session: Partial<SessionState>;
  readonly pageData?: RootState['search']['pageData'];
}

/** What the slots of a page show: most of its data, which no script needs before the slots hydrate. */
export interface PageContent {
  /** As slots were rendered with it. */
  readonly search: RootState['search'];
  /** Result of each slot's `load` on the server. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the server passes to the browser as JSON in the page. Pages are cached: nothing in it may differ per response. */
export interface PageData {
  /** As slots were rendered with it. */
  readonly state: Omit<RootState, 'search'>;
  /** The URL of the page's content, or the content itself if it may be personal. */
  readonly content: PageContent | string;
  /** Absent for anonymous visitors. */
  readonly personal?: PersonalState;
  readonly slots: readonly Omit<BootSlot, 'data'>[];
  readonly remotes: readonly BootRemote[];
  /** Absent on ordinary pages. */
  readonly extension?: BootExtension;
}

/** What differs per response; it travels in the header Server-Timing, which scripts can read without a request. */
export interface PageView {
  /** Id of the request that loaded the page. */
  readonly requestId: string;
  /** Sent back with the page's failures; empty while none of its releases is a canary or compared with one. */
  readonly failureClaim: string;
  /** Names the trace of the request to the browser, if both are recorded. */
  readonly trace?: string | undefined;
}

/** Everything that a page starts with in the browser. */
export interface BootData extends Omit<PageData, 'state' | 'content' | 'slots'>, PageView {
  /** As slots were rendered with it. */
  readonly state: RootState;
  readonly slots: readonly BootSlot[];
}

const REQUEST_METRIC = 'request';
const CLAIM_METRIC = 'claim';
export const TRACE_METRIC = 'trace';
/** Where browsers send how their page loaded. */
export const PAGE_TRACE_PATH = '/cars-for-sale/svc/page-trace';
/** How a page loaded; times are ms after the browser sent the request. */
export interface PageTrace {
  readonly trace: string;
  readonly spans: readonly { readonly name: string; readonly startMs: number; readonly ms: number }[];
}

/** The value of Server-Timing. `outcome`: how the page was made. */
export const serverTimingOf = (outcome: string, { requestId, failureClaim, trace }: PageView): string =>
  [
    `page;desc="${outcome}"`,
    `${REQUEST_METRIC};desc="${requestId}"`,
    ...(failureClaim === '' ? [] : [`${CLAIM_METRIC};desc="${failureClaim}"`]),
    ...(trace === undefined ? [] : [`${TRACE_METRIC};desc="${trace}"`]),
  ].join(', ');

/** Reads the page view of a navigation. Browsers without Server-Timing report without a claim, which doesn't count. */
export function readPageView(
  timings: readonly { readonly name: string; readonly description: string }[] = [],
): PageView {
  const read = (metric: string) => timings.find(({ name }) => name === metric)?.description ?? '';
  return { requestId: read(REQUEST_METRIC), failureClaim: read(CLAIM_METRIC) };
}

export const BOOT_ELEMENT_ID = 'fc-boot';
/** Where the shell serves the content of pages, each under its hash. */
export const PAGE_CONTENT_PATH = '/cars-for-sale/api/page-content';
/** Where the shell serves the documents of frames. */
export const FRAMES_PATH = '/frames';
export const FRAME_ELEMENT_ID = 'fc-frame';
/** Names the slot that makes a call from the browser. */
export const SLOT_HEADER = 'X-Forecourt-Slot';
/** Each slot's element: `<div id="slot-results" data-slot="results">`. */
export const slotElementId = (slot: string): string => `slot-${slot}`;
/** The name of a slot as people read it, e.g. 'Model reference'. */
export const slotTitle = (slot: string): string =>
  slot.charAt(0).toUpperCase() + slot.slice(1).replaceAll('-', ' ');

const EVENT_TYPES: readonly string[] = Object.keys(EVENT_SCHEMAS);
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** Server and browser code of a page are one build, so a letter stands for the same event in both. */
const codeOf = (type: string): string | undefined => LETTERS[EVENT_TYPES.indexOf(type)];

/** One letter per event: the lists of a results page take 0.4 KB instead of 2.4 KB. */
export const eventCodes = (types: readonly EventType[]): string => types.map(codeOf).join('');

export function hasEvent(codes: string, type: string): boolean {
  const code = codeOf(type);
  return code !== undefined && codes.includes(code);
}

/** Cookie of the visitor's ZIP: written by the browser, read by the server (AMB-031). */
export const ZIP_COOKIE = 'zip';

/** Where a visitor searches: kept when what they search for is replaced. */
export const PLACE_PARAMS: readonly FilterParam[] = ['zip', 'searchRadius', 'city', 'state', 'area'];

/** Parts of the session that say who the visitor is or what they have saved. */
const PERSONAL = [
  'account',
  'savedListingIds',
  'savedSearchCount',
  'contactedListingIds',
  'wallet',
  'showsPayments',
] as const satisfies readonly (keyof SessionState)[];

/**
 * The state as slots get it that serve several visitors from one process: a release could keep what it reads and show it
 * to the next visitor. Whether the visitor is signed in, their ZIP code and the page's URL stay; the id that the visitor is
 * counted by goes.
 */
export function withoutPersonal(state: RootState): RootState {
  const { session, search } = state;
  const blank = Object.fromEntries(PERSONAL.map((name) => [name, anonymousSession[name]]));
  const { saveSearchData, ...pageData } = search.pageData;
  const { pixallId, ...requestParams } = search.requestParams;
  return {
    ...state,
    session: { ...session, ...blank },
    search: {
      ...search,
      ...(pixallId !== undefined && { requestParams }),
      // Without the visitor's bookmark of this search.
      ...(saveSearchData?.subscribed && { pageData }),
    },
  };
}

/** What `withoutPersonal` left out, for the browser; undefined for an anonymous visitor. */
export function personalPart({ session, search }: RootState): PersonalState | undefined {
  const changed = PERSONAL.filter(
    (name) => JSON.stringify(session[name]) !== JSON.stringify(anonymousSession[name]),
  );
  const { saveSearchData } = search.pageData;
  const isSaved = saveSearchData?.subscribed === true;
  if (changed.length === 0 && !isSaved) return undefined;
  return {
    session: Object.fromEntries(changed.map((name) => [name, session[name]])),
    ...(isSaved && { pageData: search.pageData }),
  };
}
