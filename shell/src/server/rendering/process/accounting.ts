import { readFileSync } from 'node:fs';

/** What a process has used since it started, read from outside: it cannot lie about it. */
export interface ProcessUsage {
  /** CPU time of its main thread, which runs all of its JavaScript; ms. */
  readonly cpuMs: number;
  /** Time in which its main thread could have run and waited for a core; ms. */
  readonly waitMs: number;
  /** Resident memory of its own, without files that processes share; bytes. */
  readonly memory: number;
}

const PAGE_BYTES = 4096;

/** Undefined when the process has ended, and on systems without /proc. */
export function readUsage(pid: number): ProcessUsage | undefined {
  try {
    const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ').map(Number);
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number);
    return { cpuMs: ran / 1e6, waitMs: waited / 1e6, memory: (resident - shared) * PAGE_BYTES };
  } catch {
    return undefined;
  }
}
