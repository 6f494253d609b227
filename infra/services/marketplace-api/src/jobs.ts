import { setTimeout as wait } from 'node:timers/promises';
import { Alarm } from '@forecourt/service-kit/alarm';
import { createLease, type Lease } from '@forecourt/service-kit/lease';
import type { Logger } from '@forecourt/service-kit/log';
import type { Sql } from '@forecourt/service-kit/sql';

/** ms between two looks at a job that another replica runs. */
const TAKEOVER_MS = 10_000;
/** ms, at least, until the next attempt after one that failed, or while another replica runs the job. */
const RETRY_MS = 1_000;

export interface Job {
  readonly name: string;
  /** ms from the end of one run to the start of the next. */
  readonly everyMs: number;
  /** Returns how much was done, for the log. */
  readonly run: (signal: AbortSignal) => Promise<number> | number;
  /** Works on what replicas share: one of them runs it at a time. */
  readonly isShared?: boolean;
  /** Instead of the one by its name. */
  readonly lease?: Lease;
  /** Ends the pause after a run that did nothing. */
  readonly alarm?: Alarm;
}

/** Where jobs run, until when, and what they report to. */
interface JobRunner {
  /** Of leases. */
  readonly sql: Sql;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

async function runJob(job: Job, parts: JobRunner): Promise<void> {
  const { name, everyMs, run, isShared = false } = job;
  const { sql, logger, signal } = parts;
  const lease = job.lease ?? (isShared ? createLease(sql, name) : undefined);
  const alarm = job.alarm ?? new Alarm();
  while (!signal.aborted) {
    let pauseMs = everyMs;
    let canWake = false;
    try {
      const lost = lease ? await lease.hold() : new AbortController().signal;
      if (!lost) pauseMs = Math.min(Math.max(everyMs, RETRY_MS), TAKEOVER_MS);
      const done = lost ? await run(AbortSignal.any([signal, lost])) : 0;
      if (done > 0) logger.info({ job: name, done }, 'job done');
      canWake = lost !== undefined && done === 0;
    } catch (error) {
      logger.error({ err: error, job: name }, 'job failed');
      pauseMs = Math.max(pauseMs, RETRY_MS);
    }
    if (canWake) await alarm.pause(pauseMs, signal);
    else await wait(pauseMs, undefined, { signal }).catch(() => undefined);
  }
  await lease
    ?.release()
    .catch((error: unknown) => logger.warn({ err: error, job: name }, 'lease not released'));
}

/**
 * Runs jobs concurrently and repeatedly until the signal is aborted. A failed
 * run is logged and repeated. Resolves when the last run has ended.
 */
export async function runJobs(jobs: readonly Job[], parts: JobRunner): Promise<void> {
  await Promise.all(jobs.map((job) => runJob(job, parts)));
}
