import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDir, type Stack, startStack } from '@forecourt/local';
import { ONE_BUNDLE_SERVER, REPOSITORY } from '../oneBundle/build.ts';
import { startServer } from './serverProcess.ts';

/** A page's server: where it answers, and which process does the work. */
export interface PageServer {
  readonly url: string;
  readonly pid: number;
}

export interface Variants {
  readonly stack: Stack;
  /** The composed page, its slots rendered in worker threads; this is what production runs. */
  readonly composed: PageServer;
  /** The composed page, its slots rendered in the shell's own thread. */
  readonly inline: PageServer;
  readonly oneBundle: PageServer;
}

/** Logs of each request would be a part of what is measured, and kept pages would leave nothing to measure. */
const ENVIRONMENT = { LOCAL_MODE: 'true', LOG_LEVEL: 'warn', PAGE_CACHE_SECONDS: '0' };

/**
 * Starts the stack and the two other variants of its page over the same API. `onStart` receives a stop function for each.
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
    slotRenderer: 'worker',
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
  const oneBundle = await startServer('one bundle', ONE_BUNDLE_SERVER, path, upstreams);
  onStart(() => oneBundle.stop());
  return {
    stack,
    composed: { url: `http://127.0.0.1:${stack.ports.shell}`, pid: stack.pids.shell ?? 0 },
    inline,
    oneBundle,
  };
}
