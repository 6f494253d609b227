import { isDeepStrictEqual, promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { checkStyles } from '@forecourt/releases/checkStyles';
import { describeRefusal } from '@forecourt/releases/gate';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { RegistryError } from '@forecourt/release-kit/registryError';
import { type ReleaseFiles, type ReleaseId, releaseLabel } from '@forecourt/release-kit/releaseFiles';
import type { SignedManifest } from '@forecourt/release-kit/signatures';
import { verifyRelease } from '@forecourt/release-kit/verifyRelease';
import type { Publisher, ReleaseStore } from '../ports.ts';

export interface AddOptions {
  /** 0–11, default 11. */
  brotliQuality?: number;
  /** The release in the request path; the manifest must match. */
  expected?: ReleaseId;
  /** Verified by the caller. */
  signature?: SignedManifest | undefined;
  publisher?: Publisher;
}

/**
 * The only way into a store, over HTTP and offline: verify, reject an existing
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
      `the manifest is for ${releaseLabel(release.manifest)}, the request for ${releaseLabel(expected)}`,
    );
  }
  const [refusal] = checkStyles(release.manifest, (path) => release.files.get(path));
  if (refusal) throw new RegistryError('RELEASE_INVALID', describeRefusal(refusal));
  const existing = await store.findRelease(release.manifest);
  if (existing) {
    // Distinguishes a repeated publish from a missing version bump.
    const same = isDeepStrictEqual(existing.manifest, release.manifest)
      ? 'with the same files'
      : 'with other files';
    throw new RegistryError(
      'RELEASE_EXISTS',
      `${releaseLabel(release.manifest)} is already published, ${same}; a release never changes`,
    );
  }
  const brotli = await precompress(release.files, options.brotliQuality);
  await store.addRelease({
    ...release,
    brotli,
    signature: options.signature,
    publisher: options.publisher,
  });
  return release.manifest;
}

const compress = promisify(brotliCompress);

const COMPRESSIBLE = /\.(?:js|css|json|svg)$/;
/** Above this size, quality 11 costs seconds for one or two percent. */
const LARGE_BYTES = 1_000_000;
const LARGE_QUALITY = 9;
const DEFAULT_BROTLI_QUALITY = 11;
/** Compresses about fifty times faster: for releases that no visitor's connection waits for. */
export const LOCAL_BROTLI_QUALITY = 5;

/** zlib and the file system share a pool of four threads; two stay free for serving files. */
const CONCURRENCY = 2;

const compressFile = (bytes: Buffer, quality: number): Promise<Buffer> =>
  compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]:
        bytes.length < LARGE_BYTES ? quality : Math.min(quality, LARGE_QUALITY),
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

/**
 * Compresses the text files once, when they are published. A result that is not
 * smaller than its original is left out.
 */
export async function precompress(
  files: ReleaseFiles,
  quality: number = DEFAULT_BROTLI_QUALITY,
): Promise<ReleaseFiles> {
  const forms = new Map<string, Buffer>();
  const queue = [...files].filter(([path]) => COMPRESSIBLE.test(path)).values();
  const work = async (): Promise<void> => {
    // All workers share one iterator.
    for (const [path, bytes] of queue) {
      const form = await compressFile(bytes, quality);
      if (form.length < bytes.length) forms.set(path, form);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return forms;
}
