import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  noPointers,
  type PointerRecord,
  pointerRecordSchema,
  type PointerStore,
} from '../pointers/pointerStore.ts';
import { RegistryError } from '../registryError.ts';
import { hasCode } from '../errorCode.ts';
import { replaceFile } from './durableFiles.ts';
import { Turns } from '../turns.ts';

/**
 * Pointers as one file, `{root}/pointers.json`, always replaced whole. It is
 * read anew each time: a small file, and what an operator restored counts at
 * once. Writers of one process take turns; two processes must not write the
 * same root at one time.
 */
export class FilePointerStore implements PointerStore {
  readonly #path: string;
  readonly #writing = new Turns();

  private constructor(root: string) {
    this.#path = join(root, 'pointers.json');
  }

  static async open(root: string): Promise<FilePointerStore> {
    await mkdir(root, { recursive: true });
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
      const { revision } = await this.readPointers();
      if (revision !== expectedRevision) {
        throw new RegistryError(
          'REVISION_CHANGED',
          `the pointers are at revision ${revision}, not ${expectedRevision}`,
        );
      }
      await replaceFile(this.#path, `${JSON.stringify(next, null, 2)}\n`);
    });
  }
}
