import { performance } from 'node:perf_hooks';
import type { ShellTimeLimits } from '../shellTime.ts';
import type { ProcessUsage, UsageSource } from './usage.ts';

export interface ProcessLimits extends ShellTimeLimits {
  /** CPU time from one settled job to the next. */
  readonly cpuMs: number;
  /** A job that has used more lets the processes of other releases go first until it settles. */
  readonly normalCpuMs: number;
  /** CPU time in a second without any job, tolerated for `IDLE_SECONDS`. */
  readonly idleCpuMs: number;
  /** CPU time of its other threads, beyond their share. */
  readonly otherThreadsMs: number;
  /** Share of a core that garbage collection and compilation may take beside the main thread while jobs run. */
  readonly otherThreadsShare: number;
  /** A process that had this much time on or near a core and did not reply to an abandoned job is killed. */
  readonly silenceMs: number;
  readonly bootMs: number;
  /** Above it the process is replaced after its jobs. */
  readonly softMemoryMb: number;
  /** Above it the process is killed at once. */
  readonly hardMemoryMb: number;
  readonly maxCalls: number;
  readonly maxMessages: number;
  /** Bytes of messages and output from one settled job to the next. */
  readonly maxSentBytes: number;
  /** Messages that the process has not read yet. */
  readonly maxUnreadBytes: number;
}

/** Time in which a process could not work on one job; ms. */
export interface BlockedClock {
  /** It waited for a core, or this shell was too busy to listen. */
  readonly machineMs: () => number;
  /** The same, or it worked on other jobs. */
  readonly blockedMs: () => number;
}

export const NEVER_BLOCKED: BlockedClock = { machineMs: () => 0, blockedMs: () => 0 };

const BUSY_SAMPLE_MS = 50;
const IDLE_SAMPLE_MS = 1_000;
/** Garbage collection after a job doesn't count. */
const IDLE_SECONDS = 3;
const MB = 1024 * 1024;

const NOTHING: ProcessUsage = { cpuMs: 0, waitMs: 0, memory: 0 };

/**
 * Judges a process by what it used itself, so that releases aren't killed because the machine is busy: CPU time, memory, and time without
 * a reply, less the time in which it waited for a core or this shell did not listen. Where the system does not tell,
 * wall-clock time counts.
 */
export class ProcessWatch {
  readonly #reader: UsageSource;
  readonly #limits: ProcessLimits;
  readonly #exceed: (reason: string) => void;
  readonly #isMeasured: boolean;
  #last: ProcessUsage;
  #isBusy = false;
  /** Limit of the jobs that run. */
  #cpuMs: number;
  #cpuAtSettled: number;
  /** CPU time of all jobs that have settled. */
  #settledCpuMs = 0;
  /** `shellBusyMs`: time in which this shell could not have read the reply. */
  #reply: { readonly since: number; readonly waitMs: number; shellBusyMs: number } | undefined;
  #burningSeconds = 0;
  /** Of all threads but the main one: CPU time at the last sample, and what is above its share; ms. */
  readonly #others = { cpuMs: 0, excessMs: 0 };
  /** Its priority is lowered. */
  #isLow = false;
  #sampledAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer ends. */
  #sampleAt = Infinity;
  #isStopped = false;

  constructor(reader: UsageSource, limits: ProcessLimits, exceed: (reason: string) => void) {
    this.#reader = reader;
    this.#limits = limits;
    this.#exceed = exceed;
    const usage = this.#reader.usage();
    this.#isMeasured = usage !== undefined;
    this.#last = usage ?? NOTHING;
    this.#cpuMs = limits.cpuMs;
    this.#cpuAtSettled = this.#last.cpuMs;
    this.#others.cpuMs = this.#reader.allCpuMs() - this.#last.cpuMs;
    this.#schedule();
  }

  jobStarted(cpuMs: number): void {
    this.#cpuMs = Math.max(cpuMs, this.#isBusy ? this.#cpuMs : 0);
    if (this.#isBusy) return;
    // What it used between two jobs is not charged to the next one.
    this.jobSettled();
    this.#isBusy = true;
    this.#burningSeconds = 0;
    this.#schedule();
  }

  jobSettled(): void {
    this.#last = this.#read();
    this.#settledCpuMs += this.#last.cpuMs - this.#cpuAtSettled;
    this.#cpuAtSettled = this.#last.cpuMs;
    this.#lowerPriority(false);
  }

  /** No job is left. */
  idle(): void {
    this.#isBusy = false;
    this.#schedule();
  }

  /** A job was abandoned: the process must reply. */
  expectReply(): void {
    this.#reply ??= { since: performance.now(), waitMs: this.#waitMs(), shellBusyMs: 0 };
    this.#schedule();
  }

  replied(): void {
    this.#reply = undefined;
    this.#schedule();
  }

  awaitsReply(): boolean {
    return this.#reply !== undefined;
  }

  /** Starts a clock of the time in which the process could not work on one job. */
  startBlockedClock(): BlockedClock {
    const waitMs = this.#waitMs();
    const settledCpuMs = this.#settledCpuMs;
    const loop = performance.eventLoopUtilization();
    const machineMs = () => this.#waitMs() - waitMs + performance.eventLoopUtilization(loop).active;
    return { machineMs, blockedMs: () => machineMs() + (this.#settledCpuMs - settledCpuMs) };
  }

  /** At the last sample: memory in bytes, CPU time of all its threads in ms. */
  used(): Pick<ProcessUsage, 'memory' | 'cpuMs'> {
    return { memory: this.#last.memory, cpuMs: this.#last.cpuMs + this.#others.cpuMs };
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#reader.close();
  }

  #waitMs(): number {
    return (this.#reader.runTime() ?? this.#last).waitMs;
  }

  #read(): ProcessUsage {
    if (this.#isMeasured) return this.#reader.usage() ?? this.#last;
    return this.#isBusy ? { ...NOTHING, cpuMs: performance.now() } : this.#last;
  }

  /** Never delays a sample: a process with a new job every few milliseconds is judged as well. */
  #schedule(): void {
    const sampleAt = performance.now() + (this.#isBusy || this.#reply ? BUSY_SAMPLE_MS : IDLE_SAMPLE_MS);
    if (this.#isStopped || sampleAt >= this.#sampleAt) return;
    clearTimeout(this.#timer);
    this.#sampleAt = sampleAt;
    this.#timer = setTimeout(() => {
      this.#sampleAt = Infinity;
      // The event loop runs a late timer before it reads replies that have arrived in the meantime.
      if (this.#reply) this.#reply.shellBusyMs += performance.now() - Math.max(sampleAt, this.#reply.since);
      this.#sample();
      this.#schedule();
    }, sampleAt - performance.now()).unref();
  }

  #sample(): void {
    const usage = this.#read();
    const reason =
      this.#judgeMemory(usage) ??
      this.#judgeOtherThreads(usage) ??
      (this.#isBusy || this.#reply ? this.#judgeBusy(usage) : this.#judgeIdle(usage));
    this.#last = usage;
    if (reason) this.#exceed(reason);
  }

  #judgeMemory({ memory }: ProcessUsage): string | undefined {
    const { hardMemoryMb } = this.#limits;
    if (memory <= hardMemoryMb * MB) return undefined;
    return `it grew to ${Math.round(memory / MB)} MB, ${hardMemoryMb} are allowed`;
  }

  #judgeOtherThreads({ cpuMs }: ProcessUsage): string | undefined {
    if (!this.#isMeasured) return undefined;
    const now = performance.now();
    const othersMs = Math.max(this.#others.cpuMs, this.#reader.allCpuMs() - cpuMs);
    const { otherThreadsShare, idleCpuMs } = this.#limits;
    const share = this.#isBusy ? otherThreadsShare : idleCpuMs / 1_000;
    const used = othersMs - this.#others.cpuMs;
    const excessMs = Math.max(0, this.#others.excessMs + used - (now - this.#sampledAt) * share);
    this.#sampledAt = now;
    Object.assign(this.#others, { cpuMs: othersMs, excessMs });
    if (excessMs <= this.#limits.otherThreadsMs) return undefined;
    return `its other threads used ${Math.round(excessMs)} ms of CPU time beyond their share`;
  }

  #lowerPriority(isLow: boolean): void {
    if (isLow === this.#isLow) return;
    this.#isLow = isLow;
    this.#reader.lowerPriority(isLow);
  }

  #judgeBusy({ cpuMs, waitMs }: ProcessUsage): string | undefined {
    const used = cpuMs - this.#cpuAtSettled;
    if (this.#isMeasured && used > this.#limits.normalCpuMs && this.#cpuMs !== Infinity)
      this.#lowerPriority(true);
    if (used > this.#cpuMs)
      return `a job used ${Math.round(used)} ms of CPU time, ${this.#cpuMs} are allowed`;
    if (!this.#reply) return undefined;
    const { since, waitMs: waitedBefore, shellBusyMs } = this.#reply;
    const silentMs = performance.now() - since - (waitMs - waitedBefore) - shellBusyMs;
    return silentMs > this.#limits.silenceMs ? `it did not reply for ${Math.round(silentMs)} ms` : undefined;
  }

  #judgeIdle({ cpuMs }: ProcessUsage): string | undefined {
    const isBurning = cpuMs - this.#last.cpuMs > this.#limits.idleCpuMs;
    this.#burningSeconds = isBurning ? this.#burningSeconds + 1 : 0;
    return this.#burningSeconds >= IDLE_SECONDS ? 'it keeps computing without a job' : undefined;
  }
}
