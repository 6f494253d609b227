import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseUnavailableError, type Sql } from './sql.ts';

interface PersistentOptions {
  /** ms for which the database may be away. */
  readonly limitMs?: number;
  /** ms between two attempts. */
  readonly pauseMs?: number;
  /** Called when it waits, once per call that does. */
  readonly onWait?: () => void;
}

/** ms for which a database may be away. */
const LIMIT_MS = 60_000;
/** ms between two attempts. */
const PAUSE_MS = 500;

/** Repeats work while the database is away. @throws the error of the last attempt */
export async function untilAvailable<T>(
  work: () => Promise<T>,
  { limitMs = LIMIT_MS, pauseMs = PAUSE_MS, onWait }: PersistentOptions = {},
): Promise<T> {
  const until = Date.now() + limitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError) || Date.now() > until) throw error;
      if (attempt === 1) onWait?.();
      await wait(pauseMs);
    }
  }
}

/**
 * For work that outlasts a restart of the database, and that nobody waits for: statements and whole transactions are repeated
 * while it is away. One that was committed before the connection was lost takes effect twice, so all must be repeatable.
 */
export function persistentSql(sql: Sql, options?: PersistentOptions): Sql {
  const inTransaction = new AsyncLocalStorage<true>();
  // In a transaction, the whole of it begins again.
  const repeated = <T>(work: () => Promise<T>): Promise<T> =>
    inTransaction.getStore() ? work() : untilAvailable(work, options);
  const whole = <T>(work: () => Promise<T>): Promise<T> => repeated(() => inTransaction.run(true, work));
  return {
    ...sql,
    all: (text, ...values) => repeated(() => sql.all(text, ...values)),
    get: (text, ...values) => repeated(() => sql.get(text, ...values)),
    run: (text, ...values) => repeated(() => sql.run(text, ...values)),
    transaction: (work) => whole(() => sql.transaction(work)),
    inTurn: (name, work) => whole(() => sql.inTurn(name, work)),
    analyze: (tables) => repeated(() => sql.analyze(tables)),
  };
}
