import Database from 'better-sqlite3';
import type { Db } from '@forecourt/service-kit/database';
import type { StockListing } from '../../domain/stock.ts';
import type { InventoryWriter } from './inventoryWriter.ts';

/** Rows per transaction, to bound the journal. */
const COMMIT_EVERY = 50_000;

/** Sellers that are not written again. */
const MAX_RECENT_SELLERS = 20_000;

/** Ids that are kept in memory, some 20 MB, where they cost a tenth of the time. */
const MAX_QUICK_IDS = 200_000;

/**
 * Ids and keys of earlier rows of one import: the first ones in memory, the others in a temporary SQLite file, which SQLite
 * deletes when the connection closes.
 */
export function createImportMemory({ maxQuickIds = MAX_QUICK_IDS } = {}) {
  const db = new Database('');
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.exec(`
    CREATE TABLE alike (key INTEGER PRIMARY KEY, times INTEGER NOT NULL);
    CREATE TABLE seen (id TEXT PRIMARY KEY, line INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE sellers (id TEXT PRIMARY KEY) WITHOUT ROWID;
    BEGIN`);
  const count = db
    .prepare<[number], number>(
      `INSERT INTO alike (key, times) VALUES (?, 0)
       ON CONFLICT (key) DO UPDATE SET times = times + 1 RETURNING times`,
    )
    .pluck();
  const peek = db.prepare<[number], number>('SELECT times + 1 FROM alike WHERE key = ?').pluck();
  const see = db.prepare('INSERT OR IGNORE INTO seen (id, line) VALUES (?, ?)');
  const lineOf = db.prepare<[string], number>('SELECT line FROM seen WHERE id = ?').pluck();
  const seeSeller = db.prepare('INSERT OR IGNORE INTO sellers (id) VALUES (?)');
  const quickLines = new Map<string, number>();
  const recentSellers = new Set<string>();
  const sellers = db.prepare<[], number>('SELECT count(*) FROM sellers').pluck();
  let notes = 0;
  const noted = () => {
    notes += 1;
    if (notes % COMMIT_EVERY === 0) db.exec('COMMIT; BEGIN');
  };

  return {
    timesBefore(key: number) {
      noted();
      return count.get(key) ?? 0;
    },
    timesSeen: (key: number) => peek.get(key) ?? 0,
    /** Line of the earlier row with this id; undefined for the first one. */
    see(id: string, line: number) {
      const earlier = quickLines.get(id);
      if (earlier !== undefined) return earlier;
      if (quickLines.size < maxQuickIds) {
        quickLines.set(id, line);
        return undefined;
      }
      noted();
      return see.run(id, line).changes === 0 ? lineOf.get(id) : undefined;
    },
    hasSeen: (id: string) => quickLines.has(id) || lineOf.get(id) !== undefined,
    seeSeller(id: string) {
      if (recentSellers.has(id)) return;
      if (recentSellers.size >= MAX_RECENT_SELLERS) recentSellers.clear();
      recentSellers.add(id);
      seeSeller.run(id);
    },
    get sellers(): number {
      return sellers.get() ?? 0;
    },
    close() {
      db.close();
    },
  };
}

interface Stored {
  readonly body: string;
  readonly source: string;
  readonly removed: number;
}

/** Is told what an import would do with each listing. */
export interface DryRunObserver {
  readonly inserted: (listing: StockListing) => void;
  readonly updated: (listing: StockListing, earlier: StockListing) => void;
  /** For sale now, and missing from the feed. */
  readonly missing: (listing: StockListing) => void;
}

/**
 * Counts what an import would insert, update and expire, and writes nothing to the inventory. It remembers what it would
 * have written in a temporary table, because a feed may name a listing twice.
 */
export function createDryRunWriter(db: Db, observer?: DryRunObserver): InventoryWriter {
  db.exec(
    'CREATE TEMP TABLE IF NOT EXISTS dry_run (id TEXT PRIMARY KEY, body TEXT, source TEXT) WITHOUT ROWID',
  );
  const readWritten = db.prepare<[string], Stored>(
    'SELECT body, source, 0 AS removed FROM dry_run WHERE id = ?',
  );
  const readStored = db.prepare<[string], Stored>(
    'SELECT body, source, removed_at IS NOT NULL AS removed FROM listings WHERE id = ?',
  );
  const remember = db.prepare('INSERT OR REPLACE INTO dry_run (id, body, source) VALUES (?, ?, ?)');
  const liveIds = db
    .prepare<[string], string>('SELECT id FROM listings WHERE source = ? AND removed_at IS NULL')
    .pluck();
  return {
    upsertOwners() {},
    allowPhotoHosts() {},
    upsertListings(listings, source) {
      let inserted = 0;
      let updated = 0;
      for (const listing of listings) {
        const body = JSON.stringify(listing);
        const known = readWritten.get(listing.id) ?? readStored.get(listing.id);
        if (!known) {
          inserted++;
          observer?.inserted(listing);
        } else if (known.body !== body || known.source !== source || known.removed === 1) {
          updated++;
          observer?.updated(listing, JSON.parse(known.body) as StockListing);
        }
        remember.run(listing.id, body, source);
      }
      return { inserted, updated };
    },
    countMissing(source, hasSeen) {
      const counts = { live: 0, missing: 0 };
      for (const id of liveIds.iterate(source)) {
        counts.live++;
        if (hasSeen(id)) continue;
        counts.missing++;
        const { body = '' } = (observer && readStored.get(id)) ?? {};
        if (body) observer?.missing(JSON.parse(body) as StockListing);
      }
      return counts;
    },
    expireMissing(source, hasSeen) {
      let expired = 0;
      for (const id of liveIds.iterate(source)) if (!hasSeen(id)) expired++;
      return expired;
    },
  };
}
