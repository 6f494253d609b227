import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseUnavailableError, type Sql } from './sql.ts';

/** ms for which a database may be away. */
const LIMIT_MS = 60_000;
/** ms between two attempts. */
const PAUSE_MS = 500;

/**
 * For work that outlasts a restart of the database, and that nobody waits for: statements and whole transactions are repeated
 * while it is away. One that was committed before the connection was lost takes effect twice, so all must be repeatable.
 */
export function persistentSql(sql: Sql, { limitMs = LIMIT_MS, pauseMs = PAUSE_MS } = {}): Sql {
  const inTransaction = new AsyncLocalStorage<true>();
  async function repeated<T>(work: () => Promise<T>): Promise<T> {
    // Its transaction is lost, and begins again.
    if (inTransaction.getStore()) return work();
    for (const until = Date.now() + limitMs; ;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError) || Date.now() > until) throw error;
        await wait(pauseMs);
      }
    }
  }
  const whole = <T>(work: () => Promise<T>): Promise<T> => repeated(() => inTransaction.run(true, work));
  return {
    ...sql,
    all: (text, ...values) => repeated(() => sql.all(text, ...values)),
    get: (text, ...values) => repeated(() => sql.get(text, ...values)),
    run: (text, ...values) => repeated(() => sql.run(text, ...values)),
    transaction: (work) => whole(() => sql.transaction(work)),
    inTurn: (name, work) => whole(() => sql.inTurn(name, work)),
  };
}
