import { checkManifest, type Provides, type Refusal } from '@forecourt/shared-contracts/slots/gate';
import { releaseManifestSchema, type ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import { readBuiltDirectory } from './release/builtDirectory.ts';
import { RegistryError } from './release/errors.ts';
import { verifyRelease } from './release/verifyRelease.ts';

function readManifest(bytes: Buffer): ReleaseManifest | undefined {
  try {
    return releaseManifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // `verifyRelease` reports what is wrong with it.
    return undefined;
  }
}

/** Checks a local build without running it and collects every refusal. `release` is undefined without a manifest. */
export async function checkBuild(
  directory: string,
  provides: Provides,
): Promise<{ release: string | undefined; refusals: Refusal[] }> {
  let manifest: ReleaseManifest | undefined;
  const refusals: Refusal[] = [];
  try {
    const { manifestBytes, files } = await readBuiltDirectory(directory);
    manifest = readManifest(manifestBytes);
    verifyRelease(manifestBytes, files);
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
    refusals.push({
      rule: 'FILES_UNUSABLE',
      expected: 'a build whose files are those of its release.json',
      found: `${error.code}: ${error.message}`,
      remedy: 'build the remote again: `npm run build -w REMOTE`',
    });
  }
  if (manifest) refusals.push(...checkManifest(manifest, provides));
  return { release: manifest && `${manifest.name}@${manifest.version}`, refusals };
}
