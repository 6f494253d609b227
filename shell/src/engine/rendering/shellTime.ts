import process from 'node:process';

/** Measures CPU time of this thread, so that what other programs of the machine do doesn't count; ms. */
export class ThreadStopwatch {
  #ms = 0;
  #since = process.threadCpuUsage();

  pause(): void {
    const { user, system } = process.threadCpuUsage(this.#since);
    this.#ms += (user + system) / 1_000;
  }

  resume(): void {
    this.#since = process.threadCpuUsage();
  }

  /** Ends it, and returns the time in which it was not paused. */
  stop(): number {
    this.pause();
    return this.#ms;
  }
}

/** What the shell does with what a release returned: its messages are read, and its HTML is checked. */
export type ShellWork = 'reading' | 'checking';

export interface ShellTimeLimits {
  /** Share of the shell's thread that a release may take. */
  readonly shellShare: number;
  /** ms beyond it. */
  readonly shellMs: number;
}

/** What a release costs the shell's thread, which all pages share: its messages are read and its HTML is checked there. */
export class ShellTime {
  readonly #limits: ShellTimeLimits;
  #excessMs = 0;
  readonly #spentMs: Record<ShellWork, number> = { reading: 0, checking: 0 };
  #at = performance.now();

  constructor(limits: ShellTimeLimits) {
    this.#limits = limits;
  }

  /** All of it so far; ms. */
  get spentMs(): Readonly<Record<ShellWork, number>> {
    return this.#spentMs;
  }

  /** Whether the release is above its limits now, and begins anew. */
  isOverspentBy(ms: number, work: ShellWork): boolean {
    this.#spentMs[work] += ms;
    const now = performance.now();
    const { shellShare, shellMs } = this.#limits;
    this.#excessMs = Math.max(0, this.#excessMs - (now - this.#at) * shellShare) + ms;
    this.#at = now;
    if (this.#excessMs <= shellMs) return false;
    this.#excessMs = 0;
    return true;
  }
}
