import { createHash } from 'node:crypto';
import type { Sql } from './sql.ts';

/** Counters of express-rate-limit that replicas share (its `Store`). */
export interface RateCounters {
  /** Tells the counters of one request apart. */
  readonly prefix: string;
  readonly init: (options: { readonly windowMs: number }) => void;
  readonly increment: (key: string) => Promise<{ totalHits: number; resetTime: Date }>;
  readonly decrement: (key: string) => Promise<void>;
  readonly resetKey: (key: string) => Promise<void>;
}

/** Creates the counters of one limit; those of different names don't mix. */
export type CreateRateCounters = (name: string) => RateCounters;

/**
 * Counters in the table `rate_count (key, hits, reset_at)`. Keys are hashed: they may be addresses of networks or people.
 * Windows begin with the first hit.
 */
export const createRateCounters =
  (sql: Sql, now: () => number = Date.now): CreateRateCounters =>
  (name) => {
    let windowMs = 60_000;
    const hashOf = (key: string) => createHash('sha256').update(`${name} ${key}`).digest('base64url');
    return {
      prefix: name,
      init(options) {
        windowMs = options.windowMs;
      },
      async increment(key) {
        const at = now();
        const row = await sql.get<{ hits: number; reset_at: number }>(
          `INSERT INTO rate_count (key, hits, reset_at) VALUES (?, 1, ?)
           ON CONFLICT (key) DO UPDATE SET
             hits = CASE WHEN rate_count.reset_at <= ? THEN 1 ELSE rate_count.hits + 1 END,
             reset_at = CASE WHEN rate_count.reset_at <= ? THEN excluded.reset_at ELSE rate_count.reset_at END
           RETURNING hits, reset_at`,
          hashOf(key),
          at + windowMs,
          at,
          at,
        );
        return { totalHits: row!.hits, resetTime: new Date(row!.reset_at) };
      },
      async decrement(key) {
        await sql.run('UPDATE rate_count SET hits = hits - 1 WHERE key = ? AND hits > 0', hashOf(key));
      },
      async resetKey(key) {
        await sql.run('DELETE FROM rate_count WHERE key = ?', hashOf(key));
      },
    };
  };

/** Deletes counters whose window has ended, and returns their number. */
export const sweepRateCounters = (sql: Sql, now: () => number = Date.now): Promise<number> =>
  sql.run('DELETE FROM rate_count WHERE reset_at <= ?', now());
