import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  issueToken,
  RegistryError,
  type RegistryStorage,
  openFileStorage,
  publishToStore,
  setLive,
} from '@forecourt/remote-registry/offline';
import { LocalError, REPOSITORY, remoteNames, toLocalError } from './repository.ts';

/** Compresses fifty times faster than the maximum. */
export const LOCAL_BROTLI_QUALITY = 5;

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
export const issueCanaryToken = async (dataDir: string): Promise<string> =>
  issueToken(await openFileStorage(dataDir), 'shell', [{ remote: '*', actions: ['end-canary'] }]);

/**
 * Publishes the builds of the working tree to the registry in `dataDir`, which must not be running, and makes them live.
 * A live release with an explicit version (1.4.0, not 1.0.0-build.…) stays live: it was promoted intentionally, and a restart
 * must not undo that.
 * @throws LocalError PUBLISH_FAILED, DISK_FULL
 */
export async function publishBuilds(options: {
  readonly dataDir: string;
  readonly onRelease?: (build: PublishedBuild, done: number, total: number) => void;
}): Promise<PublishedBuild[]> {
  const published: PublishedBuild[] = [];
  try {
    const store = await openFileStorage(options.dataDir);
    const remotes = remoteNames();
    for (const remote of remotes) {
      const { name, version } = await publishOne(store, join(REPOSITORY, remote, 'dist'));
      const live = (await store.pointers.readPointers()).remotes[name]?.live;
      const isNamed = live !== undefined && !CONTENT_VERSION.test(live);
      if (!isNamed) await setLive(store, name, version);
      const build = { name, live: isNamed ? live : version, built: version };
      published.push(build);
      options.onRelease?.(build, published.length, remotes.length);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new LocalError('PUBLISH_FAILED', 'A remote is not built. Run `npm run build` and try again.');
    throw toLocalError(error, 'PUBLISH_FAILED', options.dataDir);
  }
  return published;
}
