import type { Db } from '@forecourt/durable/database';

/** `held`: imported, but listings that the feed lacks wait for an approval to expire. */
export type FeedStatus = 'imported' | 'unchanged' | 'held' | 'failed';

interface FeedRun {
  readonly source: string;
  /** ms since 1970 */
  readonly startedAt: number;
  /** Null while it runs, and when it was interrupted. */
  readonly finishedAt: number | null;
  readonly status: FeedStatus | null;
  readonly report: string | null;
}

/** What became of the imports of each source. */
export interface FeedRuns {
  /** Returns the function that records its end. */
  begin(source: string): (status: FeedStatus, report: string) => void;
  /** The newest first. */
  list(source?: string): FeedRun[];
  /** The newest of each source. */
  latest(): FeedRun[];
  /** ms since 1970 of the newest start. */
  lastStart(source: string): number | undefined;
}

/** Stored runs per source. */
const MAX_RUNS = 100;

const COLUMNS = 'source, started_at AS startedAt, finished_at AS finishedAt, status, report';

export function createFeedRuns(db: Db, now: () => number = Date.now): FeedRuns {
  const insert = db.prepare('INSERT INTO feed_runs (source, started_at) VALUES (?, ?)');
  const prune = db.prepare(
    `DELETE FROM feed_runs WHERE source = @source AND id NOT IN
       (SELECT id FROM feed_runs WHERE source = @source ORDER BY id DESC LIMIT ${MAX_RUNS})`,
  );
  const finish = db.prepare('UPDATE feed_runs SET finished_at = ?, status = ?, report = ? WHERE id = ?');
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
      return (status, report) => void finish.run(now(), status, report, id);
    },
    list: (source) => list.all({ source: source ?? null }),
    latest: () => latest.all(),
    lastStart: (source) => lastStart.get(source) ?? undefined,
  };
}
