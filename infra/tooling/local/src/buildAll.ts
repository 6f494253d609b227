import { join } from 'node:path';
import { openBuildCache } from './buildCache.ts';
import { LocalError, toLocalError } from './localError.ts';
import { remoteNames, REPOSITORY } from './repository.ts';
import { runTool } from './runTool.ts';

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
    const known = toLocalError(error, 'BUILD_FAILED', REPOSITORY);
    if (known.code !== 'BUILD_FAILED') throw known;
    throw new LocalError('BUILD_FAILED', `The build failed. Fix the errors and run again:\n${known.message}`);
  }
  for (const name of stale) cache.record(name);
}
