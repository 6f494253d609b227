import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import type { Bucket } from './bucket.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER, tightenFolder } from './privateFiles.ts';

/** Windows cannot sync a folder; its file system journals renames. */
const canSyncFolders = process.platform !== 'win32';

/** Makes created, renamed and removed entries of `folder` survive a power failure. */
async function syncFolder(folder: string): Promise<void> {
  if (!canSyncFolders) return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Holds files until they are complete. Backups leave it out. */
const DRAFTS = 'drafts';
/** ms; older drafts belong to killed processes. */
const ABANDONED_MS = 60 * 60 * 1000;

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes(String((error as { code?: unknown }).code));

/** `undefined` for a file that does not exist. */
const ifPresent = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
};

/**
 * Objects as files below a folder. A put is on disk when it returns, and a reader sees the whole object or none. Several
 * processes may use the folder.
 */
export class FolderBucket implements Bucket {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Creates the folder if it is missing, and removes drafts of killed processes. */
  static async open(root: string): Promise<FolderBucket> {
    tightenFolder(root);
    const drafts = join(root, DRAFTS);
    await mkdir(drafts, { recursive: true, mode: PRIVATE_FOLDER });
    for (const name of await readdir(drafts)) {
      const path = join(drafts, name);
      const age = await ifPresent(async () => Date.now() - (await stat(path)).mtimeMs);
      if (age !== undefined && age > ABANDONED_MS) await rm(path, { recursive: true, force: true });
    }
    return new FolderBucket(root);
  }

  urlOf(key: string): string {
    return this.#pathOf(key);
  }

  #pathOf(key: string): string {
    if (key.split('/').some((segment) => segment === '..' || segment.includes('\\')))
      throw new Error(`'${key}' is no key of an object`);
    return join(this.#root, key);
  }

  readText(key: string): Promise<string | undefined> {
    return ifPresent(() => readFile(this.#pathOf(key), 'utf8'));
  }

  readBytes(key: string): Promise<Buffer | undefined> {
    return ifPresent(() => readFile(this.#pathOf(key)));
  }

  async open(key: string): Promise<Readable | undefined> {
    return ifPresent(async () => (await open(this.#pathOf(key), 'r')).createReadStream());
  }

  async put(key: string, body: Buffer | string): Promise<void> {
    const path = this.#pathOf(key);
    const draft = join(this.#root, DRAFTS, randomUUID());
    try {
      const handle = await open(draft, 'wx', PRIVATE_FILE);
      try {
        await handle.writeFile(body);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await this.#createFolder(dirname(path));
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    await syncFolder(dirname(path));
  }

  /** With the folders above it, as far as they are missing. */
  async #createFolder(folder: string): Promise<void> {
    const highest = await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
    if (highest === undefined) return;
    const end = dirname(highest);
    for (let created = folder; created !== end; created = dirname(created))
      await syncFolder(dirname(created));
  }

  /** Also removes the folders that become empty. */
  async remove(key: string): Promise<void> {
    const path = this.#pathOf(key);
    await rm(path, { force: true });
    for (let folder = dirname(path); folder !== this.#root; folder = dirname(folder)) {
      try {
        await rmdir(folder);
      } catch (error) {
        if (isAbsent(error)) continue;
        return;
      }
    }
  }

  async *list(folder: string, after = ''): AsyncGenerator<{ key: string; writtenAt: Date | undefined }> {
    const entries = await ifPresent(() =>
      readdir(this.#pathOf(folder), { recursive: true, withFileTypes: true }),
    );
    const keys = (entries ?? [])
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.#root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .filter((key) => key > after)
      .sort();
    for (const key of keys) {
      const stats = await ifPresent(() => stat(this.#pathOf(key)));
      if (stats) yield { key, writtenAt: stats.mtime };
    }
  }
}
