import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';
import { RegistryError } from '@forecourt/release-kit/registryError';
import {
  MANIFEST_FILE,
  type ReleaseId,
  releaseIdSchema,
  releaseLabel,
} from '@forecourt/release-kit/releaseFiles';
import { signedManifestSchema } from '@forecourt/release-kit/signatures';
import {
  publisherSchema,
  type ReleaseStore,
  type StoredRelease,
  type CompressedRelease,
} from '../../ports.ts';
import type { Bucket } from '@forecourt/service-kit/bucket';

const MARKERS = 'releases/';
const FILES = 'files/';
const markerKey = ({ name, version }: ReleaseId): string => `${MARKERS}${name}/${version}.json`;

const markerSchema = z.union([
  z.object({
    publishedAt: z.iso.datetime(),
    /** Folder of the files. */
    files: z.string(),
    brotli: z.record(z.string(), z.number().int().nonnegative()),
    manifest: releaseManifestSchema,
    signature: signedManifestSchema.optional(),
    publisher: publisherSchema.optional(),
  }),
  /** Removed; caches may hold the files for a year, so the version cannot be used again. */
  z.object({ removedAt: z.iso.datetime() }),
]);
type Marker = z.infer<typeof markerSchema>;
type CompleteMarker = Extract<Marker, { files: string }>;

const CONCURRENT_REQUESTS = 16;
/** Older files without a marker belong to crashed publishes. */
const ABANDONED_MS = 60 * 60 * 1000;
/** A complete release changes only when another process collects garbage. */
const CACHE_MS = 60 * 1000;
const MAX_CACHED_RELEASES = 500;

/**
 * Releases as objects: `files/{name}/{version}/{upload}/…` holds the files of one
 * upload, each written once. The marker `releases/{name}/{version}.json`, written
 * last and only if absent, names the upload. That write makes the release visible
 * and decides between concurrent publishes; files without a marker are invisible.
 */
export class S3ReleaseStore implements ReleaseStore {
  readonly #bucket: Bucket;
  readonly #now: () => Date;
  readonly #cache = new Map<string, { marker: CompleteMarker; until: number }>();

  constructor(bucket: Bucket, now: () => Date = () => new Date()) {
    this.#bucket = bucket;
    this.#now = now;
  }

  async listReleases(): Promise<ReleaseId[]> {
    const ids: ReleaseId[] = [];
    for await (const { key } of this.#bucket.list(MARKERS)) {
      const [name, file = ''] = key.slice(MARKERS.length).split('/');
      const id = releaseIdSchema.safeParse({ name, version: file.replace(/\.json$/, '') });
      if (id.success && markerKey(id.data) === key) ids.push(id.data);
    }
    const found = await runWithLimit(
      CONCURRENT_REQUESTS,
      ids,
      async (id) => (await this.findRelease(id)) && id,
    );
    return found.filter((id) => id !== undefined);
  }

  async findRelease(id: ReleaseId): Promise<StoredRelease | undefined> {
    const marker = await this.#completeMarker(id);
    if (!marker) return undefined;
    const { manifest, publishedAt, brotli, signature, publisher } = marker;
    return {
      manifest,
      publishedAt,
      brotli,
      ...(signature && { signature }),
      ...(publisher && { publisher }),
    };
  }

  async #completeMarker(id: ReleaseId): Promise<CompleteMarker | undefined> {
    const label = releaseLabel(id);
    const cached = this.#cache.get(label);
    if (cached && cached.until > this.#now().getTime()) return cached.marker;
    this.#cache.delete(label);
    const marker = (await this.#readMarker(id))?.marker;
    if (!marker || !('files' in marker)) return undefined;
    const oldest = this.#cache.keys().next();
    if (this.#cache.size >= MAX_CACHED_RELEASES && !oldest.done) this.#cache.delete(oldest.value);
    this.#cache.set(label, { marker, until: this.#now().getTime() + CACHE_MS });
    return marker;
  }

  async #readMarker(id: ReleaseId): Promise<{ marker: Marker; etag: string } | undefined> {
    const key = markerKey(id);
    const stored = await this.#bucket.read(key);
    if (!stored) return undefined;
    const marker = markerSchema.safeParse(parseJson(stored.text));
    const isThis =
      marker.success &&
      (!('manifest' in marker.data) || releaseLabel(marker.data.manifest) === releaseLabel(id));
    if (isThis) return { marker: marker.data, etag: stored.etag };
    throw new RegistryError(
      'STORAGE_DAMAGED',
      `${this.#bucket.urlOf(key)} does not describe ${releaseLabel(id)}`,
      {
        cause: marker.error,
      },
    );
  }

  async addRelease(release: CompressedRelease): Promise<void> {
    const id = release.manifest;
    await this.#rejectIfTaken(id);
    const upload = randomUUID();
    const folder = `${FILES}${id.name}/${id.version}/${upload}/`;
    const writes: [path: string, bytes: Buffer][] = [
      [MANIFEST_FILE, release.manifestBytes],
      ...release.files,
      ...[...release.brotli].map(([path, bytes]): [string, Buffer] => [`${path}.br`, bytes]),
    ];
    try {
      // A refusal means a retry after a lost response: the folder is unique to this upload.
      await runWithLimit(CONCURRENT_REQUESTS, writes, ([path, bytes]) =>
        this.#bucket.write(folder + path, bytes, { ifAbsent: true }),
      );
      const marker: CompleteMarker = {
        publishedAt: this.#now().toISOString(),
        files: folder,
        brotli: Object.fromEntries([...release.brotli].map(([path, bytes]) => [path, bytes.length])),
        manifest: release.manifest,
        signature: release.signature,
        publisher: release.publisher,
      };
      const isWritten = await this.#bucket.write(markerKey(id), JSON.stringify(marker), { ifAbsent: true });
      if (!isWritten) await this.#rejectIfTaken(id, folder);
    } catch (error) {
      await this.#removeFiles(folder).catch(() => {
        // Report the upload's own failure; the next start sweeps the leftovers.
      });
      throw error;
    }
  }

  /** Throws if the version is taken, unless by the upload in `folder`. */
  async #rejectIfTaken(id: ReleaseId, folder?: string): Promise<void> {
    const marker = (await this.#readMarker(id))?.marker;
    if (!marker || ('files' in marker && marker.files === folder)) return;
    throw new RegistryError(
      'RELEASE_EXISTS',
      'files' in marker
        ? `${releaseLabel(id)} is already published`
        : `${releaseLabel(id)} was published and removed; a version is used once`,
    );
  }

  async removeRelease(id: ReleaseId): Promise<void> {
    this.#cache.delete(releaseLabel(id));
    const found = await this.#readMarker(id);
    if (!found || !('files' in found.marker)) return;
    const removed: Marker = { removedAt: this.#now().toISOString() };
    // Refused if another process has removed it.
    await this.#bucket.write(markerKey(id), JSON.stringify(removed), { ifEtag: found.etag });
    await this.#removeFiles(found.marker.files);
  }

  async openFile(id: ReleaseId, path: string, encoding: 'identity' | 'br'): Promise<Readable | undefined> {
    const marker = await this.#completeMarker(id);
    return marker && this.#bucket.open(`${marker.files}${path}${encoding === 'br' ? '.br' : ''}`);
  }

  /** Removes the files of publishes that did not finish. */
  async sweep(): Promise<void> {
    const newest = new Map<string, number>();
    for await (const { key, writtenAt } of this.#bucket.list(FILES)) {
      const folder = key.split('/').slice(0, 4).join('/');
      newest.set(folder, Math.max(newest.get(folder) ?? 0, writtenAt?.getTime() ?? Infinity));
    }
    const old = this.#now().getTime() - ABANDONED_MS;
    for (const [folder, at] of newest) {
      const [, name, version] = folder.split('/');
      const id = releaseIdSchema.safeParse({ name, version });
      if (at > old || !id.success) continue;
      const marker = (await this.#readMarker(id.data))?.marker;
      if (marker && 'files' in marker && marker.files === `${folder}/`) continue;
      await this.#removeFiles(`${folder}/`);
    }
  }

  async #removeFiles(folder: string): Promise<void> {
    const keys: string[] = [];
    for await (const { key } of this.#bucket.list(folder)) keys.push(key);
    await runWithLimit(CONCURRENT_REQUESTS, keys, (key) => this.#bucket.remove(key));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Runs `work` on all items with limited concurrency; results are in the order of
 * the items. After a failure it starts no further item and rejects once the
 * running ones have ended.
 */
export async function runWithLimit<T, R>(
  limit: number,
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items].entries();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    // All workers share one iterator.
    for (const [index, item] of queue) {
      if (hasFailed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: limit }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}
