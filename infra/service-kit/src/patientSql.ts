import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseUnavailableError, type Sql } from './sql.ts';

/**
 * ms of an outage in which reads wait for its end: a crashed server is back sooner, and pages are only slow. Half of what a
 * shell waits for a search.
 */
const PATIENCE_MS = 10_000;
/** ms between two attempts. */
const PAUSE_MS = 100;

/**
 * For reads that visitors wait for: at the beginning of an outage of the database they are repeated instead of failing;
 * later they fail at once. Writes are not repeated, because they may have taken effect.
 */
export function patientSql(sql: Sql, { patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS } = {}): Sql {
  const inTransaction = new AsyncLocalStorage<true>();
  let awaySince: number | undefined;
  async function patiently<T>(text: string, read: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const result = await read();
        awaySince = undefined;
        return result;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError)) throw error;
        awaySince ??= Date.now();
        const isRepeatable = /^\s*SELECT\b/i.test(text) && !inTransaction.getStore();
        if (!isRepeatable || Date.now() - awaySince > patienceMs) throw error;
        await wait(pauseMs);
      }
    }
  }
  const whole = <T>(work: () => Promise<T>) => inTransaction.run(true, work);
  return {
    ...sql,
    all: (text, ...values) => patiently(text, () => sql.all(text, ...values)),
    get: (text, ...values) => patiently(text, () => sql.get(text, ...values)),
    transaction: (work) => sql.transaction(() => whole(work)),
    inTurn: (name, work) => sql.inTurn(name, () => whole(work)),
  };
}
