import { join } from 'node:path';
import { FilePointerStore } from './filePointerStore.ts';
import { FileReleaseStore } from './fileReleaseStore.ts';
import type { RegistryStorage } from './registryStorage.ts';

/** Opens, and creates when absent, the registry's files below `{dataDir}/registry`. */
export async function openFileStorage(dataDir: string): Promise<RegistryStorage> {
  const root = join(dataDir, 'registry');
  return {
    releases: await FileReleaseStore.open(root),
    pointers: await FilePointerStore.open(root),
    isShared: false,
  };
}
