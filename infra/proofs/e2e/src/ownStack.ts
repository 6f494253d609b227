import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  carryOut,
  freePort,
  planStack,
  removeDataDir,
  type Service,
  type Stack,
  type StackOptions,
  startService,
} from '@forecourt/local';
import { setTimeout as wait } from 'node:timers/promises';

/** Enough for every make; generated in a second. */
const INVENTORY_SIZE = 4000;

/** Data folder of a stack that has never run: inventory and releases are copied faster than they are made. */
const TEMPLATE = 'E2E_TEMPLATE';

/** Makes the data folder that each stack of the tests starts with; returns how to remove it. */
export async function prepareOwnStacks(): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-e2e-'));
  const plan = await planStack({ dataDir, inventorySize: INVENTORY_SIZE });
  try {
    await Promise.all([plan.fill(), plan.publish()]);
  } finally {
    await plan.abandon();
  }
  process.env[TEMPLATE] = dataDir;
  return () => removeDataDir(dataDir);
}

/** Starts a separate stack for tests that break something: free ports and a temporary data directory. */
export async function startOwnStack(
  options: Omit<StackOptions, 'dataDir'> = {},
): Promise<Stack & { readonly dataDir: string; readonly remove: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-e2e-'));
  const template = options.inventorySize === undefined && process.env[TEMPLATE];
  if (template) cpSync(template, dataDir, { recursive: true });
  const plan = await planStack({
    inventorySize: INVENTORY_SIZE,
    ...options,
    dataDir,
    // Without the caches, faults show at once.
    environment: {
      PAGE_CACHE_SECONDS: '0',
      SLOT_CACHE_SECONDS: '0',
      ...options.environment,
    },
  });
  const stack = await (template ? plan.start() : carryOut(plan));
  return {
    ...stack,
    // The spread copies the ids of now; a restart changes them.
    get pids() {
      return stack.pids;
    },
    dataDir,
    async remove() {
      await stack.stop();
      removeDataDir(dataDir);
    },
  };
}

export interface ShellReplica {
  readonly url: string;
  readonly port: number;
  readonly service: () => Service;
  /** Starts it again on the same port after it has stopped; resolves when it is ready. */
  readonly start: () => Promise<void>;
}

/**
 * Starts another shell with the upstream, registry and issuer of a stack. `dataDir` holds only its releases, so that a
 * proof can fill that disk. `onEnd` receives the cleanup steps.
 */
export async function startReplica(
  stack: Stack,
  dataDir: string,
  environment: Readonly<Record<string, string>>,
  onEnd: (step: () => Promise<void> | void) => void,
): Promise<ShellReplica> {
  const port = await freePort();
  const logDir = mkdtempSync(join(tmpdir(), 'forecourt-logs-'));
  onEnd(() => rmSync(logDir, { recursive: true, force: true }));
  let service: Service | undefined;
  const start = async () => {
    service = startService({
      name: 'shell',
      folder: 'shell',
      script: 'dist/server/server.cjs',
      port,
      logDir,
      environment: {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        MARKETPLACE_API_URL: stack.urls['marketplace-api'],
        REGISTRY_URL: stack.urls['remote-registry'],
        OIDC_ISSUER: stack.urls.identity,
        DATA_DIR: dataDir,
        ...environment,
        PORT: String(port),
      },
    });
    await service.ready();
  };
  onEnd(() => service?.stop());
  await start();
  return { url: `http://127.0.0.1:${port}`, port, service: () => service as Service, start };
}

/** Kills a service with SIGKILL and waits until it is gone. */
export async function kill(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error('the service is not running');
  process.kill(pid, 'SIGKILL');
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export interface Visits {
  /** Requests so far, including failed ones. */
  readonly count: () => number;
  readonly failures: readonly string[];
  /** Waits for requests in flight. */
  stop(): Promise<void>;
}

/** Visitors who request pages until stopped; `visit` throws when a response is wrong. */
export function startVisitors(
  visitors: number,
  pauseMs: number,
  visit: (visit: number) => Promise<void>,
): Visits {
  const failures: string[] = [];
  let count = 0;
  let isOver = false;
  const come = async () => {
    while (!isOver) {
      count += 1;
      try {
        await visit(count);
      } catch (error) {
        const { message, cause } = error as Error;
        failures.push(cause instanceof Error ? `${message} (${cause.message})` : message);
      }
      await wait(pauseMs);
    }
  };
  const all = Array.from({ length: visitors }, come);
  return {
    count: () => count,
    failures,
    async stop() {
      isOver = true;
      await Promise.all(all);
    },
  };
}
