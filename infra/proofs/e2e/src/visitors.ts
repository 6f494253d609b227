import { setTimeout as wait } from 'node:timers/promises';

export interface Visits {
  /** Requests so far; one whose answer is not whole counts in `failures`, too. */
  readonly count: () => number;
  readonly failures: readonly string[];
  /** Lets those under way end. */
  stop(): Promise<void>;
}

/** Visitors who come again and again until they are stopped; `visit` throws what is wrong with an answer. */
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
