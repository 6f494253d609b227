import { join } from 'node:path';
import type { RegistryConfig } from '../config.ts';
import {
  type AccessRecord,
  accessRecordSchema,
  type AccessStore,
  emptyAccess,
  type LogStore,
  type RegistryStorage,
  SerialQueue,
} from '../ports.ts';
import { FilePointerStore, removeDrafts, replaceFile } from './filePointerStore.ts';
import { FileReleaseStore } from './fileReleaseStore.ts';
import { access, mkdir, readdir, readFile, chmod } from 'node:fs/promises';
import { hasCode, RegistryError } from '@forecourt/release-kit/registryError';

/** Only the registry's own user may read who has access. */
const OWNER_ONLY = 0o600;

/** The access record in one file, `{root}/access.json`, replaced as a whole and read from disk for every write. */
class FileAccessStore implements AccessStore {
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
      await replaceFile(this.#path, `${JSON.stringify(next, null, 2)}\n`);
    });
  }
}

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

/** Opens the configured storage. Loads the clients of S3 and PostgreSQL only when they are used. */
export async function openStorage(
  config: RegistryConfig,
  onError: (error: Error) => void,
): Promise<RegistryStorage> {
  if (config.STORAGE === 'file') return openFileStorage(config.DATA_DIR);
  if (config.STORAGE === 'postgres') {
    const { openSqlStorage } = await import('./sql/sqlStorage.ts');
    // The configuration schema requires the URL.
    return openSqlStorage({
      url: config.DATABASE_URL ?? '',
      maxConnections: config.DATABASE_CONNECTIONS,
      onError,
    });
  }
  const [{ openS3Storage }, { s3Options }] = await Promise.all([
    import('./s3/s3Storage.ts'),
    import('@forecourt/service-kit/bucket'),
  ]);
  return openS3Storage(s3Options(config));
}

/** Opens the registry's files in `{dataDir}/registry`, creating them if missing. */
export async function openFileStorage(dataDir: string): Promise<RegistryStorage> {
  const root = join(dataDir, 'registry');
  await mkdir(root, { recursive: true, mode: 0o700 });
  return {
    releases: await FileReleaseStore.open(root),
    pointers: await FilePointerStore.open(root),
    access: await FileAccessStore.open(root),
    log: await FileLogStore.open(root),
    isShared: false,
  };
}
