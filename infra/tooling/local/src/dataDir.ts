import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalError, toLocalError } from './localError.ts';

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Takes a data folder for this process: two stacks over one registry would
 * move each other's pointers. A lock whose process is gone counts for nothing.
 * Answers the function that gives the folder back.
 * @throws LocalError DATA_DIR_IN_USE, DATA_DIR_REFUSED, DISK_FULL
 */
export function takeDataDir(dataDir: string): () => void {
  const lock = join(dataDir, 'stack.pid');
  try {
    mkdirSync(join(dataDir, 'logs'), { recursive: true });
    for (let attempt = 0; ; attempt += 1) {
      try {
        writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' });
        return () => rmSync(lock, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 1) throw error;
      }
      const pid = Number(readFileSync(lock, 'utf8'));
      if (pid > 0 && isAlive(pid)) {
        throw new LocalError(
          'DATA_DIR_IN_USE',
          `${dataDir} is in use by process ${pid}: stop that one, or set DATA_DIR to another folder (if ${pid} is something else, delete ${lock}).`,
        );
      }
      rmSync(lock, { force: true });
    }
  } catch (error) {
    throw toLocalError(error, 'DATA_DIR_REFUSED', dataDir);
  }
}
