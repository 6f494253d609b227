import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { hasCode, RegistryError } from '@forecourt/release-kit/registryError';
import {
  MANIFEST_FILE,
  type ReleaseId,
  releaseIdSchema,
  releaseLabel,
} from '@forecourt/release-kit/releaseFiles';
import { signedManifestSchema } from '@forecourt/release-kit/signatures';
import type { Bucket } from '@forecourt/service-kit/bucket';
import type { Sql } from '@forecourt/service-kit/sql';
import { releaseManifestSchema } from '@forecourt/releases/manifest';
import { z } from 'zod';
import { type CompressedRelease, publisherSchema, type ReleaseStore, type StoredRelease } from '../ports.ts';
import { parseRow } from './sqlRecords.ts';

/** Body of a release's row. */
export const releaseRowSchema = z.object({
  manifest: releaseManifestSchema,
  publishedAt: z.iso.datetime(),
  /** Folder of the release's files in the bucket, with a '/' at its end. */
  files: z.string(),
  brotli: z.record(z.string(), z.number().int().nonnegative()),
  signature: signedManifestSchema.optional(),
  publisher: publisherSchema.optional(),
});
export type ReleaseRow = z.infer<typeof releaseRowSchema>;

const FILES = 'files/';

/** A folder for one upload of a release. */
export const uploadFolder = ({ name, version }: ReleaseId): string =>
  `${FILES}${name}/${version}/${randomUUID()}/`;

/** Key of a file below the folder of its release. */
export const fileKey = (path: string, encoding: 'identity' | 'br'): string =>
  encoding === 'br' ? `${path}.br` : path;

const CONCURRENT_WRITES = 16;
/** Older files without a row belong to crashed publishes. */
const ABANDONED_MS = 60 * 60 * 1000;
/** A complete release changes only when another process collects garbage. */
const CACHE_MS = 60 * 1000;
const MAX_CACHED_RELEASES = 500;

/**
 * Releases as rows, with their files in a bucket below a folder per upload. The row is inserted last: it makes the release
 * visible, and its key decides between concurrent publishes. Files without a row are invisible. A row without a body is
 * that of a removed release: caches may hold its files for a year, so the version cannot be used again.
 */
export class BucketReleaseStore implements ReleaseStore {
  readonly #sql: Sql;
  readonly #bucket: Bucket;
  readonly #now: () => Date;
  readonly #cache = new Map<string, { row: ReleaseRow; until: number }>();

  constructor(sql: Sql, bucket: Bucket, now: () => Date = () => new Date()) {
    this.#sql = sql;
    this.#bucket = bucket;
    this.#now = now;
  }

  async listReleases(): Promise<ReleaseId[]> {
    const rows = await this.#sql.all('SELECT name, version FROM release WHERE body IS NOT NULL');
    return z.array(releaseIdSchema).parse(rows);
  }

  async findRelease(id: ReleaseId): Promise<StoredRelease | undefined> {
    const row = await this.#findRow(id);
    if (!row) return undefined;
    const { files: _, ...release } = row;
    return release;
  }

  async #findRow(id: ReleaseId): Promise<ReleaseRow | undefined> {
    const label = releaseLabel(id);
    const cached = this.#cache.get(label);
    if (cached && cached.until > this.#now().getTime()) return cached.row;
    this.#cache.delete(label);
    const text = 'SELECT body FROM release WHERE name = ? AND version = ? AND body IS NOT NULL';
    const stored = await this.#sql.get<{ body: string }>(text, id.name, id.version);
    if (!stored) return undefined;
    const row = parseRow(label, stored.body, releaseRowSchema);
    const oldest = this.#cache.keys().next();
    if (this.#cache.size >= MAX_CACHED_RELEASES && !oldest.done) this.#cache.delete(oldest.value);
    this.#cache.set(label, { row, until: this.#now().getTime() + CACHE_MS });
    return row;
  }

  async addRelease(release: CompressedRelease): Promise<void> {
    const { manifest, signature, publisher } = release;
    await this.#rejectIfTaken(manifest);
    const files = uploadFolder(manifest);
    const writes: [key: string, bytes: Buffer][] = [
      [MANIFEST_FILE, release.manifestBytes],
      ...release.files,
      ...[...release.brotli].map(([path, bytes]): [string, Buffer] => [fileKey(path, 'br'), bytes]),
    ];
    const row: ReleaseRow = {
      manifest,
      publishedAt: this.#now().toISOString(),
      files,
      brotli: Object.fromEntries([...release.brotli].map(([path, bytes]) => [path, bytes.length])),
      signature,
      publisher,
    };
    try {
      await runWithLimit(CONCURRENT_WRITES, writes, ([key, bytes]) => this.#bucket.put(files + key, bytes));
      const insert = 'INSERT INTO release (name, version, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
      const { name, version } = manifest;
      if ((await this.#sql.run(insert, name, version, JSON.stringify(row))) === 0)
        await this.#rejectIfTaken(manifest, files);
    } catch (error) {
      // The row may have been inserted all the same; if it was not, the next start sweeps the files.
      if (hasCode(error, 'DATABASE_UNAVAILABLE')) throw error;
      await this.#removeFiles(files).catch(() => {
        // Report the upload's own failure; the next start sweeps the leftovers.
      });
      throw error;
    }
  }

  /** Throws if the version is taken, unless by the upload in `files`: its insert succeeded, but the response was lost. */
  async #rejectIfTaken(id: ReleaseId, files?: string): Promise<void> {
    const text = 'SELECT body FROM release WHERE name = ? AND version = ?';
    const stored = await this.#sql.get<{ body: string | null }>(text, id.name, id.version);
    if (!stored) return;
    const isOwn = files !== undefined && (await this.#findRow(id))?.files === files;
    if (isOwn) return;
    throw new RegistryError(
      'RELEASE_EXISTS',
      stored.body === null
        ? `${releaseLabel(id)} was published and removed; a version is used once`
        : `${releaseLabel(id)} is already published`,
    );
  }

  async removeRelease(id: ReleaseId): Promise<void> {
    const row = await this.#findRow(id);
    this.#cache.delete(releaseLabel(id));
    await this.#sql.run('UPDATE release SET body = NULL WHERE name = ? AND version = ?', id.name, id.version);
    // After a crash, the next start sweeps them.
    if (row) await this.#removeFiles(row.files);
  }

  async openFile(id: ReleaseId, path: string, encoding: 'identity' | 'br'): Promise<Readable | undefined> {
    const row = await this.#findRow(id);
    return row && this.#bucket.open(row.files + fileKey(path, encoding));
  }

  /**
   * Removes the files of publishes that did not finish, and of removed releases. Nothing while there is no release at all:
   * files beside an empty database are rather those of a lost one.
   */
  async sweep(): Promise<void> {
    if ((await this.listReleases()).length === 0) return;
    const newest = new Map<string, number>();
    for await (const { key, writtenAt } of this.#bucket.list(FILES)) {
      const folder = `${key.split('/').slice(0, 4).join('/')}/`;
      newest.set(folder, Math.max(newest.get(folder) ?? 0, writtenAt?.getTime() ?? Infinity));
    }
    const old = this.#now().getTime() - ABANDONED_MS;
    for (const [folder, at] of newest) {
      const [, name, version] = folder.split('/');
      const id = releaseIdSchema.safeParse({ name, version });
      if (at > old || !id.success) continue;
      if ((await this.#findRow(id.data))?.files !== folder) await this.#removeFiles(folder);
    }
  }

  async #removeFiles(folder: string): Promise<void> {
    const keys: string[] = [];
    for await (const { key } of this.#bucket.list(folder)) keys.push(key);
    await runWithLimit(CONCURRENT_WRITES, keys, (key) => this.#bucket.remove(key));
  }
}

/**
 * Runs `work` on all items with limited concurrency. After a failure it starts no further item and rejects once the
 * running ones have ended.
 */
async function runWithLimit<T>(
  limit: number,
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = [...items].values();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    // All workers share one iterator.
    for (const item of queue) {
      if (hasFailed) return;
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: limit }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
