import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SmallDisk {
  readonly path: string;
  /** Fills it up but for so many bytes. */
  readonly fill: (leaving: number) => void;
  readonly empty: () => void;
  readonly remove: () => void;
}

const FILLER = 'filler';

/** A disk in memory of its own, mounted at `path`. @throws Error where this user may not mount one */
export function mountSmallDisk(path: string, megabytes: number): SmallDisk {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    throw new Error(`a small disk cannot be mounted here (that needs root): ${(error as Error).message}`, {
      cause: error,
    });
  }
  const filler = join(path, FILLER);
  const empty = () => rmSync(filler, { force: true });
  return {
    path,
    fill(leaving) {
      empty();
      const { bavail, bsize } = statfsSync(path);
      const free = bavail * bsize;
      writeFileSync(filler, Buffer.alloc(Math.max(0, free - leaving)));
      // What a block more or less leaves.
      if (leaving === 0) {
        const rest = statfsSync(path);
        if (rest.bavail > 0) truncateSync(filler, free);
      }
    },
    empty,
    remove: () => void execFileSync('umount', ['--lazy', path]),
  };
}
