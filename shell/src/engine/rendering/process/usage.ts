import { closeSync, openSync, readSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Time of a process's main thread since it started, read from outside: it cannot lie about it. */
export interface RunTime {
  /** CPU time of its main thread, which runs all of its JavaScript; ms. */
  readonly cpuMs: number;
  /** Time in which its main thread could have run and waited for a core; ms. */
  readonly waitMs: number;
}

export interface ProcessUsage extends RunTime {
  /** Resident memory of its own, without files that processes share; bytes. */
  readonly memory: number;
}

/** What a process has used; undefined when it has ended, and where the system does not tell. */
export interface UsageSource {
  readonly runTime: () => RunTime | undefined;
  readonly usage: () => ProcessUsage | undefined;
  /** CPU time of all threads, also those that work for its JavaScript: compression, hashing, collection; ms. */
  readonly allCpuMs: () => number;
  /** Lets other processes go first on a busy machine, or no longer; without effect where this user may not raise priorities. */
  readonly lowerPriority: (isLow: boolean) => void;
  readonly close: () => void;
}

const PAGE_BYTES = 4096;
/** Linux reports it in hundredths of a second on all machines. */
const TICK_MS = 10;
/** Beside a process of normal priority it gets a tenth of a core. */
const LOWER_BY = 10;
const LOWEST = 19;
/** Longer than any of these files. */
const FILE_BYTES = 1024;

/** A file of a process in /proc. It stays open, because opening and closing it for each reading takes most of the time. */
class ProcFile {
  #descriptor: number | undefined;
  readonly #bytes = Buffer.alloc(FILE_BYTES);

  constructor(pid: number, name: string) {
    try {
      this.#descriptor = openSync(`/proc/${pid}/${name}`, 'r');
    } catch {
      // The process has ended, or this system has no /proc.
    }
  }

  /** Undefined when the process has ended. */
  read(): string | undefined {
    if (this.#descriptor === undefined) return undefined;
    try {
      const length = readSync(this.#descriptor, this.#bytes, { position: 0 });
      return this.#bytes.toString('latin1', 0, length);
    } catch {
      return undefined;
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** Reads it from the process's files in /proc. */
export class UsageReader implements UsageSource {
  readonly #schedstat: ProcFile;
  readonly #statm: ProcFile;
  readonly #stat: ProcFile;
  readonly #pid: number;

  constructor(pid: number) {
    this.#pid = pid;
    this.#schedstat = new ProcFile(pid, 'schedstat');
    this.#statm = new ProcFile(pid, 'statm');
    this.#stat = new ProcFile(pid, 'stat');
  }

  runTime(): RunTime | undefined {
    const text = this.#schedstat.read();
    if (!text) return undefined;
    const [ran = 0, waited = 0] = text.split(' ').map(Number);
    return { cpuMs: ran / 1e6, waitMs: waited / 1e6 };
  }

  usage(): ProcessUsage | undefined {
    const time = this.runTime();
    const pages = this.#statm.read();
    if (!time || !pages) return undefined;
    const [, resident = 0, shared = 0] = pages.split(' ').map(Number);
    return { ...time, memory: (resident - shared) * PAGE_BYTES };
  }

  allCpuMs(): number {
    const stat = this.#stat.read() ?? '';
    // The name, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
  }

  lowerPriority(isLow: boolean): void {
    const normal = getPriority();
    try {
      // Only those who may raise a priority can take that back.
      if (isLow) setPriority(normal - 1);
      setPriority(normal);
      // Of its main thread, which runs its JavaScript.
      setPriority(this.#pid, Math.min(normal + (isLow ? LOWER_BY : 0), LOWEST));
    } catch {
      // Not permitted, or the process has ended.
    }
  }

  close(): void {
    for (const file of [this.#schedstat, this.#statm, this.#stat]) file.close();
  }
}

/** Time in which the main thread of a process waited for a core since it started; ms. */
export function readWaitMs(pid: number): number {
  const file = new ProcFile(pid, 'schedstat');
  const [, waited = 0] = (file.read() ?? '').split(' ').map(Number);
  file.close();
  return waited / 1e6;
}
