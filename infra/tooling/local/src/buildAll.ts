import { dirname, join } from 'node:path';
import { LocalError, REPOSITORY, remoteNames, toLocalError } from './repository.ts';
import { runTool } from './runTool.ts';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';

/** The line that Lerna writes when a package is built. */
const DONE = /^lerna-lite info run Ran npm script 'build' in '@forecourt\/([a-z0-9-]+)'/;

/**
 * Builds the shell and the remotes whose sources changed. Calls `onPackage` for each package that is ready, with how
 * many are ready by then.
 * @throws LocalError BUILD_FAILED, DISK_FULL, STOPPED
 */
export async function buildAll(
  options: {
    readonly packages?: readonly string[];
    readonly onPackage?: (name: string, done: number, total: number) => void;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<void> {
  const packages = options.packages ?? ['shell', ...remoteNames()];
  const cache = openBuildCache(REPOSITORY, packages);
  const stale = packages.filter((name) => !cache.isFresh(name));
  let done = 0;
  const report = (name: string) => options.onPackage?.(name, (done += 1), packages.length);
  for (const name of packages) if (!stale.includes(name)) report(name);
  if (stale.length === 0) return;
  try {
    await runTool({
      script: join(REPOSITORY, 'node_modules/@lerna-lite/cli/dist/cli.js'),
      args: ['run', 'build', '--concurrency=2', ...stale.map((name) => `--scope=@forecourt/${name}`)],
      signal: options.signal,
      onLine: (line) => {
        const name = DONE.exec(line)?.[1];
        if (name !== undefined) report(name);
      },
    });
  } catch (error) {
    const localError = toLocalError(error, 'BUILD_FAILED', REPOSITORY);
    if (localError.code !== 'BUILD_FAILED') throw localError;
    throw new LocalError(
      'BUILD_FAILED',
      `The build failed. Fix the errors and run again:\n${localError.message}`,
    );
  }
  for (const name of stale) cache.record(name);
}

/** Folders and files that every build reads besides its own package. */
const SHARED_INPUTS = ['shared-contracts', 'infra/tooling/build', 'package-lock.json', 'tsconfig.json'];

const isInput = (name: string): boolean =>
  !['node_modules', 'dist', '.cache'].includes(name) && !/\.test\.tsx?$|\.md$/.test(name);

/** All files below `path`, or `path` itself; sorted, so that the same tree always gives the same list. */
function filesBelow(path: string, isIncluded: (name: string) => boolean): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter(isIncluded)
    .sort()
    .flatMap((name) => filesBelow(join(path, name), isIncluded));
}

function hashContents(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((each) => filesBelow(each, isInput)))
    hash.update(path).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

/** Sizes and times are enough here: a build by hand, a deleted file or a checkout changes them. */
function describeOutput(dist: string): string {
  const hash = createHash('sha256');
  for (const path of filesBelow(dist, () => true)) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest('hex');
}

export interface BuildCache {
  /** Whether `dist` of the package holds the build of the current sources. */
  isFresh(folder: string): boolean;
  /** Records the build that just ended. */
  record(folder: string): void;
}

/**
 * Remembers which sources each package's `dist` was built from. Inputs are read
 * once, when the cache is opened: an edit during a build leaves that build stale.
 */
export function openBuildCache(root: string, folders: readonly string[]): BuildCache {
  const shared = hashContents(SHARED_INPUTS.map((path) => join(root, path)));
  const inputs = new Map(
    folders.map((folder) => {
      const own = hashContents([join(root, folder)]);
      return [folder, `${shared} ${own} ${process.version}`];
    }),
  );
  const entryFile = (folder: string) => join(root, '.cache/builds', folder);
  const entryOf = (folder: string) =>
    `${inputs.get(folder)}\n${describeOutput(join(root, folder, 'dist'))}\n`;
  return {
    isFresh(folder) {
      try {
        return readFileSync(entryFile(folder), 'utf8') === entryOf(folder);
      } catch {
        // Never built, or its output was deleted.
        return false;
      }
    },
    record(folder) {
      mkdirSync(dirname(entryFile(folder)), { recursive: true });
      writeFileSync(entryFile(folder), entryOf(folder));
    },
  };
}
