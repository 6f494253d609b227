import { FolderBucket } from '@forecourt/service-kit/folderBucket';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import type { Pointers } from '@forecourt/releases/pointers';
import { readBuiltDirectory } from '@forecourt/release-kit/archive';
import type { Scope } from '@forecourt/release-kit/credentials';
import { Credentials } from './access/credentials.ts';
import { credentialEvent, TransparencyLog } from './log/transparencyLog.ts';
import { PointerBoard } from './pointers/pointerBoard.ts';
import { PointerWaits } from './pointers/pointerWaits.ts';
import { type AddOptions, addToStore } from './releases/addToStore.ts';
import type { RegistryStorage } from './ports.ts';
import { openSharedStorage, registryFolder } from './storage/openStorage.ts';

export { RegistryError } from '@forecourt/release-kit/registryError';
export { LOCAL_BROTLI_QUALITY } from './releases/addToStore.ts';
export { openLocalStorage } from './storage/openStorage.ts';
export type { RegistryStorage } from './ports.ts';

/** Opens the migrated tables of a registry in PostgreSQL, with the releases' files in a data folder. */
export const openClusterStorage = async (url: string, dataDir: string): Promise<RegistryStorage> =>
  openSharedStorage({ url }, await FolderBucket.open(registryFolder(dataDir)));

/** Changes made without the service. */
const OFFLINE = 'offline';

/**
 * Publishes a built directory without the HTTP service, which must not use the
 * same data at that time. Applies the same checks as HTTP, except signatures: whoever
 * writes to the storage could change keys as well, and shells verify for themselves.
 * @throws RegistryError RELEASE_INVALID, TOO_LARGE, RELEASE_EXISTS
 */
export async function publishToStore(
  store: RegistryStorage,
  directory: string,
  options: Pick<AddOptions, 'brotliQuality'> = {},
): Promise<ReleaseManifest> {
  return addToStore(store.releases, await readBuiltDirectory(directory), {
    ...options,
    publisher: { by: OFFLINE },
  });
}

/**
 * Issues a credential, replacing the one with that name, and returns its token.
 * For a program that is started together with the service.
 */
export async function issueToken(store: RegistryStorage, name: string, scopes: Scope[]): Promise<string> {
  const caller = { name: OFFLINE, scopes: [{ remote: '*', actions: ['administer' as const] }] };
  const log = await TransparencyLog.open(store.log);
  await log.mustBeWritable();
  const { credential, token } = await new Credentials(store.access).replace(caller, { name, scopes });
  await log.record(credentialEvent('rotate-credential', caller.name, credential));
  return token;
}

/**
 * Makes a published version live for everyone; a no-op if it is live already.
 * @throws RegistryError UNKNOWN_RELEASE
 */
export function setLive(store: RegistryStorage, name: string, version: string): Promise<Pointers> {
  return new PointerBoard({ ...store, waits: new PointerWaits() }).promote(name, version, {
    origin: { by: OFFLINE },
  });
}
