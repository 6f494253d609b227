import type { Pointers, ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import { readBuiltDirectory } from '@forecourt/cli/release';
import { PointerBoard } from './pointers/pointerBoard.ts';
import { PointerWaits } from './pointers/pointerWaits.ts';
import { type AddOptions, addToStore } from './releases/addToStore.ts';
import type { RegistryStorage } from './storage/registryStorage.ts';

export { RegistryError } from '@forecourt/cli/release';
export { openFileStorage } from './storage/fileStorage.ts';
export type { RegistryStorage } from './storage/registryStorage.ts';

/**
 * Publishes a built directory without the HTTP service, which must not run on
 * the same data at that time. Same checks as over HTTP.
 * @throws RegistryError RELEASE_INVALID, TOO_LARGE, RELEASE_EXISTS
 */
export async function publishToStore(
  store: RegistryStorage,
  directory: string,
  options: Pick<AddOptions, 'brotliQuality'> = {},
): Promise<ReleaseManifest> {
  return addToStore(store.releases, await readBuiltDirectory(directory), options);
}

/**
 * Makes a published version live for everybody; no new revision if it is already.
 * @throws RegistryError UNKNOWN_RELEASE
 */
export function setLive(store: RegistryStorage, name: string, version: string): Promise<Pointers> {
  return new PointerBoard({ ...store, waits: new PointerWaits() }).promote(name, version, {
    origin: { by: 'offline' },
  });
}
