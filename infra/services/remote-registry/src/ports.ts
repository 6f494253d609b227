import type { Readable } from 'node:stream';
import { commitSchema } from '@forecourt/release-kit/archive';
import { credentialSchema } from '@forecourt/release-kit/credentials';
import {
  holdsSchema,
  type PointerChange,
  pointerChangeSchema,
} from '@forecourt/release-kit/registryResponses';
import type { ReleaseFiles, ReleaseId, VerifiedRelease } from '@forecourt/release-kit/releaseFiles';
import { type SignedManifest, signingKeySchema } from '@forecourt/release-kit/signatures';
import { type ReleaseManifest, remoteNameSchema, versionSchema } from '@forecourt/releases/manifest';
import { pointersSchema } from '@forecourt/releases/pointers';
import { z } from 'zod';

/** Who published a release, and from which commit. */
export const publisherSchema = z.object({ by: z.string(), commit: commitSchema.optional() });
export type Publisher = z.infer<typeof publisherSchema>;

/** A verified release with the Brotli form of each file that is smaller that way. */
export interface CompressedRelease extends VerifiedRelease {
  brotli: ReleaseFiles;
  publisher?: Publisher | undefined;
  /** Verified when it was published. */
  signature?: SignedManifest | undefined;
}

/** A complete release in the store. Dates are ISO 8601 in UTC, sizes are bytes. */
export interface StoredRelease {
  manifest: ReleaseManifest;
  publishedAt: string;
  /** Path to size of the Brotli forms. */
  brotli: Readonly<Record<string, number>>;
  signature?: SignedManifest | undefined;
  /** Absent in releases that were published before it was stored. */
  publisher?: Publisher | undefined;
}

/** Storage of releases. A release is either complete or absent. */
export interface ReleaseStore {
  /** Complete releases only, in no particular order. */
  listReleases(): Promise<ReleaseId[]>;
  /** `undefined` when the release is unknown or incomplete. */
  findRelease(id: ReleaseId): Promise<StoredRelease | undefined>;
  /** Makes the release visible atomically. Throws RELEASE_EXISTS, also for the loser of two concurrent publishes. */
  addRelease(release: CompressedRelease): Promise<void>;
  /** Removes a release that no pointer names. Its version cannot be used again. */
  removeRelease(id: ReleaseId): Promise<void>;
  /** `path` must come from the release's manifest. `undefined` when the file no longer exists. */
  openFile(id: ReleaseId, path: string, encoding: 'identity' | 'br'): Promise<Readable | undefined>;
}

/** The pointers, their last change, and the previous live versions for rollbacks, oldest first. */
export const pointerRecordSchema = pointersSchema.extend({
  change: pointerChangeSchema.optional(),
  history: z.record(
    remoteNameSchema,
    z.array(z.object({ version: versionSchema, replacedAt: z.iso.datetime() })),
  ),
  /** Remotes whose pointer may only go back. */
  holds: holdsSchema.shape.holds.optional(),
});
export type PointerRecord = z.infer<typeof pointerRecordSchema>;

export const emptyPointers: PointerRecord = { revision: 0, remotes: {}, history: {} };

/** Storage of the pointers. */
export interface PointerStore {
  readPointers(): Promise<PointerRecord>;
  /**
   * Compare-and-set: throws REVISION_CHANGED unless the stored record still has
   * `expectedRevision`. First appends the replaced record's change to the history,
   * so that a crash neither loses an entry nor adds one for a failed write.
   */
  writePointers(next: PointerRecord, expectedRevision: number): Promise<void>;
  /** Changes before `beforeRevision` (default: all), newest first, at most `limit`. Append-only. */
  readChanges(options: { limit: number; beforeRevision?: number | undefined }): Promise<PointerChange[]>;
}

/** SHA-256 in hexadecimal. */
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** Tokens are random 256-bit values, so a plain hash of them can't be reversed by guessing. */
const storedCredentialSchema = credentialSchema.extend({ tokenHash: sha256Schema });
export type StoredCredential = z.infer<typeof storedCredentialSchema>;

/** Who may do what. */
export const accessRecordSchema = z.object({
  revision: z.number().int().nonnegative(),
  credentials: z.array(storedCredentialSchema),
  keys: z.array(signingKeySchema).default([]),
  /** Tokens of CI runs that were exchanged and have not expired yet; each is accepted once. */
  exchanged: z.array(z.object({ tokenId: sha256Schema, until: z.iso.datetime() })).default([]),
});
export type AccessRecord = z.infer<typeof accessRecordSchema>;

export const emptyAccess: AccessRecord = { revision: 0, credentials: [], keys: [], exchanged: [] };

/** Storage of the access record, readable by the registry's own user only. */
export interface AccessStore {
  readAccess(): Promise<AccessRecord>;
  /** Compare-and-set: throws REVISION_CHANGED unless the stored record still has `expectedRevision`. */
  writeAccess(next: AccessRecord, expectedRevision: number): Promise<void>;
}

/** Storage of the transparency log: texts by sequence, each written once. */
export interface LogStore {
  /** Entries after `after` in order, at most `limit`. */
  readEntries(after: number, limit: number): Promise<string[]>;
  /** Returns false when the entry exists already. */
  appendEntry(sequence: number, text: string): Promise<boolean>;
}

/** Everything that the registry stores. */
export interface RegistryStorage {
  releases: ReleaseStore;
  pointers: PointerStore;
  access: AccessStore;
  log: LogStore;
  /** Whether other processes may move the pointers, so that waiting requests must poll for changes. */
  isShared: boolean;
  /** Ends connections, after the last request. */
  close?: () => Promise<void>;
}

/** Runs jobs one after another; a failed job does not block the next. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(job: () => Promise<T>): Promise<T> {
    const turn = this.#tail.then(job, job);
    this.#tail = turn.catch(() => undefined);
    return turn;
  }
}
