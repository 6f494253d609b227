import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LocalError, REPOSITORY, toLocalError, remoteNames } from './repository.ts';
import { runTool } from './runTool.ts';
import {
  issueToken,
  LOCAL_BROTLI_QUALITY,
  RegistryError,
  type RegistryStorage,
  publishToStore,
  setLive,
} from '@forecourt/remote-registry/offline';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Creates a folder and those above it for this user only: it holds accounts, messages and secrets. One by one, because Node's
 * own way calls a folder missing that is below a read-only one, or tries forever.
 */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  createFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT') throw error;
    throw new LocalError(
      'DATA_DIR_REFUSED',
      `${folder} can't be created, because ${parent} is read-only: set DATA_DIR to another folder.`,
    );
  }
}

/**
 * Locks a data folder for this process, because two stacks on one registry would change each other's pointers. A lock of
 * a dead process is replaced. Returns a function that releases the lock.
 * @throws LocalError DATA_DIR_IN_USE, DATA_DIR_REFUSED, DISK_FULL
 */
export function lockDataDir(dataDir: string): () => void {
  const lock = join(dataDir, 'stack.pid');
  try {
    createFolder(dataDir);
    createFolder(join(dataDir, 'logs'));
    for (let attempt = 0; ; attempt += 1) {
      try {
        writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
        return () => rmSync(lock, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 1) throw error;
      }
      const pid = Number(readFileSync(lock, 'utf8'));
      if (pid > 0 && isAlive(pid)) {
        throw new LocalError(
          'DATA_DIR_IN_USE',
          `${dataDir} is in use by process ${pid}: stop it, or set DATA_DIR to another folder. If process ${pid} isn't Forecourt, delete ${lock}.`,
        );
      }
      rmSync(lock, { force: true });
    }
  } catch (error) {
    throw toLocalError(error, 'DATA_DIR_REFUSED', dataDir);
  }
}

/**
 * Generates the inventory in the marketplace's database unless it is there. Calls `onShare` with the finished part, 0 to 1.
 * @throws LocalError DATABASE_FAILED, DISK_FULL, STOPPED
 */
export async function fillDatabase(options: {
  readonly dataDir: string;
  readonly inventorySize: number;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly onShare?: (share: number) => void;
  readonly signal?: AbortSignal | undefined;
}): Promise<void> {
  const cwd = join(REPOSITORY, 'infra/services/marketplace-api');
  try {
    await runTool({
      script: join(cwd, 'src/seed.ts'),
      cwd,
      environment: {
        ...options.environment,
        DATA_DIR: options.dataDir,
        INVENTORY_SIZE: String(options.inventorySize),
      },
      signal: options.signal,
      onLine: (line) => {
        if (!line.startsWith('{')) return;
        const { done, total } = JSON.parse(line) as { done?: number; total?: number };
        if (done !== undefined && total) options.onShare?.(done / total);
      },
    });
  } catch (error) {
    throw toLocalError(error, 'DATABASE_FAILED', options.dataDir);
  }
}

/** Versions that follow from the content of a build. */
const CONTENT_VERSION = /-build\./;

export interface PublishedBuild {
  readonly name: string;
  /** The live version. */
  readonly live: string;
  /** The version in the working tree. */
  readonly built: string;
}

async function publishOne(
  store: RegistryStorage,
  directory: string,
): Promise<{ name: string; version: string }> {
  try {
    return await publishToStore(store, directory, { brotliQuality: LOCAL_BROTLI_QUALITY });
  } catch (error) {
    if (!(error instanceof RegistryError) || error.code !== 'RELEASE_EXISTS') throw error;
    return JSON.parse(readFileSync(join(directory, 'release.json'), 'utf8')) as {
      name: string;
      version: string;
    };
  }
}

/** A new token for the shell, which may only end canaries. The registry must not be running. */
export const issueCanaryToken = (storage: RegistryStorage): Promise<string> =>
  issueToken(storage, 'shell', [{ remote: '*', actions: ['end-canary'] }]);

/**
 * Publishes the builds of the working tree to a registry's storage, which must not be in use, and makes them live.
 * A live release with an explicit version (1.4.0, not 1.0.0-build.…) stays live: it was promoted intentionally, and a restart
 * must not undo that.
 * @throws LocalError PUBLISH_FAILED, DISK_FULL
 */
export async function publishBuilds(options: {
  readonly openStorage: () => Promise<RegistryStorage>;
  /** Named in error messages. */
  readonly dataDir: string;
  /** Folders of the remotes, relative to the repository; default: the marketplace's. */
  readonly remotes?: readonly string[];
  readonly onRelease?: (build: PublishedBuild, done: number, total: number) => void;
}): Promise<PublishedBuild[]> {
  const published: PublishedBuild[] = [];
  try {
    const store = await options.openStorage();
    const { remotes = remoteNames() } = options;
    for (const remote of remotes) {
      const { name, version } = await publishOne(store, join(REPOSITORY, remote, 'dist'));
      const live = (await store.pointers.readPointers()).remotes[name]?.live;
      const isNamed = live !== undefined && !CONTENT_VERSION.test(live);
      if (!isNamed) await setLive(store, name, version);
      const build = { name, live: isNamed ? live : version, built: version };
      published.push(build);
      options.onRelease?.(build, published.length, remotes.length);
    }
    await store.close?.();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new LocalError('PUBLISH_FAILED', 'A remote is not built. Run `npm run build` and try again.');
    throw toLocalError(error, 'PUBLISH_FAILED', options.dataDir);
  }
  return published;
}
