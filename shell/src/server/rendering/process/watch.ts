import { performance } from 'node:perf_hooks';
import { readUsage, type ProcessUsage } from './accounting.ts';

export interface ProcessLimits {
  /** CPU time from one settled job to the next. */
  readonly cpuMs: number;
  /** CPU time in a second without any job, tolerated for `IDLE_SECONDS`. */
  readonly idleCpuMs: number;
  /** A process that had this much time on or near a core and did not reply to an abandoned job is killed. */
  readonly silenceMs: number;
  readonly bootMs: number;
  /** Above it the process is replaced after its jobs. */
  readonly softMemoryMb: number;
  /** Above it the process is killed at once. */
  readonly hardMemoryMb: number;
  readonly maxCalls: number;
  readonly maxMessages: number;
  /** Messages that the process has not read yet. */
  readonly maxUnreadBytes: number;
}

const BUSY_SAMPLE_MS = 50;
const IDLE_SAMPLE_MS = 1_000;
/** Garbage collection after a job is no offense. */
const IDLE_SECONDS = 3;
const MB = 1024 * 1024;

export interface ProcessWatch {
  readonly jobStarted: (cpuMs: number) => void;
  readonly jobSettled: () => void;
  /** No job is left. */
  readonly idle: () => void;
  /** A job was abandoned: the process must reply. */
  readonly expectReply: () => void;
  readonly replied: () => void;
  readonly awaitsReply: () => boolean;
  /** Starts a clock of the time in which the process could not work on one job: it waited for a core, worked on other
   * jobs, or this shell was too busy to listen. */
  readonly excuse: () => () => number;
  readonly memory: () => number;
  readonly stop: () => void;
}

const NOTHING: ProcessUsage = { cpuMs: 0, waitMs: 0, memory: 0 };

/**
 * Judges a process by what it used itself, so that a busy machine punishes nobody: CPU time, time without a reply, less
 * the time spent waiting for a core, and resident memory. Where the system tells nothing, wall-clock time counts.
 */
export function watchProcess(
  pid: number,
  limits: ProcessLimits,
  exceed: (reason: string) => void,
): ProcessWatch {
  const measured = readUsage(pid) !== undefined;
  const read = (): ProcessUsage => {
    const usage = readUsage(pid);
    if (usage) return usage;
    return measured ? last : { ...NOTHING, cpuMs: isBusy ? performance.now() : last.cpuMs };
  };
  let isBusy = false;
  let last = NOTHING;
  last = read();
  let cpuAtSettled = last.cpuMs;
  /** CPU time of jobs that have settled since the start. */
  let settledCpuMs = 0;
  let cpuMs = limits.cpuMs;
  let reply: { readonly since: number; readonly waitMs: number } | undefined;
  let busySeconds = 0;
  let timer: NodeJS.Timeout | undefined;

  function judgeBusy(usage: ProcessUsage): string | undefined {
    const used = usage.cpuMs - cpuAtSettled;
    if (used > cpuMs) return `a job used ${Math.round(used)} ms of CPU time, ${cpuMs} are allowed`;
    if (reply) {
      const silent = performance.now() - reply.since - (usage.waitMs - reply.waitMs);
      if (silent > limits.silenceMs) return `it did not reply for ${Math.round(silent)} ms`;
    }
    return undefined;
  }

  function judgeIdle(usage: ProcessUsage): string | undefined {
    busySeconds = usage.cpuMs - last.cpuMs > limits.idleCpuMs ? busySeconds + 1 : 0;
    return busySeconds >= IDLE_SECONDS ? 'it keeps computing without a job' : undefined;
  }

  function sample(): void {
    const usage = read();
    const isOver = usage.memory > limits.hardMemoryMb * MB;
    const reason = isOver
      ? `it grew to ${Math.round(usage.memory / MB)} MB, ${limits.hardMemoryMb} are allowed`
      : isBusy || reply
        ? judgeBusy(usage)
        : judgeIdle(usage);
    last = usage;
    if (reason) exceed(reason);
  }

  function schedule(): void {
    clearInterval(timer);
    timer = setInterval(sample, isBusy || reply ? BUSY_SAMPLE_MS : IDLE_SAMPLE_MS);
    timer.unref();
  }

  function settle(): void {
    last = read();
    settledCpuMs += last.cpuMs - cpuAtSettled;
    cpuAtSettled = last.cpuMs;
  }

  schedule();
  return {
    jobStarted(limit) {
      cpuMs = Math.max(limit, isBusy ? cpuMs : 0);
      if (isBusy) return;
      // What it used between two jobs is not charged to the next one.
      settle();
      isBusy = true;
      busySeconds = 0;
      schedule();
    },
    jobSettled: settle,
    idle() {
      isBusy = false;
      schedule();
    },
    expectReply() {
      reply ??= { since: performance.now(), waitMs: read().waitMs };
      schedule();
    },
    replied() {
      reply = undefined;
      schedule();
    },
    awaitsReply: () => reply !== undefined,
    excuse() {
      const from = { waitMs: read().waitMs, settledCpuMs, loop: performance.eventLoopUtilization() };
      return () =>
        read().waitMs -
        from.waitMs +
        (settledCpuMs - from.settledCpuMs) +
        performance.eventLoopUtilization(from.loop).active;
    },
    memory: () => last.memory,
    stop: () => clearInterval(timer),
  };
}
