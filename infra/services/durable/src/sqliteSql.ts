import { AsyncLocalStorage } from 'node:async_hooks';
import type { Statement } from 'better-sqlite3';
import { type Db, type OpenOptions, openDatabase } from './database.ts';
import type { Sql, SqlValue } from './sql.ts';

/** Opens or creates a SQLite file, and migrates its schema. */
export const openSqlite = (path: string, options: OpenOptions): Sql =>
  createSqliteSql(openDatabase(path, options));

/** Statements over an open file, which `close` closes. */
export function createSqliteSql(db: Db): Sql {
  const statements = new Map<string, Statement<SqlValue[]>>();
  const prepare = (text: string) => {
    const statement = statements.get(text) ?? db.prepare<SqlValue[]>(text);
    statements.set(text, statement);
    return statement;
  };
  const inTransaction = new AsyncLocalStorage<true>();
  // One connection: a statement outside a transaction waits for its end, or it would be rolled back with it.
  let lastTurn: Promise<unknown> = Promise.resolve();
  const takeTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    if (inTransaction.getStore()) return Promise.resolve().then(work);
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => undefined);
    return turn;
  };

  async function runTransaction<T>(work: () => Promise<T>): Promise<T> {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = await inTransaction.run(true, work);
      db.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk ends the transaction by itself.
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    all: <Row>(text: string, ...values: readonly SqlValue[]) =>
      takeTurn(() => prepare(text).all(...values) as Row[]),
    get: <Row>(text: string, ...values: readonly SqlValue[]) =>
      takeTurn(() => prepare(text).get(...values) as Row | undefined),
    run: (text, ...values) => takeTurn(() => prepare(text).run(...values).changes),
    transaction: (work) => (inTransaction.getStore() ? work() : takeTurn(() => runTransaction(work))),
    isAvailable: () => Promise.resolve(db.open),
    close: () => takeTurn(() => void db.close()),
  };
}
