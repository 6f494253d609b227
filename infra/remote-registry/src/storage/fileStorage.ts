import { join } from 'node:path';
import type { PointerStore } from '../pointers/pointerStore.ts';
import type { ReleaseStore } from '../releases/releaseStore.ts';
import { FilePointerStore } from './filePointerStore.ts';
import { FileReleaseStore } from './fileReleaseStore.ts';

/** The registry's whole truth. */
export interface RegistryStorage {
  releases: ReleaseStore;
  pointers: PointerStore;
}

/** Opens, and creates when absent, the registry's files below `{dataDir}/registry`. */
export async function openFileStorage(dataDir: string): Promise<RegistryStorage> {
  const root = join(dataDir, 'registry');
  return { releases: await FileReleaseStore.open(root), pointers: await FilePointerStore.open(root) };
}
