import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { releaseManifestSchema } from '@forecourt/shared-contracts/slots/release';
import { z } from 'zod';
import {
  hasCode,
  MANIFEST_FILE,
  RegistryError,
  type ReleaseId,
  releaseIdSchema,
  releaseLabel,
} from '@forecourt/cli/release';
import type { ReleaseStore, StoredRelease, CompressedRelease } from '../releases/releaseStore.ts';
import { syncFolder, writeNewFile } from './durableFiles.ts';
import { Turns } from '../turns.ts';

const MARKER_FILE = '.complete';
/** Stays where a release was removed: caches may hold its files for a year, so its version never means others. */
const REMOVED_FILE = '.removed';
const markerSchema = z.object({
  publishedAt: z.iso.datetime(),
  brotli: z.record(z.string(), z.number().int().nonnegative()),
});

/** Drafts this old belong to no running publisher. */
const ABANDONED_MS = 60 * 60 * 1000;
/** Releases whose manifest is kept in memory; far more than are ever asked for at one time. */
const REMEMBERED_RELEASES = 500;
const WRITES_AT_ONCE = 16;

/**
 * Releases as folders: `{root}/releases/{name}/{version}/` holds the files,
 * `release.json` and `.complete`. A release is put together under
 * `{root}/drafts/`, every byte synced, the marker last, and then moved to its
 * place by one rename. The rename fails if the place is taken, which is what
 * decides between racing publishers, also between processes. A folder without
 * a marker (a copy that broke off, say) does not exist for readers and gives
 * way to a publish.
 */
export class FileReleaseStore implements ReleaseStore {
  readonly #releases: string;
  readonly #drafts: string;
  readonly #now: () => Date;
  readonly #remembered = new Map<string, StoredRelease>();
  readonly #placing = new Turns();

  private constructor(root: string, now: () => Date) {
    this.#releases = join(root, 'releases');
    this.#drafts = join(root, 'drafts');
    this.#now = now;
  }

  /** Creates the folders when absent and clears away what crashed publishers left. */
  static async open(root: string, now: () => Date = () => new Date()): Promise<FileReleaseStore> {
    const store = new FileReleaseStore(root, now);
    await mkdir(store.#releases, { recursive: true });
    await mkdir(store.#drafts, { recursive: true });
    await store.#removeAbandonedDrafts();
    return store;
  }

  async listReleases(): Promise<ReleaseId[]> {
    const found: ReleaseId[] = [];
    for (const name of await readdir(this.#releases)) {
      if (!releaseIdSchema.shape.name.safeParse(name).success) continue;
      for (const version of await readdir(join(this.#releases, name)).catch(() => [])) {
        const id = { name, version };
        if (releaseIdSchema.safeParse(id).success && (await this.findRelease(id))) found.push(id);
      }
    }
    return found;
  }

  async findRelease(id: ReleaseId): Promise<StoredRelease | undefined> {
    const label = releaseLabel(id);
    const remembered = this.#remembered.get(label);
    if (remembered) {
      // The folder stays the truth: what an operator removed is gone at once.
      if (await exists(join(this.#folderOf(id), MARKER_FILE))) return remembered;
      this.#remembered.delete(label);
      return undefined;
    }
    const release = await this.#readRelease(id);
    if (!release) return undefined;
    const oldest = this.#remembered.keys().next();
    if (this.#remembered.size >= REMEMBERED_RELEASES && !oldest.done) this.#remembered.delete(oldest.value);
    this.#remembered.set(label, release);
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
      // A renamed folder, or a file system that ignores case, is not this release.
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
      await this.#placing.take(() => this.#place(draft, release.manifest));
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
    for (let start = 0; start < writes.length; start += WRITES_AT_ONCE) {
      await Promise.all(
        writes
          .slice(start, start + WRITES_AT_ONCE)
          .map(([path, bytes]) => writeNewFile(join(draft, path), bytes)),
      );
    }
    for (const folder of folders) await syncFolder(folder);

    const marker: z.infer<typeof markerSchema> = {
      publishedAt: this.#now().toISOString(),
      brotli: Object.fromEntries([...release.brotli].map(([path, bytes]) => [path, bytes.length])),
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
    // Another process may have published between the look and the move: then it was complete after all.
    if (await exists(join(aside, MARKER_FILE))) await rename(aside, target);
    else await rm(aside, { recursive: true, force: true });
  }

  async removeRelease(id: ReleaseId): Promise<void> {
    const target = this.#folderOf(id);
    await this.#placing.take(async () => {
      this.#remembered.delete(releaseLabel(id));
      // Without its marker it is gone for readers; what a crash leaves now is swept with the drafts.
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
