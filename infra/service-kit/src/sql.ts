const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '']);

/** Whether a connection to a `postgres://` URL is encrypted and the server's certificate checked, or stays on this machine. */
export function isPrivateConnection(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  return searchParams.get('sslmode') === 'verify-full' || LOOPBACK.has(hostname);
}

/** Values of parameters. Times are integers: ms or s since 1970. */
export type SqlValue = string | number | null;

/** The database can't be reached, or the connection was lost: a statement in flight may have taken effect. */
export class DatabaseUnavailableError extends Error {
  readonly code = 'DATABASE_UNAVAILABLE';
}

/**
 * A database behind stores. The SQL is the common part of SQLite and PostgreSQL, with `?` for parameters and
 * `ON CONFLICT` for upserts. Rejects with the driver's error, or DatabaseUnavailableError.
 */
export interface Sql {
  readonly all: <Row>(text: string, ...values: readonly SqlValue[]) => Promise<Row[]>;
  /** The first row. */
  readonly get: <Row>(text: string, ...values: readonly SqlValue[]) => Promise<Row | undefined>;
  /** Returns the number of changed rows. */
  readonly run: (text: string, ...values: readonly SqlValue[]) => Promise<number>;
  /**
   * Runs `work` as if no other transaction ran at the same time; all its statements take effect, or none. Statements of
   * any store that `work` calls belong to the transaction, as does a transaction inside it. PostgreSQL may run `work`
   * several times, so it must do nothing but use the database.
   */
  readonly transaction: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * A transaction after all others of the same name, of any process: each sees what those before it have committed, and
   * they commit in the order of their numbers, so a counter in it has no gaps that are filled later. Unlike `transaction`, it
   * watches nothing that it reads, so large writes neither conflict nor run twice, except after a deadlock.
   */
  readonly inTurn: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  /** After many rows were written: lets the database look at those of these tables that it has no statistics of. */
  readonly analyze: (tables: readonly string[]) => Promise<void>;
  /** Whether the database responds. */
  readonly isAvailable: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}
