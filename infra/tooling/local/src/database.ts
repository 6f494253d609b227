import { join } from 'node:path';
import { toLocalError } from './localError.ts';
import { REPOSITORY } from './repository.ts';
import { runTool } from './runTool.ts';

/**
 * Fills the marketplace's database, unless it holds this inventory already.
 * `onShare` hears how much is done, 0 to 1.
 * @throws LocalError DATABASE_FAILED, DISK_FULL, STOPPED
 */
export async function fillDatabase(options: {
  readonly dataDir: string;
  readonly inventorySize: number;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly onShare?: (share: number) => void;
  readonly signal?: AbortSignal | undefined;
}): Promise<void> {
  const cwd = join(REPOSITORY, 'infra/services/marketplace-api');
  try {
    await runTool({
      script: join(cwd, 'src/seed.ts'),
      cwd,
      environment: {
        ...options.environment,
        DATA_DIR: options.dataDir,
        INVENTORY_SIZE: String(options.inventorySize),
      },
      signal: options.signal,
      onLine: (line) => {
        if (!line.startsWith('{')) return;
        const { done, total } = JSON.parse(line) as { done?: number; total?: number };
        if (done !== undefined && total) options.onShare?.(done / total);
      },
    });
  } catch (error) {
    throw toLocalError(error, 'DATABASE_FAILED', options.dataDir);
  }
}
