import type { PointerStore } from '../pointers/pointerStore.ts';
import type { ReleaseStore } from '../releases/releaseStore.ts';

/** The registry's whole truth. */
export interface RegistryStorage {
  releases: ReleaseStore;
  pointers: PointerStore;
  /** May other processes move the pointers, too? Then those who wait for a change must look for themselves. */
  isShared: boolean;
}
