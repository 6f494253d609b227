import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface Job {
  readonly name: string;
  /** ms from the end of one run to the start of the next. */
  readonly everyMs: number;
  /** Gives how much was done, for the log. */
  readonly run: () => Promise<number> | number;
}

/**
 * Runs jobs side by side, each again and again until the signal is aborted.
 * One that fails is logged and comes again. Resolves when the last run ended.
 */
export async function runJobs(jobs: readonly Job[], logger: Logger, signal: AbortSignal): Promise<void> {
  const loop = async ({ name, everyMs, run }: Job) => {
    while (!signal.aborted) {
      try {
        const done = await run();
        if (done > 0) logger.info({ job: name, done }, 'job done');
      } catch (error) {
        logger.error({ err: error, job: name }, 'job failed');
      }
      await wait(everyMs, undefined, { signal }).catch(() => undefined);
    }
  };
  await Promise.all(jobs.map(loop));
}
