import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDataDir, type Stack, startStack } from '@forecourt/local';

/** Starts all services with so many listings; `onStart` takes what stops them and removes their files. */
export async function startBenchStack(
  inventorySize: number,
  environment: Readonly<Record<string, string>>,
  onStart: (stop: () => Promise<void> | void) => void,
): Promise<Stack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'forecourt-bench-'));
  onStart(() => removeDataDir(dataDir));
  const stack = await startStack({ dataDir, inventorySize, environment });
  onStart(() => stack.stop());
  return stack;
}
