import { setTimeout as wait } from 'node:timers/promises';

export interface Visits {
  /** Requests so far, including failed ones. */
  readonly count: () => number;
  readonly failures: readonly string[];
  /** Waits for requests in flight. */
  stop(): Promise<void>;
}

/** Visitors who request pages until stopped; `visit` throws when a response is wrong. */
export function startVisitors(
  visitors: number,
  pauseMs: number,
  visit: (visit: number) => Promise<void>,
): Visits {
  const failures: string[] = [];
  let count = 0;
  let isOver = false;
  const come = async () => {
    while (!isOver) {
      count += 1;
      try {
        await visit(count);
      } catch (error) {
        const { message, cause } = error as Error;
        failures.push(cause instanceof Error ? `${message} (${cause.message})` : message);
      }
      await wait(pauseMs);
    }
  };
  const all = Array.from({ length: visitors }, come);
  return {
    count: () => count,
    failures,
    async stop() {
      isOver = true;
      await Promise.all(all);
    },
  };
}
