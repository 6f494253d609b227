import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode, RegistryError } from '@forecourt/release-kit/registryError';
import { type PointerChange, pointerChangeSchema } from '@forecourt/release-kit/registryResponses';
import {
  emptyPointers,
  type PointerRecord,
  pointerRecordSchema,
  type PointerStore,
  SerialQueue,
} from '../ports.ts';
import { randomUUID } from 'node:crypto';

/** Windows cannot sync a folder; its file system journals renames. */
const canSyncFolders = process.platform !== 'win32';

/** Makes created, renamed and removed entries of `folder` survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  if (!canSyncFolders) return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Data is for the process's own user. */
const OWNER_ONLY = 0o600;

/** Writes a new file and syncs it to disk. Fails if the file exists. */
export async function writeNewFile(path: string, bytes: Buffer | string): Promise<void> {
  const handle = await open(path, 'wx', OWNER_ONLY);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const DRAFT_FILE = /^\.[0-9a-f-]{36}\.tmp$/;

/** Removes drafts of `replaceFile` in `folder` that a killed process left. Only one process at a time writes a folder. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (DRAFT_FILE.test(name)) await rm(join(folder, name), { force: true });
}

/** Replaces a file atomically, also with respect to crashes. */
export async function replaceFile(path: string, bytes: Buffer | string): Promise<void> {
  const folder = dirname(path);
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeNewFile(draft, bytes);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** '0000000042.json': names sort by revision. */
const historyFile = (revision: number): string => `${String(revision).padStart(10, '0')}.json`;

/**
 * Pointers in one file, `{root}/pointers.json`, always replaced as a whole. Every
 * read goes to disk, so that a restored backup takes effect at once. Writes of one
 * process are serialized; two processes must not write the same root. Each past
 * change is a file in `history/`.
 */
export class FilePointerStore implements PointerStore {
  readonly #path: string;
  readonly #history: string;
  readonly #writing = new SerialQueue();

  private constructor(root: string) {
    this.#path = join(root, 'pointers.json');
    this.#history = join(root, 'history');
  }

  /** Creates missing folders and removes the drafts of killed processes, also those of `access.json`. */
  static async open(root: string): Promise<FilePointerStore> {
    await mkdir(join(root, 'history'), { recursive: true });
    await removeDrafts(root);
    return new FilePointerStore(root);
  }

  async readPointers(): Promise<PointerRecord> {
    let json: string;
    try {
      json = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return emptyPointers;
      throw error;
    }
    try {
      return pointerRecordSchema.parse(JSON.parse(json));
    } catch (error) {
      // Starting over without pointers would remove every remote from the page; an operator must decide.
      throw new RegistryError('STORAGE_DAMAGED', `${this.#path} cannot be read; restore it from a backup`, {
        cause: error,
      });
    }
  }

  writePointers(next: PointerRecord, expectedRevision: number): Promise<void> {
    return this.#writing.run(async () => {
      const { revision, change } = await this.readPointers();
      if (revision !== expectedRevision) {
        throw new RegistryError(
          'REVISION_CHANGED',
          `the pointers are at revision ${revision}, not ${expectedRevision}`,
        );
      }
      if (change) await this.#archive(change);
      await replaceFile(this.#path, `${JSON.stringify(next, null, 2)}\n`);
    });
  }

  async #archive(change: PointerChange): Promise<void> {
    try {
      await writeNewFile(join(this.#history, historyFile(change.revision)), `${JSON.stringify(change)}\n`);
      await syncFolder(this.#history);
    } catch (error) {
      // Archived by an earlier write that did not finish.
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }

  async readChanges(options: {
    limit: number;
    beforeRevision?: number | undefined;
  }): Promise<PointerChange[]> {
    const { limit, beforeRevision = Infinity } = options;
    const { change } = await this.readPointers();
    const changes = change && change.revision < beforeRevision ? [change] : [];
    const names = (await readdir(this.#history)).filter((name) => /^\d{10,}\.json$/.test(name)).sort();
    for (const name of names.reverse()) {
      if (changes.length >= limit) break;
      const revision = Number.parseInt(name, 10);
      if (revision >= beforeRevision || revision >= (change?.revision ?? Infinity)) continue;
      changes.push(pointerChangeSchema.parse(JSON.parse(await readFile(join(this.#history, name), 'utf8'))));
    }
    return changes.slice(0, limit);
  }
}
