import type { BootRemote, BootSlot } from '../page/bootData.ts';

/** What a browser boots from when a tester's own build takes the place of a live release. */
export interface LocalBuild {
  readonly remote: BootRemote;
  readonly slots: readonly BootSlot[];
}
