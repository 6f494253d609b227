import { access, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '@forecourt/cli/release';
import type { LogStore } from '../ports.ts';
import { removeDrafts, replaceFile } from './durableFiles.ts';

/** '0000000042.json': names sort by sequence. */
const entryFile = (sequence: number): string => `${String(sequence).padStart(10, '0')}.json`;

/** The log as one file per entry, `{root}/log/{sequence}.json`. One process writes, one entry after another. */
export class FileLogStore implements LogStore {
  readonly #folder: string;

  private constructor(root: string) {
    this.#folder = join(root, 'log');
  }

  static async open(root: string): Promise<FileLogStore> {
    const store = new FileLogStore(root);
    await mkdir(store.#folder, { recursive: true });
    await removeDrafts(store.#folder);
    return store;
  }

  async readEntries(after: number, limit: number): Promise<string[]> {
    const names = (await readdir(this.#folder))
      .filter((name) => /^\d{10,}\.json$/.test(name) && Number.parseInt(name, 10) > after)
      .sort()
      .slice(0, limit);
    return Promise.all(names.map((name) => readFile(join(this.#folder, name), 'utf8')));
  }

  async appendEntry(sequence: number, text: string): Promise<boolean> {
    const path = join(this.#folder, entryFile(sequence));
    try {
      await access(path);
      return false;
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
    // Renamed into place, so that a crash leaves no half entry.
    await replaceFile(path, text);
    return true;
  }
}
