import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';

export type Db = Database.Database;

const MIGRATIONS = join(import.meta.dirname, 'migrations');
/** ms; how long a writer waits for another one's transaction. */
const BUSY_TIMEOUT_MS = 5000;

/** The file's schema is newer than this program: a later release wrote it. */
export class SchemaTooNewError extends Error {
  readonly code = 'SCHEMA_TOO_NEW';
}

/**
 * Opens (and makes, with its folder) the accounts' database and brings its
 * schema up to date. A commit is on the disk before it returns. Only the
 * process's own user may read the file. Throws SchemaTooNewError, or SQLite's
 * own error for a file that is none.
 */
export function openDatabase(path: string): Db {
  mkdirSync(dirname(path), { recursive: true });
  const db = new Database(path);
  try {
    chmodSync(path, 0o600);
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = full');
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function migrate(db: Db): void {
  // '001-accounts.sql' is version 1.
  const known = readdirSync(MIGRATIONS)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ version: Number.parseInt(file, 10), file }));
  const newest = known.at(-1)?.version ?? 0;
  const current = () => db.pragma('user_version', { simple: true }) as number;
  if (current() > newest)
    throw new SchemaTooNewError(`The data has schema ${current()}, this release knows up to ${newest}`);
  if (current() === newest) return;
  // Immediate: of two processes that start together, one waits and finds the work done.
  db.transaction(() => {
    for (const { version, file } of known) {
      if (version <= current()) continue;
      db.exec(readFileSync(join(MIGRATIONS, file), 'utf8'));
      db.pragma(`user_version = ${version}`);
    }
  }).immediate();
}
