import type { SlotEnvironment, SlotModule, SlotState } from '@forecourt/slots';
import type { createEventBus, EventBus } from '@forecourt/slots/events';
import type { SiteState, SlotStore } from '@forecourt/slots/state';
import type { BootData, ContentState } from '../universal/bootData.ts';
import type { FramedSlotParts } from './frame/framedSlot.ts';
import type { PageEvents } from './telemetry.ts';

/** Replaces the page by others in place, with their boot data, before the scripts of the page have started. */
export interface EarlyNavigation {
  /** Resolves when no navigation is in flight; from then on, the scripts of the page handle them. */
  readonly handOver: () => Promise<void>;
}

/** What a site tells code that is not trusted with the visitor's own state: frames and recordings of a page. */
export interface PersonalParts {
  /** Events about the visitor. */
  readonly personalEvents: readonly string[];
  /** The state without what is the visitor's own. */
  readonly withoutPersonal: (state: SlotState) => SlotState;
}

/** A page that starts: its slots are mounted next. */
export interface StartingPage {
  readonly boot: BootData;
  readonly store: SlotStore;
  readonly bus: EventBus;
  /** Records telemetry events. */
  readonly pageEvents: PageEvents;
  /** Announces a message to screen readers. */
  readonly announce: (message: string) => void;
}

/** Mounts a slot whose code runs in a frame. */
export type MountFrame = (parts: Omit<FramedSlotParts, 'withoutPersonal'>) => {
  readonly unmount: () => void;
};

/** The engine's port in the browser: what differs from site to site. */
export interface BrowserSite {
  /** Path below which the site's calls and beacons are, e.g. '/library'. */
  readonly root: string;
  /** Schemas of its events by type, with those that every site has. */
  readonly events: Parameters<typeof createEventBus>[0];
  /** Those that are only recorded, e.g. impressions: they cause nothing, so they are part of no loop. */
  readonly recordedEvents?: readonly string[];
  /** Slots whose modules are part of the shell. */
  readonly ownSlots: Readonly<Record<string, SlotModule>>;
  readonly state: Pick<SiteState, 'createStore' | 'changeOf'>;
  /** Adds the visitor's own state, which shared pages leave out; `personal` is the server's. */
  readonly withPersonal: (state: SlotState, personal: object) => SlotState;
  /** Loads the code that mounts slots in frames, which only pages with frames need. */
  readonly loadFrames: () => Promise<{ readonly mountFrame: MountFrame }>;
  /** Loads the content of the current URL, for a page whose content the server no longer stores. Rejects with a `CallError`. */
  readonly loadContent: () => Promise<ContentState>;
  /** Of the inline script; undefined on pages without it. */
  readonly earlyNavigation: () => EarlyNavigation | undefined;
  /** Selects what has the focus after an early navigation removed the focused control. */
  readonly focusFallback: string;
  /** Sent with each batch of telemetry. */
  readonly telemetryOf: (state: SlotState) => Readonly<Record<string, string>>;
  /** Starts what pages do outside of their slots. */
  readonly start: (page: StartingPage) => Pick<SlotEnvironment, 'interceptBack'>;
  /** Runs when the page is idle and its first view interactive. */
  readonly startLate: (store: SlotStore) => void;
}
