import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDir, type Stack, type StackOptions, startStack } from '@forecourt/local';

/** Enough for every make; generated in a second. */
const INVENTORY_SIZE = 4000;

/** Starts a separate stack for tests that break something: free ports and a temporary data directory. */
export async function startOwnStack(
  options: Omit<StackOptions, 'dataDir'> = {},
): Promise<Stack & { readonly remove: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-e2e-'));
  const stack = await startStack({
    inventorySize: INVENTORY_SIZE,
    ...options,
    dataDir,
    // The runner's NODE_OPTIONS load a compiler that services do not need. Without the page cache, faults show at once.
    environment: { NODE_OPTIONS: '', PAGE_CACHE_SECONDS: '0', ...options.environment },
  });
  return {
    ...stack,
    async remove() {
      await stack.stop();
      removeDataDir(dataDir);
    },
  };
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
