import { join } from 'node:path';
import type { Stack } from '@forecourt/local';
import { ONE_BUNDLE_SERVER, REPOSITORY } from '../oneBundle/build.ts';
import { startServer } from './pageServer.ts';
import { startBenchStack } from './startBenchStack.ts';

/** URL and process id of a page's server. */
export interface PageServer {
  readonly url: string;
  readonly pid: number;
}

export interface Variants {
  readonly stack: Stack;
  /** The composed page with slots rendered in a process per release, as in production. */
  readonly composed: PageServer;
  /** The composed page with slots rendered in the shell's main thread. */
  readonly inline: PageServer;
  readonly oneBundle: PageServer;
  /** The composed page without its cache, but with that of slots. */
  readonly reusing: PageServer;
  /** The composed page with its cache. */
  readonly cached: PageServer;
  /** Starts another shell over the same API, with the environment added. */
  readonly startShell: (name: string, environment: Readonly<Record<string, string>>) => Promise<PageServer>;
}

/** Without request logs, which would be measured, too, and without caches and load shedding, which would skip work. */
const ENVIRONMENT = {
  LOCAL_MODE: 'true',
  LOG_LEVEL: 'warn',
  CACHE_SECONDS: 'pages=0,slots=0',
  // The warm-up of production.
  RENDER_LIMITS: 'delayMs=10000,warmUpSeconds=1.5',
};

/**
 * Starts the stack and the other variants of its page over the same API. `onStart` receives a stop function for each.
 */
export async function startVariants(
  listings: number,
  path: string,
  onStart: (stop: () => Promise<void> | void) => void,
): Promise<Variants> {
  const stack = await startBenchStack(listings, ENVIRONMENT, onStart);
  const upstreams = {
    ...ENVIRONMENT,
    MARKETPLACE_API_URL: `http://127.0.0.1:${stack.ports['marketplace-api']}`,
    REGISTRY_URL: `http://127.0.0.1:${stack.ports['remote-registry']}`,
  };
  const startShell = async (name: string, environment: Readonly<Record<string, string>>) => {
    const file = join(REPOSITORY, 'shell/dist/server/server.cjs');
    const server = await startServer(name, file, path, { ...upstreams, ...environment });
    onStart(() => server.stop());
    return server;
  };
  const inline = await startShell('inline shell', { RELEASE_ISOLATION: 'none' });
  const reusing = await startShell('shell with slot cache', { CACHE_SECONDS: 'pages=0,slots=60' });
  const cached = await startShell('shell with cache', { CACHE_SECONDS: 'pages=3600,slots=0' });
  const oneBundle = await startServer('one bundle', ONE_BUNDLE_SERVER, path, upstreams);
  onStart(() => oneBundle.stop());
  return {
    stack,
    composed: { url: `http://127.0.0.1:${stack.ports.shell}`, pid: stack.pids.shell ?? 0 },
    inline,
    reusing,
    cached,
    oneBundle,
    startShell,
  };
}
