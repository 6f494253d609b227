import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalError, REPOSITORY, toLocalError } from './repository.ts';
import { runTool } from './runTool.ts';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Locks a data folder for this process, because two stacks on one registry would change each other's pointers. A lock of
 * a dead process is replaced. Returns a function that releases the lock.
 * @throws LocalError DATA_DIR_IN_USE, DATA_DIR_REFUSED, DISK_FULL
 */
export function lockDataDir(dataDir: string): () => void {
  const lock = join(dataDir, 'stack.pid');
  try {
    // For this user only: it holds accounts, messages and secrets.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
    for (let attempt = 0; ; attempt += 1) {
      try {
        writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
        return () => rmSync(lock, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 1) throw error;
      }
      const pid = Number(readFileSync(lock, 'utf8'));
      if (pid > 0 && isAlive(pid)) {
        throw new LocalError(
          'DATA_DIR_IN_USE',
          `${dataDir} is in use by process ${pid}: stop it, or set DATA_DIR to another folder. If process ${pid} isn't Forecourt, delete ${lock}.`,
        );
      }
      rmSync(lock, { force: true });
    }
  } catch (error) {
    throw toLocalError(error, 'DATA_DIR_REFUSED', dataDir);
  }
}

/**
 * Generates the inventory in the marketplace's database unless it is there. Calls `onShare` with the finished part, 0 to 1.
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
