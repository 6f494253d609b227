import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';

export type Db = Database.Database;

/** ms; how long a writer waits for another one's transaction. */
const BUSY_TIMEOUT_MS = 5000;

export interface OpenOptions {
  /**
   * `full` for what a person entered: a commit is on the disk before it
   * returns. `normal` for what can be made again; in WAL mode a power cut
   * loses the last commits but never the file.
   */
  readonly durability: 'full' | 'normal';
  /** Folder of numbered SQL files. */
  readonly migrations: string;
  /** Only the process's own user may read the file. */
  readonly isPrivate?: boolean;
}

/** The file's schema is newer than this program: a later release wrote it. */
export class SchemaTooNewError extends Error {
  readonly code = 'SCHEMA_TOO_NEW';
}

/**
 * Opens (and makes, with its folder) a database file and brings its schema up
 * to date. Several processes may open the same file at once. Throws
 * SchemaTooNewError, or SQLite's own error for a file that is none.
 */
export function openDatabase(path: string, { durability, migrations, isPrivate }: OpenOptions): Db {
  mkdirSync(dirname(path), { recursive: true });
  const db = new Database(path);
  try {
    if (isPrivate) chmodSync(path, 0o600);
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

/** '002-leads.sql' is version 2. */
const migrationsOf = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ version: Number.parseInt(file, 10), file }));

function migrate(db: Db, folder: string): void {
  const known = migrationsOf(folder);
  const newest = known.at(-1)?.version ?? 0;
  const current = () => db.pragma('user_version', { simple: true }) as number;
  if (current() > newest)
    throw new SchemaTooNewError(`The data has schema ${current()}, this release knows up to ${newest}`);
  if (current() === newest) return;
  // Immediate: of two processes that start together, one waits and finds the work done.
  db.transaction(() => {
    for (const { version, file } of known) {
      if (version <= current()) continue;
      db.exec(readFileSync(join(folder, file), 'utf8'));
      db.pragma(`user_version = ${version}`);
    }
  }).immediate();
}
