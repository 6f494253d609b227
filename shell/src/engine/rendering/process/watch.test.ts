import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessUsage } from './usage.ts';
import { type ProcessLimits, ProcessWatch } from './watch.ts';

const LIMITS: ProcessLimits = {
  cpuMs: Infinity,
  normalCpuMs: Infinity,
  idleCpuMs: Infinity,
  otherThreadsMs: Infinity,
  otherThreadsShare: 1,
  silenceMs: 200,
  bootMs: Infinity,
  softMemoryMb: Infinity,
  hardMemoryMb: Infinity,
  maxCalls: Infinity,
  maxMessages: Infinity,
  maxSentBytes: Infinity,
  maxUnreadBytes: Infinity,
  shellShare: 1,
  shellMs: Infinity,
};
const USAGE: ProcessUsage = { cpuMs: 0, waitMs: 0, memory: 0 };

let watch: ProcessWatch;
/** Watches a process that sleeps; returns the reasons for which it would be killed. */
function watchSleeper(): string[] {
  const reasons: string[] = [];
  const source = {
    usage: () => USAGE,
    runTime: () => USAGE,
    allCpuMs: () => 0,
    lowerPriority() {},
    close() {},
  };
  watch = new ProcessWatch(source, LIMITS, (reason) => reasons.push(reason));
  watch.expectReply();
  return reasons;
}

/** Keeps this process from reading replies. */
function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('a process that owes a reply', () => {
  afterEach(() => watch.stop());

  it('is killed for its silence', async () => {
    const reasons = watchSleeper();
    await wait(600);
    expect(reasons[0]).toMatch(/^it did not reply for \d+ ms$/);
  });

  it('does not benefit from a delay before it owed the reply', async () => {
    const reasons = watchSleeper();
    watch.replied();
    block(600);
    watch.expectReply();
    await wait(400);
    expect(reasons[0]).toMatch(/^it did not reply for \d+ ms$/);
  });

  it('is not blamed for the time in which the shell did not listen', async () => {
    const reasons = watchSleeper();
    block(600);
    // After the timers that are due.
    await wait(0);
    watch.replied();
    expect(reasons).toEqual([]);
  });
});
