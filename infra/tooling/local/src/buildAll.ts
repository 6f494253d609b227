import { dirname, join, relative } from 'node:path';
import { LocalError, REPOSITORY, remoteNames, toLocalError } from './repository.ts';
import { runTool } from './runTool.ts';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';

/** A build uses about one core. */
const CONCURRENT_BUILDS = 2;

/** Runs `build` for every package, two at a time. The first failure stops the others and is what it rejects with. */
export async function buildEach(
  packages: readonly string[],
  build: (name: string, signal: AbortSignal) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const failing = new AbortController();
  const stop = signal ? AbortSignal.any([signal, failing.signal]) : failing.signal;
  const waiting = [...packages];
  let failure: { readonly error: unknown } | undefined;
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined && !stop.aborted; name = waiting.shift()) {
      try {
        await build(name, stop);
      } catch (error) {
        // Those after the first were stopped by it.
        failure ??= { error };
        failing.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_BUILDS }, work));
  if (failure) throw failure.error;
}

/** Has the page of the control room. */
export const REGISTRY = 'infra/services/remote-registry';

/** The folders of all packages that have a build. */
export const builtPackages = (): readonly string[] => ['shell', ...remoteNames(), REGISTRY];

/**
 * Builds the shell, the control room and the remotes, if their sources changed. Calls `onPackage` for each package that
 * is ready, with how many are ready by then.
 * @throws LocalError BUILD_FAILED, DISK_FULL, STOPPED
 */
export async function buildAll(
  options: {
    readonly packages?: readonly string[];
    readonly onPackage?: (name: string, done: number, total: number) => void;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<void> {
  const packages = options.packages ?? builtPackages();
  const cache = openBuildCache(REPOSITORY, packages);
  const stale = packages.filter((name) => !cache.isFresh(name));
  let done = 0;
  const report = (name: string) => options.onPackage?.(name, (done += 1), packages.length);
  for (const name of packages) if (!stale.includes(name)) report(name);
  if (stale.length === 0) return;
  await buildEach(
    stale,
    async (name, stop) => {
      try {
        await runTool({
          script: join(REPOSITORY, 'infra/tooling/build/bin/forecourt-build.mjs'),
          cwd: join(REPOSITORY, name),
          signal: stop,
        });
      } catch (error) {
        const { code, message } = toLocalError(error, 'BUILD_FAILED', REPOSITORY);
        throw new LocalError(
          code,
          code === 'BUILD_FAILED'
            ? `${name} failed to build. Fix the errors and run again:\n${message}`
            : message,
        );
      }
      cache.record(name);
      report(name);
    },
    options.signal,
  );
  if (options.signal?.aborted) throw new LocalError('STOPPED', 'Stopped.');
}

/** Folders and files that every build reads besides its own package. */
const SHARED_INPUTS = [
  ...['shared-contracts', 'infra/tooling/build', 'infra/release-kit/src/isolatedProgram.ts'],
  ...['package-lock.json', 'tsconfig.json'],
];

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

/**
 * The package and those of the repository that it depends on: its build may contain all of them. Contracts are inputs of
 * every build.
 */
function packageFolders(root: string, folder: string, found = new Set<string>()): ReadonlySet<string> {
  found.add(folder);
  const file = join(root, folder, 'package.json');
  const { dependencies = {} } = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(dependencies)) {
    const installed = join(root, 'node_modules', name);
    const other = existsSync(installed) ? relative(realpathSync(root), realpathSync(installed)) : '';
    const isInRepository = other !== '' && !/^\.\.|(^|[\\/])node_modules[\\/]/.test(other);
    const isShared = SHARED_INPUTS.some((input) => other.startsWith(input));
    if (isInRepository && !isShared && !found.has(other)) packageFolders(root, other, found);
  }
  return found;
}

/** Paths count relative to `root`: a moved or copied checkout keeps its builds. */
function hashContents(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((each) => filesBelow(join(root, each), isInput)))
    hash.update(relative(root, path)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

/** Sizes and times are enough here: a build by hand, a deleted file or a checkout changes them. */
function describeOutput(dist: string): string {
  const hash = createHash('sha256');
  for (const path of filesBelow(dist, () => true)) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${relative(dist, path)}\0${size}\0${mtimeMs}\0`);
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
  const shared = hashContents(root, SHARED_INPUTS);
  const inputs = new Map(
    folders.map((folder) => {
      const own = hashContents(root, [...packageFolders(root, folder)]);
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
