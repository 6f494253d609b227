import type { StockListing, StockOwner } from '../domain/stock.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import type { Db } from './database.ts';

/** Rows handed to the index at a time: requests are answered between two batches. */
const BATCH = 500;

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface IndexFeed {
  /** Fills the index with everything on the market. Gives the number of listings. */
  load(): number;
  /** Takes over what was written since, by whatever process. Gives the number of changed rows. */
  catchUp(): Promise<number>;
}

/**
 * Keeps an index equal to the database. Each write transaction has a number
 * that its rows carry; the feed remembers the last one it has seen, and asks
 * nothing at all while SQLite's data_version says that nobody wrote.
 */
export function createIndexFeed(db: Db, index: ListingIndex): IndexFeed {
  const lastChange = db
    .prepare<[], number>(`SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'change_seq'`)
    .pluck();
  const allOwners = db.prepare<[], string>('SELECT body FROM owners').pluck();
  const allListings = db.prepare<[], string>('SELECT body FROM listings WHERE removed_at IS NULL').pluck();
  const changedOwners = db.prepare<[number], string>('SELECT body FROM owners WHERE seq = ?').pluck();
  // A changed owner may have moved: its listings are indexed again.
  const changedListings = db.prepare<[{ seq: number }], { id: string; body: string | null }>(
    `SELECT id, iif(removed_at IS NULL, body, NULL) AS body FROM listings WHERE seq = @seq
     UNION ALL
     SELECT l.id, l.body FROM owners o JOIN listings l ON l.owner_id = o.id
     WHERE o.seq = @seq AND l.removed_at IS NULL`,
  );
  const dataVersion = () => db.pragma('data_version', { simple: true }) as number;
  let seen = 0;
  let version = -1;

  const parsed = function* <Row>(bodies: Iterable<string>): Iterable<Row> {
    for (const body of bodies) yield JSON.parse(body) as Row;
  };

  return {
    load() {
      version = dataVersion();
      db.transaction(() => {
        seen = lastChange.get() ?? 0;
        index.upsertOwners(parsed<StockOwner>(allOwners.iterate()));
        index.upsert(parsed<StockListing>(allListings.iterate()));
      })();
      return index.size;
    },
    async catchUp() {
      const current = dataVersion();
      if (current === version) return 0;
      version = current;
      const until = lastChange.get() ?? 0;
      let changed = 0;
      for (; seen < until; seen++) {
        const seq = seen + 1;
        index.upsertOwners(parsed<StockOwner>(changedOwners.iterate(seq)));
        const rows = changedListings.all({ seq });
        changed += rows.length;
        for (let from = 0; from < rows.length; from += BATCH) {
          const batch = rows.slice(from, from + BATCH);
          index.remove(batch.flatMap(({ id, body }) => (body === null ? [id] : [])));
          index.upsert(parsed<StockListing>(batch.flatMap(({ body }) => body ?? [])));
          await pause();
        }
      }
      return changed;
    },
  };
}
