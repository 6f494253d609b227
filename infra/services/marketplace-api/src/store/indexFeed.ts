import Database from 'better-sqlite3';
import type { StockListing, StockOwner } from '../domain/stock.ts';
import type { ListingIndex } from '../index/listingIndex.ts';
import { batchesOf } from './inventoryWriter.ts';
import type { Db } from '@forecourt/durable/database';
import type { IndexProgress } from './listingStore.ts';

/** Rows per batch; requests are handled between two batches. */
const BATCH = 250;

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface IndexFeed extends IndexProgress {
  /** Loads all live listings into the index; returns their number. */
  load(): number;
  /** Applies writes of all processes since the last call; returns the number of changed rows. */
  catchUp(): Promise<number>;
  close(): void;
}

type Kind = 'listing' | 'owner';

interface ChangedRow {
  readonly id: string;
  /** Null for an expired listing. */
  readonly body: string | null;
}

function statements(db: Db) {
  return {
    lastChange: db
      .prepare<[], number>(`SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'change_seq'`)
      .pluck(),
    allOwners: db.prepare<[], string>('SELECT body FROM owners').pluck(),
    allIds: db.prepare<[], { id: string; ownerId: string }>(
      'SELECT id, owner_id AS ownerId FROM listings WHERE removed_at IS NULL',
    ),
    allListings: db.prepare<[], string>('SELECT body FROM listings WHERE removed_at IS NULL').pluck(),
    changedOwners: db.prepare<[number], string>('SELECT body FROM owners WHERE seq > ?').pluck(),
    // A changed owner may have moved, so its listings are indexed again.
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
 * Keeps the index in sync with the database. Each write transaction has a
 * sequence number that its rows carry; the feed remembers the last one applied,
 * and skips queries while SQLite's data_version is unchanged. It has its own
 * connection, so that catching up is one read transaction despite its pauses.
 */
export function createIndexFeed(db: Db, index: ListingIndex): IndexFeed {
  const reader = new Database(db.name, { readonly: true });
  const select = statements(reader);
  const dataVersion = () => reader.pragma('data_version', { simple: true }) as number;
  const listeners: ((kind: Kind, id: string) => void)[] = [];
  /** Sequence number of the last change applied in full. */
  let appliedVersion = 0;
  let version = -1;
  /** Sequence number that the current catch-up leads to, and the rows it has applied. */
  let target = 0;
  const done = { listing: new Set<string>(), owner: new Set<string>() };

  const applied = (kind: Kind, id: string) => {
    done[kind].add(id);
    for (const listener of listeners) listener(kind, id);
  };

  function applyBatch(batch: readonly ChangedRow[]): void {
    const gone = batch.flatMap(({ id, body }) => (body === null ? [id] : []));
    if (gone.length > 0) index.remove(gone);
    if (gone.length < batch.length)
      index.upsert(parsed<StockListing>(batch.flatMap(({ body }) => body ?? [])));
    for (const { id } of batch) applied('listing', id);
  }

  return {
    changeOf: (kind, id) => (done[kind].has(id) ? target : appliedVersion),
    onApplied(listener) {
      listeners.push(listener);
    },
    load() {
      version = dataVersion();
      reader.transaction(() => {
        appliedVersion = select.lastChange.get() ?? 0;
        index.upsertOwners(parsed<StockOwner>(select.allOwners.iterate()));
        index.reserve(select.allIds.all());
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
        const owners = [...parsed<StockOwner>(select.changedOwners.all(appliedVersion))];
        index.upsertOwners(owners);
        for (const { id } of owners) applied('owner', id);
        for (const batch of batchesOf(select.changedListings.iterate({ seq: appliedVersion }), BATCH)) {
          applyBatch(batch);
          changed += batch.length;
          await pause();
        }
        appliedVersion = target;
        version = current;
      } finally {
        reader.exec('COMMIT');
        if (appliedVersion === target) for (const rows of Object.values(done)) rows.clear();
      }
      return changed;
    },
    close() {
      reader.close();
    },
  };
}
