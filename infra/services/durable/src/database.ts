import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';

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

/** Modes of data: only the process's own user reads them. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

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
 * '002-leads.sql' is version 2. '004-backfill.sqlite.sql' changes rows that only SQLite files have. Throws an Error if two
 * files have the same version, because the second would never run.
 */
export function migrationsOf(folder: string) {
  const migrations = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      version: Number.parseInt(file, 10),
      file,
      isForSqlite: file.endsWith('.sqlite.sql'),
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
    for (const { version, file } of migrations) {
      if (version <= current()) continue;
      db.exec(readFileSync(join(folder, file), 'utf8'));
      db.pragma(`user_version = ${version}`);
    }
  }).immediate();
}
