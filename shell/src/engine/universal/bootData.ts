import type { SlotState } from '@forecourt/slots';
import type { ResponseFacts } from './responseFacts.ts';

/** One slot of the page as the server left it. */
export interface BootSlot {
  readonly slot: string;
  /** Remote and module; null for the shell's own slots. */
  readonly remote: string | null;
  readonly expose: string;
  readonly hydrate: 'load' | 'idle' | 'visible' | 'afterFirstView' | 'onEvent';
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

/** Parts of the state that depend on what the page shows. */
export type ContentState = Omit<SlotState, 'page' | 'session'>;

/**
 * What the slots of a page show, as they were rendered with it: most of its data, which no script needs before the slots
 * hydrate.
 */
export type PageContent = ContentState & {
  /** Result of each slot's `load` on the server. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** What the server passes to the browser as JSON in the page. Pages are cached: nothing in it may differ per response. */
export interface BootJson {
  /** As slots were rendered with it. */
  readonly state: Omit<SlotState, keyof ContentState>;
  /** The URL of the page's content, or the content itself if it may be personal. */
  readonly content: PageContent | string;
  /** The visitor's own state, as the site left it out of `state` and `content`. Absent for anonymous visitors. */
  readonly personal?: object;
  readonly slots: readonly Omit<BootSlot, 'data'>[];
  readonly remotes: readonly BootRemote[];
  /** Absent on ordinary pages. */
  readonly extension?: BootExtension;
}

/** Everything that a page starts with in the browser. */
export interface BootData extends Omit<BootJson, 'state' | 'content' | 'slots'>, ResponseFacts {
  /** As slots were rendered with it. */
  readonly state: SlotState;
  readonly slots: readonly BootSlot[];
}

export const BOOT_ELEMENT_ID = 'fc-boot';
export const FRAME_ELEMENT_ID = 'fc-frame';
