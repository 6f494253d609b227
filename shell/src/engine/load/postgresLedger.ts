import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { Gauge, Histogram, type Registry } from 'prom-client';
import {
  createRateLimits,
  type Exchange,
  type RateLedger,
  type RateLimits,
  type Share,
} from './rateLimits.ts';

/** ms for a connection and for a statement: the counts of an exchange that takes longer are soon out of date. */
const TIMEOUT_MS = 2_000;
const SWEEP_MS = 60_000;
/** ms for which counts stay after their window, because clocks differ. */
const GRACE_MS = 60_000;

/**
 * Key of the advisory lock under which replicas create the table. It is not logged: a crash of the server may lose it, and
 * replicas write their counts again.
 */
const CREATE = `
  SELECT pg_advisory_xact_lock(4173220702);
  CREATE SCHEMA IF NOT EXISTS shell;
  CREATE UNLOGGED TABLE IF NOT EXISTS shell.rate_share (
    key TEXT NOT NULL, replica UUID NOT NULL, hits INT NOT NULL, until BIGINT NOT NULL, PRIMARY KEY (key, replica));
  CREATE INDEX IF NOT EXISTS rate_share_until ON shell.rate_share (until);`;

const WRITE = `
  INSERT INTO shell.rate_share (key, replica, hits, until)
  SELECT key, $4, hits, until FROM unnest($1::text[], $2::int[], $3::bigint[]) AS share (key, hits, until)
  ON CONFLICT (key, replica) DO UPDATE SET hits = excluded.hits`;
const READ = `
  SELECT key, sum(hits)::int AS hits FROM shell.rate_share
  WHERE key = ANY($1::text[]) AND replica <> $2 GROUP BY key`;

/** A pool of one connection; the driver is loaded with the first one. */
export async function openPool(url: string): Promise<pg.Pool> {
  const { default: driver } = await import('pg');
  const pool = new driver.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    keepAlive: true,
  });
  // A lost connection, idle or not: its query fails, and the next one opens another connection.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  return pool;
}

/**
 * The counts of all shells in a table of PostgreSQL, which the first one creates: a row per client, window and process. Rows
 * are deleted after their window.
 */
export function createPostgresLedger(url: string, now: () => number = Date.now): RateLedger {
  const replica = randomUUID();
  let opening: Promise<pg.Pool> | undefined;
  let hasTable = false;
  let sweptAt = now();

  async function prepare(client: pg.PoolClient): Promise<void> {
    const { rows } = await client.query<{ found: boolean }>(
      `SELECT to_regclass('shell.rate_share') IS NOT NULL AS found`,
    );
    if (!rows[0]?.found) await client.query(CREATE);
    hasTable = true;
  }

  async function exchange(client: pg.PoolClient, shares: readonly Share[]) {
    if (!hasTable) await prepare(client);
    const keys = shares.map(({ key }) => key);
    const columns = [keys, shares.map(({ hits }) => hits), shares.map(({ until }) => until)];
    await client.query(WRITE, [...columns, replica]);
    // After the write is committed, or two replicas at the same time could miss each other.
    const { rows } = await client.query<{ key: string; hits: number }>(READ, [keys, replica]);
    if (now() - sweptAt >= SWEEP_MS) {
      sweptAt = now();
      await client.query('DELETE FROM shell.rate_share WHERE until <= $1', [sweptAt - GRACE_MS]);
    }
    return new Map(rows.map(({ key, hits }) => [key, hits]));
  }

  return {
    async exchange(shares) {
      const client = await (await (opening ??= openPool(url))).connect();
      try {
        const others = await exchange(client, shares);
        client.release();
        return others;
      } catch (error) {
        hasTable = false;
        // A connection of unknown state is not reused.
        client.release(true);
        throw error;
      }
    },
    close: async () => void (await (await opening)?.end()),
  };
}

interface Observers {
  readonly logger: Logger;
  readonly metrics: Registry;
}

/** Reports exchanges of shared limits: metrics, and one line when the database becomes unavailable or returns. */
function observeExchanges({ logger, metrics }: Observers): (exchange: Exchange) => void {
  const isShared = new Gauge({
    name: 'forecourt_limits_shared',
    help: '1 while rate limits count for all shells, 0 while this one counts alone because the database is unavailable',
    registers: [metrics],
  });
  const seconds = new Histogram({
    name: 'forecourt_limits_exchange_seconds',
    help: 'Time of each exchange of counts with the database, in seconds',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 2.5],
    registers: [metrics],
  });
  let isAvailable = true;
  isShared.set(1);
  return (exchange) => {
    const isNow = 'ms' in exchange;
    if ('ms' in exchange) seconds.observe(exchange.ms / 1000);
    if (isNow === isAvailable) return;
    isAvailable = isNow;
    isShared.set(Number(isNow));
    if ('error' in exchange) logger.warn({ err: exchange.error }, 'rate limits count for this shell alone');
    else logger.info('rate limits count for all shells again');
  };
}

/** Limits of all shells that use the database, or without one of this process. */
export const openLimits = (url: string | undefined, observers: Observers): RateLimits =>
  url === undefined
    ? createRateLimits()
    : createRateLimits({ ledger: createPostgresLedger(url), observe: observeExchanges(observers) });
