import { AsyncLocalStorage } from 'node:async_hooks';
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database, { type Statement } from 'better-sqlite3';
import type { Sql, SqlValue } from './sql.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from './privateFiles.ts';

export type Db = Database.Database;

/** ms that a writer waits for another transaction. */
const BUSY_TIMEOUT_MS = 5000;

export interface OpenOptions {
  /**
   * `full` for user data: a commit is on disk before it returns. `normal` for
   * data that can be rebuilt: a power failure may lose the last commits, but
   * never corrupts the file.
   */
  readonly durability: 'full' | 'normal';
  /** Folder of numbered SQL files. */
  readonly migrations: string;
}

/** Creates the file with its mode before SQLite opens it, and tightens files of an earlier release or a backup. */
function makePrivate(path: string): void {
  if (path === ':memory:') return;
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  closeSync(openSync(path, 'a', PRIVATE_FILE));
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    if (existsSync(file)) chmodSync(file, PRIVATE_FILE);
}

/** A later release wrote the file. */
export class SchemaTooNewError extends Error {
  readonly code = 'SCHEMA_TOO_NEW';
}

/**
 * Opens or creates a database file, readable by the process's own user only, and
 * migrates its schema. Several processes may open the same file. Throws SchemaTooNewError, or SQLite's error for an
 * invalid file.
 */
export function openDatabase(path: string, { durability, migrations }: OpenOptions): Db {
  makePrivate(path);
  const db = new Database(path);
  try {
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    db.pragma('journal_mode = WAL');
    db.pragma(`synchronous = ${durability}`);
    db.pragma('foreign_keys = ON');
    migrate(db, migrations);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * '002-leads.sql' is version 2. '004-backfill.sqlite.sql' is for SQLite files only, '005-tables.postgres.sql' for PostgreSQL.
 * Throws an Error if two files have the same version, because the second would never run.
 */
export function migrationsOf(folder: string) {
  const migrations = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      version: Number.parseInt(file, 10),
      file,
      isForSqlite: !file.endsWith('.postgres.sql'),
      isForPostgres: !file.endsWith('.sqlite.sql'),
    }));
  for (const [at, { version, file }] of migrations.entries())
    if (migrations[at + 1]?.version === version)
      throw new Error(`${file} and ${migrations[at + 1]?.file} have the same version`);
  return migrations;
}

function migrate(db: Db, folder: string): void {
  const migrations = migrationsOf(folder);
  const newest = migrations.at(-1)?.version ?? 0;
  const current = () => db.pragma('user_version', { simple: true }) as number;
  if (current() > newest)
    throw new SchemaTooNewError(
      `The data has schema version ${current()}, but this release supports versions up to ${newest}`,
    );
  if (current() === newest) return;
  // Immediate: if two processes start together, the second waits and finds nothing to do.
  db.transaction(() => {
    for (const { version, file, isForSqlite } of migrations) {
      if (version <= current()) continue;
      if (isForSqlite) db.exec(readFileSync(join(folder, file), 'utf8'));
      db.pragma(`user_version = ${version}`);
    }
  }).immediate();
}

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

  const transaction = <T>(work: () => Promise<T>): Promise<T> =>
    inTransaction.getStore() ? work() : takeTurn(() => runTransaction(work));

  return {
    all: <Row>(text: string, ...values: readonly SqlValue[]) =>
      takeTurn(() => prepare(text).all(...values) as Row[]),
    get: <Row>(text: string, ...values: readonly SqlValue[]) =>
      takeTurn(() => prepare(text).get(...values) as Row | undefined),
    run: (text, ...values) => takeTurn(() => prepare(text).run(...values).changes),
    transaction,
    // A file has one writer at a time.
    inTurn: (_, work) => transaction(work),
    // Without statistics SQLite prefers indexes, too.
    analyze: () => Promise.resolve(),
    isAvailable: () => Promise.resolve(db.open),
    close: () => takeTurn(() => void db.close()),
  };
}
