import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { openPool } from './pool.ts';
import type { RateLedger, Share } from './rateLimits.ts';

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
      const client = await (
        await (opening ??= openPool({
          url,
          maxConnections: 1,
          connectMs: TIMEOUT_MS,
          statementMs: TIMEOUT_MS,
          responseMs: TIMEOUT_MS,
        }))
      ).connect();
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
