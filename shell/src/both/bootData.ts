import type { RootState, SessionState } from '@forecourt/shared-contracts/store';

/** One slot of the page as the server left it. */
export interface BootSlot {
  readonly slot: string;
  /** Remote and module; null for the shell's own slots. */
  readonly remote: string | null;
  readonly expose: string;
  readonly hydrate: 'load' | 'idle' | 'visible' | 'late' | 'need';
  readonly wakes: readonly string[];
  /** What the element contains: the release's HTML, the shell's fallback, or nothing. */
  readonly rendered: 'release' | 'fallback' | 'none';
  /** Result of the slot's `load` on the server. */
  readonly data: unknown;
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

/** A release of the page's snapshot, as the browser's federation runtime needs it. */
export interface BootRemote {
  readonly name: string;
  readonly version: string;
  /** URL of the container entry. */
  readonly entry: string;
  /** URL of each script and style of the release to its Subresource Integrity. */
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

/** What the server passes to the browser as JSON in the page. Pages are cached: nothing in it may differ per response. */
export interface PageData {
  /** As slots were rendered with it. */
  readonly state: RootState;
  /** Absent for anonymous visitors. */
  readonly personal?: PersonalState;
  readonly slots: readonly BootSlot[];
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
}

export type BootData = PageData & PageView;

const REQUEST_METRIC = 'request';
const CLAIM_METRIC = 'claim';

/** The value of Server-Timing. `outcome`: how the page was made. */
export const serverTimingOf = (outcome: string, { requestId, failureClaim }: PageView): string =>
  [
    `page;desc="${outcome}"`,
    `${REQUEST_METRIC};desc="${requestId}"`,
    ...(failureClaim === '' ? [] : [`${CLAIM_METRIC};desc="${failureClaim}"`]),
  ].join(', ');

/** Reads the page view of a navigation. Browsers without Server-Timing report without a claim, which doesn't count. */
export function readPageView(
  timings: readonly { readonly name: string; readonly description: string }[] = [],
): PageView {
  const read = (metric: string) => timings.find(({ name }) => name === metric)?.description ?? '';
  return { requestId: read(REQUEST_METRIC), failureClaim: read(CLAIM_METRIC) };
}

export const BOOT_ELEMENT_ID = 'fc-boot';
/** Each slot's element: `<div id="slot-results" data-slot="results">`. */
export const slotElementId = (slot: string): string => `slot-${slot}`;
