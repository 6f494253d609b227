import type pg from 'pg';

const MAX_CONNECTIONS = 10;

interface PoolOptions {
  /** Its parameter `connections` is the number of connections, unless `maxConnections` is. */
  readonly url: string;
  readonly maxConnections?: number | undefined;
  /** ms to get a connection, from the pool or the server. */
  readonly connectMs: number;
  /** ms for one statement, and for a transaction that waits for its client. */
  readonly statementMs: number;
  /** ms after which a statement is given up here, although the server, or the network, says nothing. */
  readonly responseMs?: number;
  /** Settings of each connection, as of `psql`: '-c search_path=people'. */
  readonly settings?: string;
  /** Called for lost connections; the next statement opens another one. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** The URL without the parameter that the server doesn't know. */
export function addressOf(url: string): URL {
  const address = new URL(url);
  address.searchParams.delete('connections');
  return address;
}

/**
 * A pool of connections to PostgreSQL; the driver is loaded with the first one. A lost connection, idle or not, fails its
 * statement only.
 */
export async function openPool({
  url,
  maxConnections,
  connectMs,
  statementMs,
  responseMs,
  settings,
  onError,
}: PoolOptions): Promise<pg.Pool> {
  const { default: driver } = await import('pg');
  const connections = new URL(url).searchParams.get('connections');
  const { types } = driver;
  const pool = new driver.Pool({
    connectionString: connections === null ? url : addressOf(url).href,
    max: maxConnections ?? Number(connections ?? MAX_CONNECTIONS),
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    ...(responseMs !== undefined && { query_timeout: responseMs }),
    idle_in_transaction_session_timeout: statementMs,
    keepAlive: true,
    ...(settings !== undefined && { options: settings }),
    // count(*) and times are 64-bit integers, which `pg` returns as text by default.
    types: {
      getTypeParser: (type, format) =>
        type === types.builtins.INT8 ? Number : (types.getTypeParser(type, format) as never),
    },
  });
  // A connection that is lost between two statements of a transaction has no other listener, which would end the process.
  pool.on('connect', (client) => client.on('error', (error) => onError?.(error)));
  // Idle connections report their loss here too.
  pool.on('error', () => undefined);
  return pool;
}
