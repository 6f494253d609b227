import Database from 'better-sqlite3';
import type { StockListing, StockOwner } from '../domain/stock.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import { batchesOf } from './inventoryWriter.ts';
import type { Db } from './database.ts';
import type { TakenOver } from './listingStore.ts';

/** Rows handed to the index at a time: requests are answered between two batches. */
const BATCH = 250;

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface IndexFeed extends TakenOver {
  /** Fills the index with everything on the market. Gives the number of listings. */
  load(): number;
  /** Takes over what was written since, by whatever process. Gives the number of changed rows. */
  catchUp(): Promise<number>;
  close(): void;
}

type Kind = 'listing' | 'owner';

interface ChangedRow {
  readonly id: string;
  /** Null when it is off the market. */
  readonly body: string | null;
}

function statements(db: Db) {
  return {
    lastChange: db
      .prepare<[], number>(`SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'change_seq'`)
      .pluck(),
    allOwners: db.prepare<[], string>('SELECT body FROM owners').pluck(),
    allListings: db.prepare<[], string>('SELECT body FROM listings WHERE removed_at IS NULL').pluck(),
    changedOwners: db.prepare<[number], string>('SELECT body FROM owners WHERE seq > ?').pluck(),
    // A changed owner may have moved: its listings are indexed again.
    changedListings: db.prepare<[{ seq: number }], ChangedRow>(
      `SELECT id, iif(removed_at IS NULL, body, NULL) AS body FROM listings WHERE seq > @seq
       UNION ALL
       SELECT l.id, l.body FROM owners o JOIN listings l ON l.owner_id = o.id
       WHERE o.seq > @seq AND l.removed_at IS NULL AND l.seq <= @seq`,
    ),
  };
}

const parsed = function* <Row>(bodies: Iterable<string>): Iterable<Row> {
  for (const body of bodies) yield JSON.parse(body) as Row;
};

/**
 * Keeps an index equal to the database file. Each write transaction has a
 * number that its rows carry; the feed remembers up to which it has taken all
 * over, and asks nothing while SQLite's data_version says that nobody wrote.
 * It reads through a connection of its own: a look at the changes is one read
 * transaction, however many pauses it makes.
 */
export function createIndexFeed(db: Db, index: ListingIndex): IndexFeed {
  const reader = new Database(db.name, { readonly: true });
  const select = statements(reader);
  const dataVersion = () => reader.pragma('data_version', { simple: true }) as number;
  const listeners: ((kind: Kind, id: string) => void)[] = [];
  /** Everything up to this change is in the index. */
  let seen = 0;
  let version = -1;
  /** The change up to which the catching up under way goes, and the rows that it has done. */
  let target = 0;
  const done = { listing: new Set<string>(), owner: new Set<string>() };

  const took = (kind: Kind, id: string) => {
    done[kind].add(id);
    for (const listener of listeners) listener(kind, id);
  };

  function takeOver(batch: readonly ChangedRow[]): void {
    const gone = batch.flatMap(({ id, body }) => (body === null ? [id] : []));
    if (gone.length > 0) index.remove(gone);
    if (gone.length < batch.length)
      index.upsert(parsed<StockListing>(batch.flatMap(({ body }) => body ?? [])));
    for (const { id } of batch) took('listing', id);
  }

  return {
    changeOf: (kind, id) => (done[kind].has(id) ? target : seen),
    onTaken(listener) {
      listeners.push(listener);
    },
    load() {
      version = dataVersion();
      reader.transaction(() => {
        seen = select.lastChange.get() ?? 0;
        index.upsertOwners(parsed<StockOwner>(select.allOwners.iterate()));
        index.upsert(parsed<StockListing>(select.allListings.iterate()));
      })();
      return index.size;
    },
    async catchUp() {
      const current = dataVersion();
      if (current === version) return 0;
      let changed = 0;
      reader.exec('BEGIN');
      try {
        target = select.lastChange.get() ?? 0;
        const owners = [...parsed<StockOwner>(select.changedOwners.all(seen))];
        index.upsertOwners(owners);
        for (const { id } of owners) took('owner', id);
        for (const batch of batchesOf(select.changedListings.iterate({ seq: seen }), BATCH)) {
          takeOver(batch);
          changed += batch.length;
          await pause();
        }
        seen = target;
        version = current;
      } finally {
        reader.exec('COMMIT');
        if (seen === target) for (const rows of Object.values(done)) rows.clear();
      }
      return changed;
    },
    close() {
      reader.close();
    },
  };
}
