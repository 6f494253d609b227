import type { RootState } from '@forecourt/shared-contracts/store';
import type { TesterBoot } from '../overrides/testerBoot.ts';

/** One slot of the page as the server left it. */
export interface BootSlot {
  readonly slot: string;
  /** Remote and module; null for the shell's own slots. */
  readonly remote: string | null;
  readonly expose: string;
  readonly hydrate: 'load' | 'idle' | 'visible' | 'late' | 'need';
  readonly wakes: readonly string[];
  /** `release`: the element holds this release's HTML; `fallback`: the shell's; `none`: nothing yet. */
  readonly rendered: 'release' | 'fallback' | 'none';
  /** What the slot's `load` answered on the server. */
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

/** What the server hands to the browser, as JSON in the page. */
export interface BootData {
  readonly state: RootState;
  readonly slots: readonly BootSlot[];
  readonly remotes: readonly BootRemote[];
  /** One of the shell's own pages: no search runs in it. */
  readonly page?: 'detail';
  /** Only in the pages of testers. */
  readonly tester?: TesterBoot;
  /** Style nonce, for slots that bring their styles later. */
  readonly requestId: string;
}

export const BOOT_ELEMENT_ID = 'fc-boot';
/** Each slot's element: `<div id="slot-results" data-slot="results">`. */
export const slotElementId = (slot: string): string => `slot-${slot}`;
