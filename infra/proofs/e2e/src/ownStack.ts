import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDir, type Stack, type StackOptions, startStack } from '@forecourt/local';

/** Enough for every make; fills in a second. */
const INVENTORY_SIZE = 4000;

/** A stack of its own for tests that break something: free ports, a folder that goes with it. */
export async function startOwnStack(
  options: Omit<StackOptions, 'dataDir'> = {},
): Promise<Stack & { readonly remove: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-e2e-'));
  const stack = await startStack({
    inventorySize: INVENTORY_SIZE,
    ...options,
    dataDir,
    // The runner's own options load a compiler that the services do not need. What is broken shows at once, not when
    // the pages that are kept grow old.
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

/** Ends a service as a crash would; waits until it is gone. */
export async function kill(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error('that service does not run');
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
