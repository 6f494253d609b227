import type { Readable } from 'node:stream';
import type { ReleaseFiles, ReleaseId, VerifiedRelease } from '@forecourt/cli/release';
import type { ReleaseManifest } from '@forecourt/shared-contracts/slots/release';

/** A verified release with the Brotli form of each file that is smaller that way. */
export interface CompressedRelease extends VerifiedRelease {
  brotli: ReleaseFiles;
}

/** What the store says about a complete release. Dates are ISO 8601 in UTC, sizes are bytes. */
export interface StoredRelease {
  manifest: ReleaseManifest;
  publishedAt: string;
  /** Path to size of the brotli forms. */
  brotli: Readonly<Record<string, number>>;
}

/** Where releases live. A release is either wholly there or not there at all. */
export interface ReleaseStore {
  /** Complete releases only, in no particular order. */
  listReleases(): Promise<ReleaseId[]>;
  /** `undefined` when the release is unknown or incomplete. */
  findRelease(id: ReleaseId): Promise<StoredRelease | undefined>;
  /** Makes the release visible in one step. Throws RELEASE_EXISTS, also for the slower one of two racing publishers. */
  addRelease(release: CompressedRelease): Promise<void>;
  /** Takes a release away, not its version: that is used once. Nobody may point to it. */
  removeRelease(id: ReleaseId): Promise<void>;
  /** `path` must come from the release's manifest. `undefined` when the file has gone. */
  openFile(id: ReleaseId, path: string, encoding: 'identity' | 'br'): Promise<Readable | undefined>;
}
