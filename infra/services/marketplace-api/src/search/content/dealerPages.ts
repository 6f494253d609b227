import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bucket } from '@forecourt/service-kit/bucket';

/** HTML that dealers wrote themselves, unsanitized. */
export interface DealerPages {
  /** Undefined for a dealer without any. @throws DealerPagesUnavailable */
  read(ownerId: string): Promise<string | undefined>;
}

/** The bucket refuses, or does not respond in time. */
export class DealerPagesUnavailable extends Error {
  readonly code = 'DEALER_PAGES_UNAVAILABLE';
}

/** Path of a dealer's page; undefined for an id that can't be a file's name. */
const pathOf = (ownerId: string): string | undefined =>
  /^[\w-]{1,64}$/.test(ownerId) ? `content/dealer_diff/${ownerId}.html` : undefined;

/** In a folder: `content/dealer_diff/o1.html`. */
export const createDealerPageFolder = (root: string): DealerPages => ({
  async read(ownerId) {
    const path = pathOf(ownerId);
    if (path === undefined) return undefined;
    try {
      return await readFile(join(root, path), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  },
});

/** ms; as long as for a photo. */
const READ_MS = 3_000;

/** In a bucket, under the paths of the folder. */
export const createDealerPageBucket = (bucket: Bucket, readMs = READ_MS): DealerPages => ({
  async read(ownerId) {
    const path = pathOf(ownerId);
    if (path === undefined) return undefined;
    try {
      return (await bucket.readBytes(path, readMs))?.toString();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new DealerPagesUnavailable(`${bucket.urlOf(path)} could not be read: ${reason}`, {
        cause: error,
      });
    }
  },
});
