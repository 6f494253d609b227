import { isDeepStrictEqual } from 'node:util';
import type { ReleaseManifest } from '@forecourt/shared-contracts/slots/release';
import {
  RegistryError,
  type ReleaseFiles,
  type ReleaseId,
  releaseLabel,
  verifyRelease,
} from '@forecourt/cli/release';
import { precompress } from './precompress.ts';
import type { ReleaseStore } from './releaseStore.ts';

export interface AddOptions {
  /** 0–11, default 11. */
  brotliQuality?: number;
  /** The release the publisher says it sends; the manifest must agree. */
  expected?: ReleaseId;
}

/**
 * The one way into a store, over HTTP and offline: verify, refuse a known
 * version, precompress, store.
 * @throws RegistryError RELEASE_INVALID, TOO_LARGE, RELEASE_EXISTS
 */
export async function addToStore(
  store: ReleaseStore,
  upload: { manifestBytes: Buffer; files: ReleaseFiles },
  options: AddOptions = {},
): Promise<ReleaseManifest> {
  const release = verifyRelease(upload.manifestBytes, upload.files);
  const { expected } = options;
  if (expected && releaseLabel(expected) !== releaseLabel(release.manifest)) {
    throw new RegistryError(
      'RELEASE_INVALID',
      `the manifest is of ${releaseLabel(release.manifest)}, the request of ${releaseLabel(expected)}`,
    );
  }
  const known = await store.findRelease(release.manifest);
  if (known) {
    // Says at once whether somebody repeats a publish or forgot to raise the version.
    const same = isDeepStrictEqual(known.manifest, release.manifest)
      ? 'with the same files'
      : 'with other files';
    throw new RegistryError(
      'RELEASE_EXISTS',
      `${releaseLabel(release.manifest)} is already published, ${same}; a release never changes`,
    );
  }
  const brotli = await precompress(release.files, options.brotliQuality);
  await store.addRelease({ ...release, brotli });
  return release.manifest;
}
