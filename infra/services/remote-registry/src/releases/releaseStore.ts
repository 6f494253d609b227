import type { Readable } from 'node:stream';
import {
  remoteNameSchema,
  type ReleaseManifest,
  versionSchema,
} from '@forecourt/shared-contracts/slots/release';
import semver from 'semver';
import { z } from 'zod';

/** Path inside the release, as the manifest names it, to the file's bytes. */
export type ReleaseFiles = ReadonlyMap<string, Buffer>;

/** A release whose every file has been checked against its manifest. */
export interface VerifiedRelease {
  manifest: ReleaseManifest;
  /** `release.json` byte for byte as published. */
  manifestBytes: Buffer;
  files: ReleaseFiles;
  /** Brotli form of those files for which it is smaller. */
  brotli: ReleaseFiles;
}

/** What the store says about a complete release. Dates are ISO 8601 in UTC, sizes are bytes. */
export interface StoredRelease {
  manifest: ReleaseManifest;
  publishedAt: string;
  /** Path to size of the brotli forms. */
  brotli: Readonly<Record<string, number>>;
}

/**
 * Names its directory or key is built from: the shape of the contract, and a
 * version that semver can order ('01.0.0' it cannot).
 */
export const releaseIdSchema = z.object({
  name: remoteNameSchema,
  version: versionSchema.refine((version) => semver.valid(version) === version, 'must be a semantic version'),
});
export type ReleaseId = z.infer<typeof releaseIdSchema>;

export const releaseLabel = ({ name, version }: ReleaseId): string => `${name}@${version}`;

/** Where releases live. A release is either wholly there or not there at all. */
export interface ReleaseStore {
  /** Complete releases only, in no particular order. */
  listReleases(): Promise<ReleaseId[]>;
  /** `undefined` when the release is unknown or incomplete. */
  findRelease(id: ReleaseId): Promise<StoredRelease | undefined>;
  /** Makes the release visible in one step. Throws RELEASE_EXISTS, also for the slower one of two racing publishers. */
  addRelease(release: VerifiedRelease): Promise<void>;
  /** Takes a release away, not its version: that is used once. Nobody may point to it. */
  removeRelease(id: ReleaseId): Promise<void>;
  /** `path` must come from the release's manifest. `undefined` when the file has gone. */
  openFile(id: ReleaseId, path: string, encoding: 'identity' | 'br'): Promise<Readable | undefined>;
}
