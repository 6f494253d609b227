import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { buildInto, type BuildWatch, watchBuild, writeManifest } from '@forecourt/build/buildRelease';
import { defineRemote, readRemotePackage } from '@forecourt/build/defineRemote';
import { defineShell } from '@forecourt/build/defineShell';
import { RegistryCallError, callRegistry, publishRelease } from '@forecourt/release-kit/registryClient';
import { describeRefusal, refusalSchema } from '@forecourt/releases/gate';
import { BuildNews, createApp, definePage } from '@forecourt/workshop';
import type { Configuration } from 'webpack';
import { z } from 'zod';
import { freePort } from './config.ts';
import { LocalError, REPOSITORY } from './repository.ts';

/** ms without another change until a workshop is built: by then it is paused if the page is built. */
const WORKSHOP_AGGREGATE_MS = 200;

/** 'webpack:///mfe-results/src/card/ListingCard.tsx': tools of browsers list the sources by these paths. */
const sourceName = ({ absoluteResourcePath: path }: { readonly absoluteResourcePath: string }): string =>
  // Compiled sources have paths from the root of the repository.
  `webpack://${path.startsWith(REPOSITORY) ? path.slice(REPOSITORY.length) : path}`;

/**
 * The same builds for development, with another output folder and cache, so that development never mixes with `dist`:
 * not minimized, and in the browser with React's development code, which can replace components (React Refresh), and with
 * source maps within the files, which the browser's tools read. Without merged modules: rebuilds are faster.
 */
export function forDevelopment(configurations: readonly Configuration[], dist: string): Configuration[] {
  return buildInto(configurations, dist).map((configuration) => {
    const isForBrowsers = [configuration.target].flat().includes('web');
    return {
      ...configuration,
      // By line: positions within lines would take as long again.
      devtool: isForBrowsers ? ('inline-cheap-module-source-map' as const) : (false as const),
      output: { ...configuration.output, devtoolModuleFilenameTemplate: sourceName },
      optimization: {
        ...configuration.optimization,
        minimize: false,
        concatenateModules: false,
        ...(isForBrowsers && { nodeEnv: 'development' }),
      },
      cache:
        typeof configuration.cache === 'object' && configuration.cache.type === 'filesystem'
          ? {
              ...configuration.cache,
              name: `development-${configuration.cache.name ?? basename(dirname(dist))}`,
            }
          : false,
    };
  });
}

const CONTRACTS = join(REPOSITORY, 'shared-contracts/');

/** What became of a build of a remote. */
export interface BuildReport {
  /** ms from the change to the shell's decision. */
  readonly ms: number;
  /** Why the shell does not show it; undefined when it does. */
  readonly refusals?: readonly string[];
}

const READ_HEALTH_MS = 20;
const SHELL_DECIDES_MS = 20_000;
const healthSchema = z.object({
  releases: z.record(z.string(), z.string()),
  refused: z.record(z.string(), z.array(refusalSchema)),
});

/** Waits until the shell serves the release or refuses it. Resolves to the refusals, one line each. */
async function shellRefusals(
  shellUrl: string,
  name: string,
  version: string,
): Promise<readonly string[] | undefined> {
  const deadline = Date.now() + SHELL_DECIDES_MS;
  for (;;) {
    const response = await fetch(new URL('/health/ready', shellUrl)).catch(() => undefined);
    // While the shell restarts there is no response, or none of a shell.
    const health = healthSchema.safeParse(await response?.json().catch(() => undefined)).data;
    if (health?.releases[name] === version) return undefined;
    const refusals = health?.refused[`${name}@${version}`];
    if (refusals) return refusals.map(describeRefusal);
    if (Date.now() > deadline) throw new Error(`the shell did not take ${name}@${version}; see its log`);
    await wait(READ_HEALTH_MS);
  }
}

/** Rebuilds a remote on change and makes each build live; the shell picks it up. */
export function watchRemote(
  remote: string,
  options: {
    readonly dataDir: string;
    readonly registryUrl: string;
    readonly shellUrl: string;
    readonly onBuilt: (report: BuildReport) => void;
    readonly onBusy: (isBusy: boolean) => void;
    readonly onError: (message: string) => void;
  },
): BuildWatch {
  const { registryUrl, shellUrl } = options;
  const remotePackage = readRemotePackage(join(REPOSITORY, remote));
  const dist = join(options.dataDir, 'dev', remote);
  let contractBuild = 0;
  return watchBuild(forDevelopment(defineRemote(remotePackage, { isRefreshable: true }), dist), {
    onError: options.onError,
    onBusy: options.onBusy,
    onChanged(paths) {
      if ([...paths].some((path) => path.startsWith(CONTRACTS))) contractBuild = Date.now();
    },
    async onBuilt(stats, ms) {
      const started = performance.now();
      const { name, version } = await writeManifest(remotePackage, stats, dist, {
        development: true,
        contractBuild,
      });
      try {
        await publishRelease({ directory: dist, registryUrl, hasCommit: false });
      } catch (error) {
        // The same content was built before, e.g. after undoing an edit.
        if (!(error instanceof RegistryCallError) || error.code !== 'RELEASE_EXISTS') throw error;
      }
      const body = { type: 'application/json', content: JSON.stringify({ version }) };
      await callRegistry(
        { registryUrl },
        { method: 'POST', path: `/api/remotes/${name}/promote`, body },
        z.unknown(),
      );
      const refusals = await shellRefusals(shellUrl, name, version);
      options.onBuilt({ ms: ms + performance.now() - started, ...(refusals && { refusals }) });
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
  const configurations = defineShell(join(REPOSITORY, 'shell'), { isRefreshable: true });
  return watchBuild(forDevelopment(configurations, join(REPOSITORY, DEV_SHELL_DIST)), {
    onError: options.onError,
    onBuilt: (_stats, ms) => options.onBuilt(ms),
  });
}

export interface OpenWorkshop {
  readonly remote: string;
  readonly url: string;
  /** While the remote's release for the page is built: all builds share one thread, and the page comes first. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/**
 * Serves only one remote with its scenarios. Open pages reload on change. No other service is needed.
 * @throws LocalError PORT_TAKEN
 */
export async function openWorkshop(
  remote: string,
  options: {
    readonly dataDir: string;
    readonly port: number;
    readonly onError: (message: string) => void;
  },
): Promise<OpenWorkshop> {
  const { dataDir, port, onError } = options;
  const files = join(dataDir, 'dev', `${remote}-workshop`);
  const news = new BuildNews();
  const server = createServer(createApp({ remote, files, news }));
  const free = await freePort();
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(
        new LocalError(
          'PORT_TAKEN',
          `Port ${port} for the workshop of ${remote} can't be used: choose another one, e.g. WORKSHOP_PORT=${free}.`,
        ),
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const watch = watchBuild(
    [definePage(join(REPOSITORY, remote), REPOSITORY, files)],
    { onError, onBuilt: async (stats) => news.publish(stats.hash) },
    WORKSHOP_AGGREGATE_MS,
  );
  await watch.first;
  return {
    remote,
    url: `http://localhost:${port}`,
    pause: () => watch.pause(),
    resume: () => watch.resume(),
    async close() {
      await watch.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
