import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, RegistryError } from '@forecourt/cli/release';
import { type AccessRecord, accessRecordSchema, type AccessStore, emptyAccess } from '../ports.ts';
import { SerialQueue } from '../serialQueue.ts';
import { replaceFile } from './durableFiles.ts';

/** Only the registry's own user may read who has access. */
const OWNER_ONLY = 0o600;

/** The access record in one file, `{root}/access.json`, replaced as a whole and read from disk for every write. */
export class FileAccessStore implements AccessStore {
  readonly #path: string;
  readonly #writing = new SerialQueue();

  private constructor(root: string) {
    this.#path = join(root, 'access.json');
  }

  /** Also tightens the mode of a restored file. */
  static async open(root: string): Promise<FileAccessStore> {
    const store = new FileAccessStore(root);
    await chmod(store.#path, OWNER_ONLY).catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
    });
    return store;
  }

  async readAccess(): Promise<AccessRecord> {
    let json: string;
    try {
      json = await readFile(this.#path, 'utf8');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return emptyAccess;
      throw error;
    }
    try {
      return accessRecordSchema.parse(JSON.parse(json));
    } catch {
      // Without the cause: its message could quote the file.
      throw new RegistryError('STORAGE_DAMAGED', `${this.#path} cannot be read; restore it from a backup`);
    }
  }

  writeAccess(next: AccessRecord, expectedRevision: number): Promise<void> {
    return this.#writing.run(async () => {
      const { revision } = await this.readAccess();
      if (revision !== expectedRevision)
        throw new RegistryError(
          'REVISION_CHANGED',
          'the credentials were changed at the same time; try again',
        );
      await replaceFile(this.#path, `${JSON.stringify(next, null, 2)}\n`, OWNER_ONLY);
    });
  }
}
