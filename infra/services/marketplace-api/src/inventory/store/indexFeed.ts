import type { StockOwner } from '../../domain/stock.ts';
import type { Kind } from './inventoryTables.ts';
import { batchesOf } from './inventoryWriter.ts';
import type { IndexProgress } from './listingStore.ts';
import type { StockLog, StockPage, StoredListing } from './stockLog.ts';

/** What the feed needs of a search index. */
export interface StockIndex {
  /** Live listings. */
  readonly size: number;
  /** Adds or replaces. Owners come before their listings. */
  upsertOwners(owners: Iterable<StockOwner>): void;
  /**
   * Brings a starting or lost index to the state of a change, or to a later state of single listings. Throws for a listing
   * of an unknown owner.
   */
  load(log: StockLog, until: number): Promise<void>;
  /** Applies changes, at most `batchSize` of them. */
  apply(changes: readonly StoredListing[]): void;
  readonly batchSize: number;
  /** Whether what was loaded is gone: until changes are committed again, searches fail. */
  readonly isLost?: boolean;
  /** Of an index that shows changes in one step: ends them, and searches see all of them when it has returned. */
  commit?(log: StockLog, until: number): Promise<void>;
  /** Of an index that other processes keep: its change, which `commit` continues with; undefined if there is no newer one. */
  newest?: (() => Promise<number | undefined>) | undefined;
}

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface IndexFeed extends IndexProgress {
  /**
   * Loads all live listings into the index; returns their number. `least`: the change that an index kept by another process
   * must have, otherwise it rejects with SEARCH_UNAVAILABLE.
   */
  load(least?: number): Promise<number>;
  /** Applies writes of all processes since the last call; returns the number of changed rows. */
  catchUp(): Promise<number>;
}

/** The index of all replicas is still being built. */
class IndexBehind extends Error {
  readonly code = 'SEARCH_UNAVAILABLE';
}

/** How far an index is: everything up to a change, and single rows that are ahead of it. */
class Progress implements IndexProgress {
  /** Number of the last change that was applied in full. */
  applied = 0;
  private readonly ahead: Readonly<Record<Kind, Map<string, number>>> = {
    listing: new Map(),
    owner: new Map(),
  };
  private readonly listeners: ((kind: Kind, id: string) => void)[] = [];

  changeOf(kind: Kind, id: string): number {
    return this.ahead[kind].get(id) ?? this.applied;
  }

  onApplied(listener: (kind: Kind, id: string) => void): void {
    this.listeners.push(listener);
  }

  note(kind: Kind, id: string, change: number): void {
    this.ahead[kind].set(id, change);
    for (const listener of this.listeners) listener(kind, id);
  }

  /** Everything up to a change was applied. */
  advance(until: number): void {
    this.applied = until;
    for (const rows of Object.values(this.ahead))
      for (const [id, change] of rows) if (change <= until) rows.delete(id);
  }
}

type Noted = readonly [kind: Kind, id: string, change: number];

/**
 * Keeps the index in sync with the stock. Each change has a number that its rows carry; the feed remembers the last one
 * applied. It reads in pages, while others write: rows that change meanwhile are applied in their later state.
 */
export function createIndexFeed(log: StockLog, index: StockIndex): IndexFeed {
  const progress = new Progress();

  /** The change to apply up to; undefined if there is nothing to do. An index that others keep may be behind the stock. */
  async function target(least = 0): Promise<number | undefined> {
    if (!index.newest) {
      const last = await log.lastChange();
      return last > progress.applied || index.isLost ? last : undefined;
    }
    const newest = await index.newest();
    if (newest !== undefined && newest < least)
      throw new IndexBehind(`The index has ${newest} of ${least} changes`);
    return newest;
  }

  /** Applies a page; what it changes is noted by `note` in the same turn of the event loop. */
  async function apply(
    { after, owners, listings }: StockPage,
    note: (...row: Noted) => void,
  ): Promise<number> {
    const ids = owners.map(({ owner }) => owner.id);
    // A changed owner may have moved, so its listings are indexed again: those of earlier pages, too, which it followed.
    const moved = await log.listingsOf(ids, after);
    index.upsertOwners(owners.map(({ owner }) => owner));
    for (const { owner, change } of owners) note('owner', owner.id, change);
    for (const batch of batchesOf(moved, index.batchSize)) {
      index.apply(batch);
      await pause();
    }
    for (const batch of batchesOf(listings, index.batchSize)) {
      index.apply(batch);
      for (const { id, change } of batch) note('listing', id, change);
      await pause();
    }
    return moved.length + listings.length;
  }

  async function catchUp(): Promise<number> {
    const until = await target();
    if (until === undefined) return 0;
    let changed = 0;
    if (!index.commit) {
      const note = (...row: Noted) => progress.note(...row);
      for await (const page of log.pagesAfter(progress.applied)) {
        changed += await apply(page, note);
        // Rows of earlier pages may have changed again: they come in the last one.
        if (page.isLast) progress.advance(page.until);
      }
      return changed;
    }
    const pending: Noted[] = [];
    for await (const page of log.pagesAfter(progress.applied, until))
      changed += await apply(page, (...row) => void pending.push(row));
    await index.commit(log, until);
    for (const row of pending) progress.note(...row);
    progress.advance(until);
    return changed;
  }

  return {
    changeOf: (kind, id) => progress.changeOf(kind, id),
    onApplied: (listener) => progress.onApplied(listener),
    async load(least) {
      const until = (await target(least)) ?? progress.applied;
      for await (const owners of log.allOwners()) index.upsertOwners(owners);
      await index.load(log, until);
      progress.advance(until);
      // What has changed meanwhile.
      await catchUp();
      return index.size;
    },
    catchUp,
  };
}
