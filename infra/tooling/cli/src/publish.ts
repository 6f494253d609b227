import { type ReleaseManifest, releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import { callRegistry, type RegistryAccess } from './registryClient.ts';
import { packArchive } from './release/archive.ts';
import { readBuiltDirectory } from './release/builtDirectory.ts';
import { verifyRelease } from './release/verifyRelease.ts';

/**
 * Checks a built directory (`release.json`, `web/`, `node/`) and uploads it as
 * one release. Publishing does not make it live: promote it or start a canary.
 * @throws RegistryError RELEASE_INVALID, TOO_LARGE before anything is sent
 * @throws RegistryCallError with the registry's code, e.g. RELEASE_EXISTS
 */
export async function publishRelease({
  directory,
  ...access
}: RegistryAccess & { directory: string }): Promise<ReleaseManifest> {
  const built = await readBuiltDirectory(directory);
  const { manifest } = verifyRelease(built.manifestBytes, built.files);
  const content = await packArchive(directory, Object.keys(manifest.files));
  return callRegistry(
    access,
    {
      method: 'PUT',
      path: `/api/releases/${manifest.name}/${manifest.version}`,
      body: { type: 'application/gzip', content },
    },
    releaseManifestSchema,
  );
}
