import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';
import {
  MANIFEST_FILE,
  RegistryError,
  type ReleaseId,
  releaseIdSchema,
  releaseLabel,
} from '@forecourt/cli/release';
import type { ReleaseStore, StoredRelease, CompressedRelease } from '../../releases/releaseStore.ts';
import { atOnce } from './atOnce.ts';
import type { Bucket } from './bucket.ts';

const MARKERS = 'releases/';
const FILES = 'files/';
const markerKey = ({ name, version }: ReleaseId): string => `${MARKERS}${name}/${version}.json`;

const markerSchema = z.union([
  z.object({
    publishedAt: z.iso.datetime(),
    /** Folder below which the files are. */
    files: z.string(),
    brotli: z.record(z.string(), z.number().int().nonnegative()),
    manifest: releaseManifestSchema,
  }),
  /** The files are gone; caches may hold them for a year, so the version never means others. */
  z.object({ removedAt: z.iso.datetime() }),
]);
type Marker = z.infer<typeof markerSchema>;
type CompleteMarker = Extract<Marker, { files: string }>;

const REQUESTS_AT_ONCE = 16;
/** Files this old without a marker belong to no running publisher. */
const ABANDONED_MS = 60 * 60 * 1000;
/** A release seen complete stays so, but for garbage collection, which another process may have done. */
const REMEMBERED_MS = 60 * 1000;
const REMEMBERED_RELEASES = 500;

/**
 * Releases as objects: `files/{name}/{version}/{upload}/…` holds the files of
 * one upload, each written once, and `releases/{name}/{version}.json`, written
 * last and only where nothing is, says which upload it is. That one write makes
 * the release visible and decides between racing publishers; files that no
 * marker names do not exist for anybody.
 */
export class S3ReleaseStore implements ReleaseStore {
  readonly #bucket: Bucket;
  readonly #now: () => Date;
  readonly #remembered = new Map<string, { marker: CompleteMarker; until: number }>();

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
    const found = await atOnce(REQUESTS_AT_ONCE, ids, async (id) => (await this.findRelease(id)) && id);
    return found.filter((id) => id !== undefined);
  }

  async findRelease(id: ReleaseId): Promise<StoredRelease | undefined> {
    const marker = await this.#completeMarker(id);
    return marker && { manifest: marker.manifest, publishedAt: marker.publishedAt, brotli: marker.brotli };
  }

  async #completeMarker(id: ReleaseId): Promise<CompleteMarker | undefined> {
    const label = releaseLabel(id);
    const remembered = this.#remembered.get(label);
    if (remembered && remembered.until > this.#now().getTime()) return remembered.marker;
    this.#remembered.delete(label);
    const marker = (await this.#readMarker(id))?.marker;
    if (!marker || !('files' in marker)) return undefined;
    const oldest = this.#remembered.keys().next();
    if (this.#remembered.size >= REMEMBERED_RELEASES && !oldest.done) this.#remembered.delete(oldest.value);
    this.#remembered.set(label, { marker, until: this.#now().getTime() + REMEMBERED_MS });
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
      `${this.#bucket.nameOf(key)} does not describe ${releaseLabel(id)}`,
      {
        cause: marker.error,
      },
    );
  }

  async addRelease(release: CompressedRelease): Promise<void> {
    const id = release.manifest;
    await this.#refuseIfTaken(id);
    const upload = randomUUID();
    const folder = `${FILES}${id.name}/${id.version}/${upload}/`;
    const writes: [path: string, bytes: Buffer][] = [
      [MANIFEST_FILE, release.manifestBytes],
      ...release.files,
      ...[...release.brotli].map(([path, bytes]): [string, Buffer] => [`${path}.br`, bytes]),
    ];
    try {
      // A refusal is the answer to a repeated request whose first answer was lost: nobody else knows the folder.
      await atOnce(REQUESTS_AT_ONCE, writes, ([path, bytes]) =>
        this.#bucket.write(folder + path, bytes, { ifAbsent: true }),
      );
      const marker: CompleteMarker = {
        publishedAt: this.#now().toISOString(),
        files: folder,
        brotli: Object.fromEntries([...release.brotli].map(([path, bytes]) => [path, bytes.length])),
        manifest: release.manifest,
      };
      const isWritten = await this.#bucket.write(markerKey(id), JSON.stringify(marker), { ifAbsent: true });
      if (!isWritten) await this.#refuseIfTaken(id, folder);
    } catch (error) {
      await this.#removeFiles(folder).catch(() => {
        // The upload's own failure is what counts; what is left is swept when the registry starts.
      });
      throw error;
    }
  }

  /** Throws when the version is used, but for by the upload in `folder`. */
  async #refuseIfTaken(id: ReleaseId, folder?: string): Promise<void> {
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
    this.#remembered.delete(releaseLabel(id));
    const found = await this.#readMarker(id);
    if (!found || !('files' in found.marker)) return;
    const removed: Marker = { removedAt: this.#now().toISOString() };
    // Refused when another process removed it in the meantime.
    await this.#bucket.write(markerKey(id), JSON.stringify(removed), { ifEtag: found.etag });
    await this.#removeFiles(found.marker.files);
  }

  async openFile(id: ReleaseId, path: string, encoding: 'identity' | 'br'): Promise<Readable | undefined> {
    const marker = await this.#completeMarker(id);
    return marker && this.#bucket.open(`${marker.files}${path}${encoding === 'br' ? '.br' : ''}`);
  }

  /** Clears away what publishers left that did not come to their end. */
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
    await atOnce(REQUESTS_AT_ONCE, keys, (key) => this.#bucket.remove(key));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
