import { join } from 'node:path';
import { LocalError, toLocalError } from './localError.ts';
import { remoteNames, REPOSITORY } from './repository.ts';
import { runTool } from './runTool.ts';

/** The line with which lerna begins the output of a package that is ready, e.g. '> @forecourt/shell:build [local cache]'. */
const DONE = /^> @forecourt\/([a-z0-9-]+):build\b/;

/**
 * Builds the shell and the remotes whose sources changed; the others come out
 * of the cache (nx.json says what counts). `onPackage` hears each package that
 * is ready and how many there are.
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
  let done = 0;
  try {
    await runTool({
      script: join(REPOSITORY, 'node_modules/lerna/dist/cli.js'),
      args: ['run', 'build', '--concurrency=2', ...packages.map((name) => `--scope=@forecourt/${name}`)],
      environment: { NX_DAEMON: 'false', NX_TUI: 'false' },
      signal: options.signal,
      onLine: (line) => {
        const name = DONE.exec(line)?.[1];
        if (name !== undefined) options.onPackage?.(name, (done += 1), packages.length);
      },
    });
  } catch (error) {
    const known = toLocalError(error, 'BUILD_FAILED', REPOSITORY);
    if (known.code !== 'BUILD_FAILED') throw known;
    throw new LocalError(
      'BUILD_FAILED',
      `The build failed; repair what it says and run again:\n${known.message}`,
    );
  }
}
