import { basename, dirname, join } from 'node:path';
import webpack, { type Configuration } from 'webpack';

const AGGREGATE_MS = 80;

/**
 * The same build with its output in another folder and a cache of its own: what
 * is under development never mixes with `dist`. It is not minimized, yet no
 * development mode either: a page shares one React, and that is the production one.
 */
export function redirect(configurations: readonly Configuration[], dist: string): Configuration[] {
  return configurations.map((configuration) => ({
    ...configuration,
    output: { ...configuration.output, path: join(dist, basename(configuration.output?.path ?? 'web')) },
    optimization: { ...configuration.optimization, minimize: false },
    cache:
      typeof configuration.cache === 'object' && configuration.cache.type === 'filesystem'
        ? { ...configuration.cache, name: `watch-${configuration.cache.name ?? basename(dirname(dist))}` }
        : false,
  }));
}

export interface BuildWatch {
  /** Resolves after the first build and what was done with it. */
  readonly first: Promise<void>;
  close(): Promise<void>;
}

/**
 * Rebuilds on change. `onBuilt` hears each successful build and the ms it took
 * and is awaited before the next is reported; `onError` hears the compiler's
 * errors, and what `onBuilt` threw.
 */
export function watchBuild(
  configurations: readonly Configuration[],
  handlers: {
    readonly onBuilt: (stats: webpack.MultiStats, ms: number) => Promise<void>;
    readonly onError: (message: string) => void;
  },
): BuildWatch {
  const compiler = webpack([...configurations]);
  if (!compiler) throw new Error('webpack answered no compiler');
  let finishFirst: () => void;
  const first = new Promise<void>((resolve) => {
    finishFirst = resolve;
  });
  let queue = Promise.resolve();
  let lastHash: string | undefined;
  const watching = compiler.watch({ aggregateTimeout: AGGREGATE_MS }, (error, stats) => {
    queue = queue.then(async () => {
      try {
        if (error || !stats) handlers.onError(error?.message ?? 'the compiler gave no result');
        else if (stats.hasErrors())
          handlers.onError(stats.toString({ all: false, errors: true, colors: false }));
        else if (stats.hash !== lastHash) {
          lastHash = stats.hash;
          const ends = stats.stats.map(({ endTime }) => endTime);
          const starts = stats.stats.map(({ startTime }) => startTime);
          await handlers.onBuilt(stats, Math.max(...ends) - Math.min(...starts));
        }
      } catch (failure) {
        handlers.onError(failure instanceof Error ? failure.message : String(failure));
      }
      finishFirst();
    });
  });
  return {
    first,
    close: () => new Promise((resolve) => (watching ? watching.close(() => resolve()) : resolve())),
  };
}
