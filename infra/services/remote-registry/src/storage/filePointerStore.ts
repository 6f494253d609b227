import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, type PointerChange, pointerChangeSchema, RegistryError } from '@forecourt/cli/release';
import {
  noPointers,
  type PointerRecord,
  pointerRecordSchema,
  type PointerStore,
} from '../pointers/pointerStore.ts';
import { replaceFile, syncFolder, writeNewFile } from './durableFiles.ts';
import { Turns } from '../turns.ts';

/** '0000000042.json': names sort like the revisions. */
const historyFile = (revision: number): string => `${String(revision).padStart(10, '0')}.json`;

/**
 * Pointers as one file, `{root}/pointers.json`, always replaced whole. It is
 * read anew each time: a small file, and what an operator restored counts at
 * once. Writers of one process take turns; two processes must not write the
 * same root at one time. Past changes are files of their own in `history/`.
 */
export class FilePointerStore implements PointerStore {
  readonly #path: string;
  readonly #history: string;
  readonly #writing = new Turns();

  private constructor(root: string) {
    this.#path = join(root, 'pointers.json');
    this.#history = join(root, 'history');
  }

  static async open(root: string): Promise<FilePointerStore> {
    await mkdir(join(root, 'history'), { recursive: true });
    return new FilePointerStore(root);
  }

  async readPointers(): Promise<PointerRecord> {
    let json: string;
    try {
      json = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return noPointers;
      throw error;
    }
    try {
      return pointerRecordSchema.parse(JSON.parse(json));
    } catch (error) {
      // To begin again from nothing would take every remote off the page: a person has to look.
      throw new RegistryError('STORAGE_DAMAGED', `${this.#path} cannot be read; restore it from a backup`, {
        cause: error,
      });
    }
  }

  writePointers(next: PointerRecord, expectedRevision: number): Promise<void> {
    return this.#writing.take(async () => {
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
      // Archived already: the write after it did not come to its end.
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
