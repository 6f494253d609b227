import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDir, type Stack, startStack } from '@forecourt/local';
import { ONE_BUNDLE_SERVER, REPOSITORY } from '../oneBundle/build.ts';
import { startServer } from './processes.ts';

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
  /** The composed page with its cache. */
  readonly cached: PageServer;
}

/** Without request logs, which would be measured, too, and without page cache and load shedding, which would skip work. */
const ENVIRONMENT = {
  LOCAL_MODE: 'true',
  LOG_LEVEL: 'warn',
  PAGE_CACHE_SECONDS: '0',
  SHED_DELAY_MS: '10000',
};

/**
 * Starts the stack and the other variants of its page over the same API. `onStart` receives a stop function for each.
 */
export async function startVariants(
  listings: number,
  path: string,
  onStart: (stop: () => Promise<void> | void) => void,
): Promise<Variants> {
  const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-bench-'));
  onStart(() => removeDataDir(dataDir));
  const stack = await startStack({
    dataDir,
    inventorySize: listings,
    slotRenderer: 'process',
    environment: ENVIRONMENT,
  });
  onStart(() => stack.stop());
  const upstreams = {
    ...ENVIRONMENT,
    MARKETPLACE_API_URL: `http://127.0.0.1:${stack.ports['marketplace-api']}`,
    REGISTRY_URL: `http://127.0.0.1:${stack.ports['remote-registry']}`,
  };
  const inline = await startServer('inline shell', join(REPOSITORY, 'shell/dist/server/server.cjs'), path, {
    ...upstreams,
    SLOT_RENDERER: 'inline',
  });
  onStart(() => inline.stop());
  const cached = await startServer(
    'shell with cache',
    join(REPOSITORY, 'shell/dist/server/server.cjs'),
    path,
    {
      ...upstreams,
      PAGE_CACHE_SECONDS: '3600',
    },
  );
  onStart(() => cached.stop());
  const oneBundle = await startServer('one bundle', ONE_BUNDLE_SERVER, path, upstreams);
  onStart(() => oneBundle.stop());
  return {
    stack,
    composed: { url: `http://127.0.0.1:${stack.ports.shell}`, pid: stack.pids.shell ?? 0 },
    inline,
    cached,
    oneBundle,
  };
}
