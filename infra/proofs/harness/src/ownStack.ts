import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carryOut, planStack, removeDataDir, type Stack, type StackOptions } from '@forecourt/local';

/** Enough for every make; generated in a second. */
const INVENTORY_SIZE = 4000;

/** Data folder of a stack that has never run: inventory and releases are copied faster than they are made. */
const TEMPLATE = 'E2E_TEMPLATE';

/** Makes the data folder that each stack of the tests starts with; returns how to remove it. */
export async function prepareOwnStacks(): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-e2e-'));
  const plan = await planStack({ dataDir, inventorySize: INVENTORY_SIZE });
  try {
    try {
      await Promise.all([plan.fill(), plan.publish()]);
    } finally {
      await plan.abandon();
    }
  } catch (error) {
    removeDataDir(dataDir);
    throw error;
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
    environment: { CACHE_SECONDS: 'pages=0,slots=0', ...options.environment },
  });
  const starting = template ? plan.start() : carryOut(plan);
  // Nobody else can remove what did not start.
  const stack = await starting.catch((error: unknown) => {
    removeDataDir(dataDir);
    throw error;
  });
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
