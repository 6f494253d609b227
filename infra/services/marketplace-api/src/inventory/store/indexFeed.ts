import Database from 'better-sqlite3';
import type { StockListing, StockOwner } from '../../domain/stock.ts';
import { batchesOf } from './inventoryWriter.ts';
import type { Db } from '@forecourt/service-kit/database';
import { type IndexProgress, inventoryId } from './listingStore.ts';

/** A changed listing of the store; without `listing` it is no longer for sale. */
export interface StoredListing {
  readonly id: string;
  readonly listing?: StockListing;
}

/** Changes of a stock. */
export interface StockPage {
  /** The change up to which everything is in this page or an earlier one. */
  readonly until: number;
  /** Not lower than that of any page before, also of an earlier log. */
  readonly version: number;
  readonly listings: readonly StoredListing[];
  /** Of the listings and of those of `moved`. */
  readonly owners: ReadonlyMap<string, StockOwner>;
  /** Owners that have changed, and whose other listings aren't in the page: they may have moved. */
  readonly moved: readonly string[];
}

/** The changes of a stock in their order, for an index that lasts. */
export interface StockLog {
  /** Id of the stock: its numbers mean nothing in another one. */
  readonly stock: string;
  lastChange(): number | Promise<number>;
  /** Everything that was changed after a change, up to the last one. */
  pagesAfter(change: number): Iterable<StockPage> | AsyncIterable<StockPage>;
  /** Listings of `moved` owners. */
  find(ids: readonly string[]): Promise<readonly StoredListing[]>;
  /** Live listings in the state of a change; undefined if there are later changes. */
  sizeAt(change: number): number | undefined | Promise<number | undefined>;
}

/** The store in the state of one transaction. */
export interface StoredStock extends StockLog {
  ids(): { readonly id: string; readonly ownerId: string }[];
  listings(): Iterable<StockListing>;
}

/** What the feed needs of a search index. */
export interface StockIndex {
  /** Live listings. */
  readonly size: number;
  /** Adds or replaces. Owners come before their listings. */
  upsertOwners(owners: Iterable<StockOwner>): void;
  /** Brings a starting or lost index to the state of the store. Throws for a listing of an unknown owner. */
  load(stock: StoredStock): void | Promise<void>;
  /** Applies changes, at most `batchSize` of them. */
  apply(changes: readonly StoredListing[]): void;
  readonly batchSize: number;
  /** Whether what was loaded is gone: until changes are committed again, searches fail. */
  readonly isLost?: boolean;
  /** Of an index that shows changes in one step: ends them, and searches see all of them when it has returned. */
  commit?(log: StockLog): void | Promise<void>;
  /**
   * Of an index that other processes keep: its change in the log that replicas share, which `commit` continues with;
   * undefined if there is no newer one.
   */
  newest?(): Promise<number | undefined>;
}

/** Listings of a page of the log. */
const LOG_PAGE = 1_000;

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface IndexFeed extends IndexProgress {
  /**
   * Loads all live listings into the index; returns their number. `least`: the change of the shared log that an index kept
   * by another process must have, otherwise it rejects with SEARCH_UNAVAILABLE.
   */
  load(least?: number): Promise<number>;
  /** Applies writes of all processes since the last call; returns the number of changed rows. */
  catchUp(): Promise<number>;
  close(): void;
}

type Kind = 'listing' | 'owner';

interface ChangedRow {
  readonly id: string;
  /** Number of its last change. */
  readonly change: number;
  /** Null for an expired listing. */
  readonly body: string | null;
}

function statements(db: Db) {
  return {
    lastChange: db
      .prepare<[], number>(`SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'change_seq'`)
      .pluck(),
    owner: db.prepare<[string], string>('SELECT body FROM owners WHERE id = ?').pluck(),
    allOwners: db.prepare<[], string>('SELECT body FROM owners').pluck(),
    size: db.prepare<[], number>('SELECT count(*) FROM listings WHERE removed_at IS NULL').pluck(),
    allIds: db.prepare<[], { id: string; ownerId: string }>(
      'SELECT id, owner_id AS ownerId FROM listings WHERE removed_at IS NULL',
    ),
    allListings: db.prepare<[], string>('SELECT body FROM listings WHERE removed_at IS NULL').pluck(),
    changedOwners: db.prepare<[number], string>('SELECT body FROM owners WHERE seq > ?').pluck(),
    // A changed owner may have moved, so its listings are indexed again.
    movedListings: db.prepare<[{ seq: number }], ChangedRow>(
      `SELECT l.id, l.seq AS change, l.body FROM owners o JOIN listings l ON l.owner_id = o.id
       WHERE o.seq > @seq AND l.removed_at IS NULL AND l.seq <= @seq`,
    ),
    changedListings: db.prepare<[{ seq: number }], ChangedRow>(
      `SELECT id, seq AS change, iif(removed_at IS NULL, body, NULL) AS body FROM listings WHERE seq > @seq ORDER BY seq`,
    ),
  };
}

const parsed = function* <Row>(bodies: Iterable<string>): Iterable<Row> {
  for (const body of bodies) yield JSON.parse(body) as Row;
};

/** Listings changed after `seq`, or whose owner was: these first, then the others in the order of their changes. */
function* changedSince(
  select: ReturnType<typeof statements>,
  seq: number,
): Iterable<StoredListing & { readonly change: number }> {
  for (const statement of [select.movedListings, select.changedListings])
    for (const { body, ...row } of statement.iterate({ seq }))
      yield { ...row, ...(body !== null && { listing: JSON.parse(body) as StockListing }) };
}

/** The inventory for an index that starts or continues. `seq`: its last change. */
function stockOf(db: Db, select: ReturnType<typeof statements>, seq: number): StoredStock {
  const ownersOf = (listings: readonly StoredListing[]) => {
    const ids = new Set(listings.flatMap(({ listing }) => listing?.ownerId ?? []));
    return new Map([...ids].map((id) => [id, JSON.parse(select.owner.get(id)!) as StockOwner]));
  };
  const page = (until: number, listings: readonly StoredListing[]): StockPage => ({
    until,
    version: seq,
    listings,
    owners: ownersOf(listings),
    moved: [],
  });
  return {
    get stock() {
      return inventoryId(db);
    },
    lastChange: () => seq,
    ids: () => select.allIds.all(),
    listings: () => parsed<StockListing>(select.allListings.iterate()),
    sizeAt: () => select.size.get(),
    find: () => Promise.resolve([]),
    *pagesAfter(change) {
      for (const listings of batchesOf(changedSince(select, change), LOG_PAGE))
        // The last change may continue in the next page.
        yield page(Math.max(change, listings.at(-1)!.change - 1), listings);
      if (change < seq) yield page(seq, []);
    },
  };
}

/** The index of all replicas is still being built. */
class IndexBehind extends Error {
  readonly code = 'SEARCH_UNAVAILABLE';
}

interface FeedOptions {
  /** Brings the inventory to a change of the log that replicas share, for an index that another process keeps. */
  readonly receive?: (until: number) => Promise<unknown>;
}

/**
 * Keeps the index in sync with the database. Each write transaction has a
 * sequence number that its rows carry; the feed remembers the last one applied,
 * and skips queries while SQLite's data_version is unchanged. It has its own
 * connection, so that catching up is one read transaction despite its pauses.
 */
export function createIndexFeed(db: Db, index: StockIndex, { receive }: FeedOptions = {}): IndexFeed {
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

  /** Whether there is something to apply. An index that others keep is never ahead of the inventory. */
  async function isBehind(least = 0): Promise<boolean> {
    if (!receive) return index.isLost || dataVersion() !== version;
    const until = await index.newest!();
    if (until !== undefined && until < least)
      throw new IndexBehind(`The index has ${until} of ${least} changes`);
    if (until !== undefined) await receive(until);
    return until !== undefined;
  }

  /** Applies the changed rows, and returns them as far as no search sees them yet. */
  async function applyRows(): Promise<{
    readonly changed: number;
    readonly pending: readonly [Kind, string][];
  }> {
    const pending: [Kind, string][] = [];
    const note = index.commit ? (kind: Kind, id: string) => void pending.push([kind, id]) : applied;
    const owners = [...parsed<StockOwner>(select.changedOwners.all(appliedVersion))];
    index.upsertOwners(owners);
    for (const { id } of owners) note('owner', id);
    let changed = 0;
    for (const batch of batchesOf(changedSince(select, appliedVersion), index.batchSize)) {
      // No request may run before the rows are marked.
      index.apply(batch);
      for (const { id } of batch) note('listing', id);
      changed += batch.length;
      await pause();
    }
    return { changed, pending };
  }

  return {
    changeOf: (kind, id) => (done[kind].has(id) ? target : appliedVersion),
    onApplied(listener) {
      listeners.push(listener);
    },
    async load(least) {
      await isBehind(least);
      const current = dataVersion();
      reader.exec('BEGIN');
      try {
        const last = select.lastChange.get() ?? 0;
        index.upsertOwners(parsed<StockOwner>(select.allOwners.iterate()));
        await index.load(stockOf(db, select, last));
        appliedVersion = last;
        version = current;
      } finally {
        reader.exec('COMMIT');
      }
      return index.size;
    },
    async catchUp() {
      if (!(await isBehind())) return 0;
      const current = dataVersion();
      reader.exec('BEGIN');
      try {
        target = select.lastChange.get() ?? 0;
        const { changed, pending } = await applyRows();
        const committing = index.commit?.(stockOf(db, select, target));
        if (committing) await committing;
        for (const row of pending) applied(...row);
        appliedVersion = target;
        version = current;
        return changed;
      } finally {
        reader.exec('COMMIT');
        if (appliedVersion === target) for (const rows of Object.values(done)) rows.clear();
      }
    },
    close() {
      reader.close();
    },
  };
}
