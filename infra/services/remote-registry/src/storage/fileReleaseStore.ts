import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';
import { hasCode, RegistryError } from '@forecourt/release-kit/registryError';
import {
  MANIFEST_FILE,
  type ReleaseId,
  releaseIdSchema,
  releaseLabel,
} from '@forecourt/release-kit/releaseFiles';
import { signedManifestSchema } from '@forecourt/release-kit/signatures';
import {
  type CompressedRelease,
  publisherSchema,
  type ReleaseStore,
  SerialQueue,
  type StoredRelease,
} from '../ports.ts';
import { syncFolder, writeNewFile } from './filePointerStore.ts';

const MARKER_FILE = '.complete';
/** Marks a removed release: caches may hold its files for a year, so the version cannot be used again. */
const REMOVED_FILE = '.removed';
const markerSchema = z.object({
  publishedAt: z.iso.datetime(),
  brotli: z.record(z.string(), z.number().int().nonnegative()),
  signature: signedManifestSchema.optional(),
  publisher: publisherSchema.optional(),
});

/** Older drafts belong to crashed publishes. */
const ABANDONED_MS = 60 * 60 * 1000;
/** Releases whose manifest is cached in memory. */
const MAX_CACHED_RELEASES = 500;
const CONCURRENT_WRITES = 16;

/**
 * Releases as folders: `{root}/releases/{name}/{version}/` holds the files,
 * `release.json` and `.complete`. A release is written to `{root}/drafts/` and
 * synced, the marker last, then renamed to its final place. The rename fails if the
 * place is taken, which decides between concurrent publishes, also of several
 * processes. A folder without a marker (an interrupted copy, for example) is
 * invisible to readers and is replaced by a publish.
 */
export class FileReleaseStore implements ReleaseStore {
  readonly #releases: string;
  readonly #drafts: string;
  readonly #now: () => Date;
  readonly #cache = new Map<string, StoredRelease>();
  readonly #placing = new SerialQueue();

  private constructor(root: string, now: () => Date) {
    this.#releases = join(root, 'releases');
    this.#drafts = join(root, 'drafts');
    this.#now = now;
  }

  /** Creates missing folders and removes the drafts of crashed publishes. */
  static async open(root: string, now: () => Date = () => new Date()): Promise<FileReleaseStore> {
    const store = new FileReleaseStore(root, now);
    await mkdir(store.#releases, { recursive: true });
    await mkdir(store.#drafts, { recursive: true });
    await store.#removeAbandonedDrafts();
    return store;
  }

  async listReleases(): Promise<ReleaseId[]> {
    const ids: ReleaseId[] = [];
    for (const name of await readdir(this.#releases)) {
      if (!releaseIdSchema.shape.name.safeParse(name).success) continue;
      for (const version of await readdir(join(this.#releases, name)).catch(() => [])) {
        const id = { name, version };
        if (releaseIdSchema.safeParse(id).success && (await this.findRelease(id))) ids.push(id);
      }
    }
    return ids;
  }

  /** Releases that were removed: their versions can't be used again. */
  async listRemoved(): Promise<ReleaseId[]> {
    const ids: ReleaseId[] = [];
    for (const name of await readdir(this.#releases))
      for (const version of await readdir(join(this.#releases, name)).catch(() => []))
        if (await exists(join(this.#folderOf({ name, version }), REMOVED_FILE))) ids.push({ name, version });
    return z.array(releaseIdSchema).parse(ids);
  }

  async findRelease(id: ReleaseId): Promise<StoredRelease | undefined> {
    const label = releaseLabel(id);
    const cached = this.#cache.get(label);
    if (cached) {
      // The folder is authoritative: a release removed by an operator disappears at once.
      if (await exists(join(this.#folderOf(id), MARKER_FILE))) return cached;
      this.#cache.delete(label);
      return undefined;
    }
    const release = await this.#readRelease(id);
    if (!release) return undefined;
    const oldest = this.#cache.keys().next();
    if (this.#cache.size >= MAX_CACHED_RELEASES && !oldest.done) this.#cache.delete(oldest.value);
    this.#cache.set(label, release);
    return release;
  }

  async #readRelease(id: ReleaseId): Promise<StoredRelease | undefined> {
    const folder = this.#folderOf(id);
    let marker: string;
    let manifestJson: string;
    try {
      marker = await readFile(join(folder, MARKER_FILE), 'utf8');
      manifestJson = await readFile(join(folder, MANIFEST_FILE), 'utf8');
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    }
    try {
      const manifest = releaseManifestSchema.parse(JSON.parse(manifestJson));
      // A renamed folder or a case-insensitive file system can lead to another release.
      if (manifest.name !== id.name || manifest.version !== id.version) return undefined;
      return { manifest, ...markerSchema.parse(JSON.parse(marker)) };
    } catch (error) {
      throw new RegistryError('STORAGE_DAMAGED', `${releaseLabel(id)} cannot be read from ${folder}`, {
        cause: error,
      });
    }
  }

  async addRelease(release: CompressedRelease): Promise<void> {
    const draft = join(this.#drafts, randomUUID());
    try {
      await this.#writeDraft(draft, release);
      await this.#placing.run(() => this.#place(draft, release.manifest));
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
  }

  async #writeDraft(draft: string, release: CompressedRelease): Promise<void> {
    const writes: [path: string, bytes: Buffer][] = [
      [MANIFEST_FILE, release.manifestBytes],
      ...release.files,
      ...[...release.brotli].map(([path, bytes]): [string, Buffer] => [`${path}.br`, bytes]),
    ];
    const folders = new Set([draft]);
    for (const [path] of writes) {
      for (let folder = dirname(join(draft, path)); folder !== draft; folder = dirname(folder))
        folders.add(folder);
    }
    for (const folder of folders) await mkdir(folder, { recursive: true });
    for (let start = 0; start < writes.length; start += CONCURRENT_WRITES) {
      await Promise.all(
        writes
          .slice(start, start + CONCURRENT_WRITES)
          .map(([path, bytes]) => writeNewFile(join(draft, path), bytes)),
      );
    }
    for (const folder of folders) await syncFolder(folder);

    const marker: z.infer<typeof markerSchema> = {
      publishedAt: this.#now().toISOString(),
      brotli: Object.fromEntries([...release.brotli].map(([path, bytes]) => [path, bytes.length])),
      signature: release.signature,
      publisher: release.publisher,
    };
    await writeNewFile(join(draft, MARKER_FILE), JSON.stringify(marker));
    await syncFolder(draft);
  }

  async #place(draft: string, id: ReleaseId): Promise<void> {
    const target = this.#folderOf(id);
    const parent = dirname(target);
    await mkdir(parent, { recursive: true });
    await syncFolder(this.#releases);
    if (await exists(join(target, REMOVED_FILE)))
      throw new RegistryError(
        'RELEASE_EXISTS',
        `${releaseLabel(id)} was published and removed; a version is used once`,
      );
    await this.#moveIncompleteAside(target);
    try {
      await rename(draft, target);
    } catch (error) {
      if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES')) throw error;
      if (!(await exists(target))) throw error;
      throw new RegistryError('RELEASE_EXISTS', `${releaseLabel(id)} is already published`, { cause: error });
    }
    await syncFolder(parent);
  }

  async #moveIncompleteAside(target: string): Promise<void> {
    if (!(await exists(target)) || (await exists(join(target, MARKER_FILE)))) return;
    const aside = join(this.#drafts, randomUUID());
    await rename(target, aside);
    // Another process may have published between the check and the rename.
    if (await exists(join(aside, MARKER_FILE))) await rename(aside, target);
    else await rm(aside, { recursive: true, force: true });
  }

  async removeRelease(id: ReleaseId): Promise<void> {
    const target = this.#folderOf(id);
    await this.#placing.run(async () => {
      this.#cache.delete(releaseLabel(id));
      // Without its marker it is invisible to readers; after a crash, the drafts cleanup removes the rest.
      await rm(join(target, MARKER_FILE), { force: true });
      const aside = join(this.#drafts, randomUUID());
      try {
        await rename(target, aside);
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return;
        throw error;
      }
      await mkdir(target);
      await writeNewFile(join(target, REMOVED_FILE), this.#now().toISOString());
      await syncFolder(dirname(target));
      await rm(aside, { recursive: true, force: true });
    });
  }

  async openFile(id: ReleaseId, path: string, encoding: 'identity' | 'br'): Promise<Readable | undefined> {
    try {
      const handle = await open(join(this.#folderOf(id), encoding === 'br' ? `${path}.br` : path), 'r');
      return handle.createReadStream();
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
      throw error;
    }
  }

  #folderOf({ name, version }: ReleaseId): string {
    return join(this.#releases, name, version);
  }

  async #removeAbandonedDrafts(): Promise<void> {
    for (const draft of await readdir(this.#drafts)) {
      const path = join(this.#drafts, draft);
      const age = this.#now().getTime() - (await stat(path)).mtimeMs;
      if (age > ABANDONED_MS) await rm(path, { recursive: true, force: true });
    }
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return false;
      throw error;
    },
  );
