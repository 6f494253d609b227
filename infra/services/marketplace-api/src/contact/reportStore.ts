import type { Caller } from '../people/caller.ts';
import type { Db } from '../store/database.ts';
import type { ReportListing } from '../http/callTypes.ts';

export interface StoredReport extends ReportListing {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

export interface ReportStore {
  /** Stores a report once for its key; false for a repeat. `withIt` runs in the same transaction. */
  add(report: ReportListing, caller: Caller, withIt: (id: number) => void): boolean;
  /** Newest first. */
  all(limit?: number): StoredReport[];
}

interface Row {
  readonly id: number;
  readonly listing_id: string;
  readonly reason: ReportListing['reason'];
  readonly comments: string;
  readonly email: string;
  readonly received_at: number;
}

export function createReportStore(db: Db, now: () => number = Date.now): ReportStore {
  const insert = db.prepare(
    `INSERT INTO reports (idempotency_key, listing_id, reason, comments, email, account, consumer, received_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (idempotency_key) DO NOTHING`,
  );
  const all = db.prepare<[number], Row>('SELECT * FROM reports ORDER BY id DESC LIMIT ?');
  return {
    add: ({ idempotencyKey, listingId, reason, comments, email }, { account, consumer }, withIt) =>
      db
        .transaction(() => {
          const { changes, lastInsertRowid } = insert.run(
            idempotencyKey ?? null,
            listingId,
            reason,
            comments,
            email,
            account ?? null,
            consumer ?? null,
            now(),
          );
          if (changes === 0) return false;
          withIt(Number(lastInsertRowid));
          return true;
        })
        .immediate(),
    all: (limit = 100) =>
      all.all(limit).map((row) => ({
        id: row.id,
        listingId: row.listing_id,
        reason: row.reason,
        comments: row.comments,
        email: row.email,
        receivedAt: row.received_at,
      })),
  };
}
