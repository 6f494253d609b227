import type { Sql } from '@forecourt/service-kit/sql';
import { runOf, writeRows } from '@forecourt/service-kit/sqlRows';
import type { StockListing } from '../../domain/stock.ts';
import { changeStock, indexedColumns, supersede } from './inventoryTables.ts';
import { createListingPhotos } from './listingPhotos.ts';

/** Records imports, so that the last one of a source can be undone. */
export interface ImportLog {
  /** From now on, changes of the source's listings can be undone, and those of its import before no more. */
  begin(source: string): Promise<void>;
  /** `feed` names the content of the feed, `summary` is JSON. */
  finish(source: string, done?: { feed: string; summary: string }): Promise<void>;
  /** Summary of the last import of the source if it was of the same feed. */
  repeated(source: string, feed: string): Promise<string | undefined>;
  /**
   * Restores the listings as they were before the last import of the source; undefined if there is none. Photos that
   * were stored since stay with their listings, and what another source lists by now stays as it is. An undo that was
   * interrupted continues when it is called again.
   */
  undo(source: string): Promise<{ removed: number; restored: number } | undefined>;
  /** How many vehicles for sale of the source other sources list too, by their VIN. */
  countSharedVins(source: string): Promise<number>;
}

/** Listings that one change undoes, so that other writers wait a moment only. */
const UNDONE = 250;

const RESTORE = `UPDATE listings SET seq = ?, row_key = NULL, source = v.column2, body = v.column3,
  removed_at = CAST(v.column4 AS BIGINT), changed_on = CAST(v.column5 AS BIGINT), stock_key = v.column6 FROM (`;

interface Undone {
  readonly id: string;
  readonly source: string;
  readonly body: string;
  readonly removedAt: number | null;
  /** 0: another source has changed it since. */
  readonly isOwn: number;
}

export function createImportLog(sql: Sql, now: () => number = Date.now): ImportLog {
  const photos = createListingPhotos(sql);

  async function finish(source: string, done?: { feed: string; summary: string }): Promise<void> {
    await sql.run(
      'UPDATE imports SET finished_at = ?, feed = ?, summary = ? WHERE source = ?',
      now(),
      done?.feed ?? null,
      done?.summary ?? null,
      source,
    );
  }

  /** Removes some of the listings that arrived with the import; returns their number. */
  const removeAdded = (source: string, lastArrival: number): Promise<number> =>
    changeStock(sql, async (next) => {
      const rows = await sql.all<{ id: string }>(
        `SELECT id FROM listings WHERE source = ? AND arrival > ? AND removed_at IS NULL LIMIT ${UNDONE}`,
        source,
        lastArrival,
      );
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      const change = await next();
      await supersede(sql, 'listing', ids, { change, now: now() });
      const REMOVE = 'UPDATE listings SET removed_at = ?, seq = ?, row_key = NULL WHERE id IN (?)';
      return runOf(sql, REMOVE, ids, now(), change);
    });

  /** Restores some of the listings that the import changed; undefined when none is left. */
  const restoreSome = (source: string): Promise<number | undefined> =>
    changeStock(sql, async (next) => {
      const rows = await sql.all<Undone>(
        `SELECT u.listing_id AS id, u.listing_source AS source, u.body, u.removed_at AS "removedAt",
           CASE WHEN l.source = u.source THEN 1 ELSE 0 END AS "isOwn"
         FROM import_undo u JOIN listings l ON l.id = u.listing_id WHERE u.source = ? LIMIT ${UNDONE}`,
        source,
      );
      if (rows.length === 0) return undefined;
      const own = rows.filter(({ isOwn }) => isOwn === 1);
      const ids = own.map(({ id }) => id);
      if (own.length > 0) {
        const change = await next();
        await supersede(sql, 'listing', ids, { change, now: now() });
        await writeRows(
          sql,
          RESTORE,
          own.map(({ id, source: before, body, removedAt }) => {
            const indexed = indexedColumns(JSON.parse(body) as StockListing);
            return [id, before, body, removedAt, ...indexed];
          }),
          ') AS v WHERE listings.id = v.column1',
          change,
        );
        await photos.publish(ids, next, now());
      }
      const FORGET = 'DELETE FROM import_undo WHERE source = ? AND listing_id IN (?)';
      await runOf(
        sql,
        FORGET,
        rows.map(({ id }) => id),
        source,
      );
      return own.length;
    });

  return {
    async countSharedVins(source) {
      // A stand-in for a missing VIN starts with 0.
      const row = await sql.get<{ count: number }>(
        `SELECT count(*) AS count FROM listings own WHERE source = ? AND removed_at IS NULL AND vin NOT LIKE '0%' AND EXISTS
           (SELECT 1 FROM listings other WHERE other.vin = own.vin AND other.removed_at IS NULL AND other.source <> own.source)`,
        source,
      );
      return row?.count ?? 0;
    },
    begin: (source) =>
      // No change is written between the newest arrival and the beginning.
      sql.inTurn('stock', async () => {
        const running = await sql.get(
          'SELECT 1 AS found FROM imports WHERE source = ? AND finished_at IS NULL',
          source,
        );
        // An interrupted import goes on.
        if (running) return;
        await sql.run('DELETE FROM import_undo WHERE source = ?', source);
        await sql.run('DELETE FROM imports WHERE source = ?', source);
        await sql.run(
          `INSERT INTO imports (source, started_at, last_arrival)
           SELECT CAST(? AS TEXT), CAST(? AS BIGINT), coalesce(max(arrival), 0) FROM listings`,
          source,
          now(),
        );
      }),
    finish,
    async repeated(source, feed) {
      const row = await sql.get<{ summary: string | null }>(
        'SELECT summary FROM imports WHERE source = ? AND feed = ? AND finished_at IS NOT NULL',
        source,
        feed,
      );
      return row?.summary ?? undefined;
    },
    async undo(source) {
      const last = await sql.get<{ arrival: number }>(
        'SELECT last_arrival AS arrival FROM imports WHERE source = ?',
        source,
      );
      if (!last) return undefined;
      // Ends an interrupted import too: what follows is not to be recorded.
      await finish(source);
      const undone = { removed: 0, restored: 0 };
      for (let some = 1; some > 0; undone.removed += some) some = await removeAdded(source, last.arrival);
      for (let some = await restoreSome(source); some !== undefined; some = await restoreSome(source))
        undone.restored += some;
      await sql.run('DELETE FROM imports WHERE source = ?', source);
      return undone;
    },
  };
}

/**
 * `held`: imported, but listings that the feed lacks wait for an approval to expire. `undone` and `removed` are changes by an
 * operator: the last import was taken back, all listings of the source were removed.
 */
export type FeedStatus = 'imported' | 'unchanged' | 'held' | 'failed' | 'undone' | 'removed';

export interface FeedRun {
  readonly id: number;
  readonly source: string;
  /** ms since 1970 */
  readonly startedAt: number;
  /** Null while it runs, and when it was interrupted. */
  readonly finishedAt: number | null;
  readonly status: FeedStatus | null;
  readonly report: string | null;
  /** JSON of what it counted and refused; null unless the feed was read. */
  readonly details: string | null;
}

/** What became of the imports of each source. */
export interface FeedRuns {
  /** Returns the function that records its end. */
  begin(source: string): Promise<(status: FeedStatus, report: string, details?: string) => Promise<void>>;
  /** The newest first. */
  list(source?: string): Promise<FeedRun[]>;
  /** The newest of each source. */
  latest(): Promise<FeedRun[]>;
  /** The newest start in ms since 1970, and how many of the newest runs, one after the other, have no end. */
  last(source: string): Promise<{ readonly startedAt: number; readonly unfinished: number } | undefined>;
}

/** Stored runs per source. */
const MAX_RUNS = 100;

const RUNS =
  'SELECT id, source, started_at AS "startedAt", finished_at AS "finishedAt", status, report, details FROM feed_runs';

export function createFeedRuns(sql: Sql, now: () => number = Date.now): FeedRuns {
  return {
    async begin(source) {
      const run = await sql.get<{ id: number }>(
        'INSERT INTO feed_runs (source, started_at) VALUES (?, ?) RETURNING id',
        source,
        now(),
      );
      await sql.run(
        `DELETE FROM feed_runs WHERE source = ? AND id NOT IN
           (SELECT id FROM feed_runs WHERE source = ? ORDER BY id DESC LIMIT ${MAX_RUNS})`,
        source,
        source,
      );
      return async (status, report, details) => {
        await sql.run(
          'UPDATE feed_runs SET finished_at = ?, status = ?, report = ?, details = ? WHERE id = ?',
          now(),
          status,
          report,
          details ?? null,
          run!.id,
        );
      };
    },
    list: (source) =>
      source === undefined
        ? sql.all<FeedRun>(`${RUNS} ORDER BY id DESC`)
        : sql.all<FeedRun>(`${RUNS} WHERE source = ? ORDER BY id DESC`, source),
    latest: () =>
      sql.all<FeedRun>(`${RUNS} WHERE id IN (SELECT max(id) FROM feed_runs GROUP BY source) ORDER BY source`),
    async last(source) {
      const row = await sql.get<{ startedAt: number | null; unfinished: number }>(
        `SELECT max(started_at) AS "startedAt",
           count(*) FILTER (WHERE id > coalesce(
             (SELECT max(id) FROM feed_runs WHERE source = ? AND finished_at IS NOT NULL), 0)) AS unfinished
         FROM feed_runs WHERE source = ?`,
        source,
        source,
      );
      const { startedAt = null, unfinished = 0 } = row ?? {};
      return startedAt === null ? undefined : { startedAt, unfinished };
    },
  };
}
