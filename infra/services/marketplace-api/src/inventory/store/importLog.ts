import type { Db } from '@forecourt/service-kit/database';
import type { StockListing } from '../../domain/stock.ts';
import { createListingPhotos } from './listingPhotos.ts';
import { indexedColumns } from './listingStore.ts';

/** Records imports, so that the last one of a source can be undone. */
export interface ImportLog {
  /** From now on, changes of the source's listings can be undone, and those of its import before no more. */
  begin(source: string): void;
  /** `feed` names the content of the feed, `summary` is JSON. */
  finish(source: string, done?: { feed: string; summary: string }): void;
  /** Summary of the last import of the source if it was of the same feed. */
  repeated(source: string, feed: string): string | undefined;
  /**
   * Restores the listings as they were before the last import of the source; undefined if there is none. Photos that
   * were stored since stay with their listings.
   */
  undo(source: string): { removed: number; restored: number } | undefined;
  /** How many vehicles for sale of the source other sources list too, by their VIN. */
  countSharedVins(source: string): number;
}

export function createImportLog(db: Db, now: () => number = Date.now): ImportLog {
  const photos = createListingPhotos(db);
  const forget = db.prepare('DELETE FROM import_undo WHERE source = ?');
  const begin = db.prepare(
    `INSERT OR REPLACE INTO imports (source, started_at, finished_at, last_arrival)
     SELECT ?, ?, NULL, coalesce(max(arrival), 0) FROM listings`,
  );
  const unfinished = db
    .prepare<[string], number>('SELECT 1 FROM imports WHERE source = ? AND finished_at IS NULL')
    .pluck();
  const finish = db.prepare('UPDATE imports SET finished_at = ?, feed = ?, summary = ? WHERE source = ?');
  const repeated = db
    .prepare<[string, string], string>(
      'SELECT summary FROM imports WHERE source = ? AND feed = ? AND finished_at IS NOT NULL',
    )
    .pluck();
  const last = db.prepare<[string], number>('SELECT last_arrival FROM imports WHERE source = ?').pluck();
  const added = db
    .prepare<[string, number], string>(
      'SELECT id FROM listings WHERE source = ? AND arrival > ? AND removed_at IS NULL',
    )
    .pluck();
  const changed = db.prepare<[string], { id: string; body: string; removedAt: number | null }>(
    'SELECT listing_id AS id, body, removed_at AS removedAt FROM import_undo WHERE source = ?',
  );
  const nextSeq = db
    .prepare<[], string>(
      `UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'change_seq' RETURNING value`,
    )
    .pluck();
  const remove = db.prepare('UPDATE listings SET removed_at = ?, seq = ?, row_key = NULL WHERE id = ?');
  const restore = db.prepare(
    `UPDATE listings SET body = ?, changed_on = ?, stock_key = ?, removed_at = ?, seq = ?, row_key = NULL
     WHERE id = ?`,
  );
  const forgetImport = db.prepare('DELETE FROM imports WHERE source = ?');

  // A stand-in for a missing VIN starts with 0.
  const sharedVins = db
    .prepare<[string], number>(
      `SELECT count(*) FROM listings own WHERE source = ? AND removed_at IS NULL AND vin NOT LIKE '0%' AND EXISTS
         (SELECT 1 FROM listings other WHERE other.vin = own.vin AND other.removed_at IS NULL AND other.source <> own.source)`,
    )
    .pluck();

  return {
    countSharedVins: (source) => sharedVins.get(source) ?? 0,
    begin: (source) =>
      db
        .transaction(() => {
          // An interrupted import goes on.
          if (unfinished.get(source) !== undefined) return;
          forget.run(source);
          begin.run(source, now());
        })
        .immediate(),
    finish: (source, done) => void finish.run(now(), done?.feed ?? null, done?.summary ?? null, source),
    repeated: (source, feed) => repeated.get(source, feed) ?? undefined,
    undo: (source) =>
      db
        .transaction(() => {
          const arrival = last.get(source);
          if (arrival === undefined) return undefined;
          // Ends an interrupted import too: what follows is not to be recorded.
          finish.run(now(), null, null, source);
          const seq = Number(nextSeq.get());
          const newIds = added.all(source, arrival);
          const earlier = changed.all(source);
          for (const id of newIds) remove.run(now(), seq, id);
          for (const { id, body, removedAt } of earlier) {
            restore.run(body, ...indexedColumns(JSON.parse(body) as StockListing), removedAt, seq, id);
            photos.publish(id, () => seq);
          }
          forget.run(source);
          forgetImport.run(source);
          return { removed: newIds.length, restored: earlier.length };
        })
        .immediate(),
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
  begin(source: string): (status: FeedStatus, report: string, details?: string) => void;
  /** The newest first. */
  list(source?: string): FeedRun[];
  /** The newest of each source. */
  latest(): FeedRun[];
  /** ms since 1970 of the newest start. */
  lastStart(source: string): number | undefined;
}

/** Stored runs per source. */
const MAX_RUNS = 100;

const COLUMNS = 'id, source, started_at AS startedAt, finished_at AS finishedAt, status, report, details';

export function createFeedRuns(db: Db, now: () => number = Date.now): FeedRuns {
  const insert = db.prepare('INSERT INTO feed_runs (source, started_at) VALUES (?, ?)');
  const prune = db.prepare(
    `DELETE FROM feed_runs WHERE source = @source AND id NOT IN
       (SELECT id FROM feed_runs WHERE source = @source ORDER BY id DESC LIMIT ${MAX_RUNS})`,
  );
  const finish = db.prepare(
    'UPDATE feed_runs SET finished_at = ?, status = ?, report = ?, details = ? WHERE id = ?',
  );
  const list = db.prepare<[{ source: string | null }], FeedRun>(
    `SELECT ${COLUMNS} FROM feed_runs WHERE @source IS NULL OR source = @source ORDER BY id DESC`,
  );
  const latest = db.prepare<[], FeedRun>(
    `SELECT ${COLUMNS} FROM feed_runs WHERE id IN (SELECT max(id) FROM feed_runs GROUP BY source) ORDER BY source`,
  );
  const lastStart = db
    .prepare<[string], number | null>('SELECT max(started_at) FROM feed_runs WHERE source = ?')
    .pluck();
  return {
    begin(source) {
      const { lastInsertRowid: id } = insert.run(source, now());
      prune.run({ source });
      return (status, report, details) => void finish.run(now(), status, report, details ?? null, id);
    },
    list: (source) => list.all({ source: source ?? null }),
    latest: () => latest.all(),
    lastStart: (source) => lastStart.get(source) ?? undefined,
  };
}
