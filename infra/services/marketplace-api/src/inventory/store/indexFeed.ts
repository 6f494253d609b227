import Database from 'better-sqlite3';
import type { StockListing, StockOwner } from '../../domain/stock.ts';
import { batchesOf } from './inventoryWriter.ts';
import type { Db } from '@forecourt/service-kit/database';
import { type IndexProgress, inventoryId } from './listingStore.ts';

/** A changed listing of the store. */
export interface StoredListing {
  readonly id: string;
  /** Number of its last change. */
  readonly change: number;
  /** The newer of its own last change and its seller's. */
  readonly version: number;
  /** Missing when it is no longer for sale. */
  readonly listing?: StockListing;
}

/** The store in the state of one transaction. */
export interface StoredStock {
  /** Id of the inventory: its numbers mean nothing in another one. */
  readonly inventory: string;
  readonly lastChange: number;
  /** Live listings. */
  readonly size: number;
  ids(): { readonly id: string; readonly ownerId: string }[];
  listings(): Iterable<StockListing>;
  /** Listings changed after a change, or whose seller was: these first, then the others in the order of their changes. */
  changedSince(change: number): Iterable<StoredListing>;
}

/** What the feed needs of a search index. */
export interface StockIndex {
  /** Live listings. */
  readonly size: number;
  /** Adds or replaces. Owners come before their listings. */
  upsertOwners(owners: Iterable<StockOwner>): void;
  /** Brings a starting or lost index to the state of the store. Throws for a listing of an unknown owner. */
  load(stock: StoredStock): void | Promise<void>;
  /** Applies changes, at most `batchSize` of them; searches see all of them when it has returned. */
  apply(changes: readonly StoredListing[]): void | Promise<void>;
  readonly batchSize: number;
}

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface IndexFeed extends IndexProgress {
  /** Loads all live listings into the index; returns their number. */
  load(): Promise<number>;
  /** Applies writes of all processes since the last call; returns the number of changed rows. */
  catchUp(): Promise<number>;
  close(): void;
}

type Kind = 'listing' | 'owner';

interface ChangedRow extends Omit<StoredListing, 'listing'> {
  /** Null for an expired listing. */
  readonly body: string | null;
}

function statements(db: Db) {
  return {
    lastChange: db
      .prepare<[], number>(`SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'change_seq'`)
      .pluck(),
    allOwners: db.prepare<[], string>('SELECT body FROM owners').pluck(),
    size: db.prepare<[], number>('SELECT count(*) FROM listings WHERE removed_at IS NULL').pluck(),
    allIds: db.prepare<[], { id: string; ownerId: string }>(
      'SELECT id, owner_id AS ownerId FROM listings WHERE removed_at IS NULL',
    ),
    allListings: db.prepare<[], string>('SELECT body FROM listings WHERE removed_at IS NULL').pluck(),
    changedOwners: db.prepare<[number], string>('SELECT body FROM owners WHERE seq > ?').pluck(),
    // A changed owner may have moved, so its listings are indexed again.
    movedListings: db.prepare<[{ seq: number }], ChangedRow>(
      `SELECT l.id, l.seq AS change, o.seq AS version, l.body FROM owners o JOIN listings l ON l.owner_id = o.id
       WHERE o.seq > @seq AND l.removed_at IS NULL AND l.seq <= @seq`,
    ),
    changedListings: db.prepare<[{ seq: number }], ChangedRow>(
      `SELECT l.id, l.seq AS change, max(l.seq, o.seq) AS version, iif(l.removed_at IS NULL, l.body, NULL) AS body
       FROM listings l JOIN owners o ON o.id = l.owner_id WHERE l.seq > @seq ORDER BY l.seq`,
    ),
  };
}

const parsed = function* <Row>(bodies: Iterable<string>): Iterable<Row> {
  for (const body of bodies) yield JSON.parse(body) as Row;
};

/** Listings changed after `seq`, or whose owner was. */
function* changedSince(select: ReturnType<typeof statements>, seq: number): Iterable<StoredListing> {
  for (const statement of [select.movedListings, select.changedListings])
    for (const { body, ...row } of statement.iterate({ seq }))
      yield { ...row, ...(body !== null && { listing: JSON.parse(body) as StockListing }) };
}

/** The inventory for an index that starts. */
const stockOf = (db: Db, select: ReturnType<typeof statements>, lastChange: number): StoredStock => ({
  get inventory() {
    return inventoryId(db);
  },
  lastChange,
  size: select.size.get()!,
  ids: () => select.allIds.all(),
  listings: () => parsed<StockListing>(select.allListings.iterate()),
  changedSince: (change) => changedSince(select, change),
});

/**
 * Keeps the index in sync with the database. Each write transaction has a
 * sequence number that its rows carry; the feed remembers the last one applied,
 * and skips queries while SQLite's data_version is unchanged. It has its own
 * connection, so that catching up is one read transaction despite its pauses.
 */
export function createIndexFeed(db: Db, index: StockIndex): IndexFeed {
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

  return {
    changeOf: (kind, id) => (done[kind].has(id) ? target : appliedVersion),
    onApplied(listener) {
      listeners.push(listener);
    },
    async load() {
      const current = dataVersion();
      reader.exec('BEGIN');
      try {
        appliedVersion = select.lastChange.get() ?? 0;
        index.upsertOwners(parsed<StockOwner>(select.allOwners.iterate()));
        await index.load(stockOf(db, select, appliedVersion));
        version = current;
      } finally {
        reader.exec('COMMIT');
      }
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
        for (const batch of batchesOf(changedSince(select, appliedVersion), index.batchSize)) {
          // An index in this process has applied it at once: no request may run before the rows are marked.
          const applying = index.apply(batch);
          if (applying) await applying;
          for (const { id } of batch) applied('listing', id);
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
