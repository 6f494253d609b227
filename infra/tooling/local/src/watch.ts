import { basename, dirname, join } from 'node:path';
import webpack, { type Configuration } from 'webpack';
import { writeManifest } from '@forecourt/build/buildRelease';
import { defineRemote, readRemotePackage } from '@forecourt/build/defineRemote';
import { RegistryCallError, publishRelease } from '@forecourt/cli/client';
import { LocalError, REPOSITORY } from './repository.ts';
import { defineShell } from '@forecourt/build/defineShell';
import { createServer } from 'node:http';
import { BuildNews, createApp, definePage } from '@forecourt/workshop';

const AGGREGATE_MS = 80;

/**
 * The same build with another output folder and cache, so that development never mixes with `dist`. It is not minimized,
 * but it is no development build either: the page shares one React, which is the production build.
 */
function redirect(configurations: readonly Configuration[], dist: string): Configuration[] {
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
  /** Resolves after the first build and its callback. */
  readonly first: Promise<void>;
  close(): Promise<void>;
}

/**
 * Rebuilds on change. Calls `onBuilt` with each successful build and its duration in ms, one at a time; calls `onError` with
 * errors of the compiler and of `onBuilt`.
 */
function watchBuild(
  configurations: readonly Configuration[],
  handlers: {
    readonly onBuilt: (stats: webpack.MultiStats, ms: number) => Promise<void>;
    readonly onError: (message: string) => void;
  },
): BuildWatch {
  const compiler = webpack([...configurations]);
  if (!compiler) throw new Error('webpack returned no compiler');
  let finishFirst: () => void;
  const first = new Promise<void>((resolve) => {
    finishFirst = resolve;
  });
  let queue = Promise.resolve();
  let lastHash: string | undefined;
  const watching = compiler.watch({ aggregateTimeout: AGGREGATE_MS }, (error, stats) => {
    queue = queue.then(async () => {
      try {
        if (error || !stats) handlers.onError(error?.message ?? 'the compiler returned no result');
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

async function promote(registryUrl: string, name: string, version: string): Promise<void> {
  const response = await fetch(new URL(`/api/remotes/${name}/promote`, registryUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version }),
  });
  if (!response.ok) throw new Error(`the registry rejected ${name}@${version}: ${await response.text()}`);
}

/** Rebuilds a remote on change and makes each build live; the shell picks it up. */
export function watchRemote(
  remote: string,
  options: {
    readonly dataDir: string;
    readonly registryUrl: string;
    readonly onLive: (version: string, ms: number) => void;
    readonly onError: (message: string) => void;
  },
): BuildWatch {
  const remotePackage = readRemotePackage(join(REPOSITORY, remote));
  const dist = join(options.dataDir, 'dev', remote);
  return watchBuild(redirect(defineRemote(remotePackage), dist), {
    onError: options.onError,
    async onBuilt(stats, ms) {
      const started = performance.now();
      const { name, version } = await writeManifest(remotePackage, stats, dist);
      try {
        await publishRelease({ directory: dist, registryUrl: options.registryUrl });
      } catch (error) {
        // The same content was built before, e.g. after undoing an edit.
        if (!(error instanceof RegistryCallError) || error.code !== 'RELEASE_EXISTS') throw error;
      }
      await promote(options.registryUrl, name, version);
      options.onLive(version, ms + performance.now() - started);
    },
  });
}

/** Inside the shell's folder, so that Node resolves the shell's packages. */
export const DEV_SHELL_DIST = 'shell/.cache/dev';

/** Rebuilds the shell on change; `onBuilt` restarts it. */
export function watchShell(options: {
  readonly onBuilt: (ms: number) => Promise<void>;
  readonly onError: (message: string) => void;
}): BuildWatch {
  const configurations = defineShell(join(REPOSITORY, 'shell'));
  return watchBuild(redirect(configurations, join(REPOSITORY, DEV_SHELL_DIST)), {
    onError: options.onError,
    onBuilt: (_stats, ms) => options.onBuilt(ms),
  });
}

export interface OpenWorkshop {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves only one remote with its scenarios. Open pages reload on change. No other service is needed.
 * @throws LocalError PORT_TAKEN
 */
export async function openWorkshop(
  remote: string,
  options: { readonly dataDir: string; readonly port: number; readonly onError: (message: string) => void },
): Promise<OpenWorkshop> {
  const { dataDir, port, onError } = options;
  const files = join(dataDir, 'dev', `${remote}-alone`);
  const news = new BuildNews();
  const server = createServer(createApp({ remote, files, news }));
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(
        new LocalError(
          'PORT_TAKEN',
          `Port ${port} for the workshop of ${remote} can't be used: choose another one, e.g. WORKSHOP_PORT=${port + 10}.`,
        ),
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const watch = watchBuild([definePage(join(REPOSITORY, remote), REPOSITORY, files)], {
    onError,
    onBuilt: async (stats) => news.publish(stats.hash),
  });
  await watch.first;
  return {
    url: `http://localhost:${port}`,
    async close() {
      await watch.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
