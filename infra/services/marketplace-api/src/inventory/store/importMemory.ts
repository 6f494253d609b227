import Database from 'better-sqlite3';
import type { Sql } from '@forecourt/service-kit/sql';
import { allOf, MAX_ROWS } from '@forecourt/service-kit/sqlRows';
import type { StockListing } from '../../domain/stock.ts';
import { batchesOf, type InventoryWriter } from './inventoryWriter.ts';

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

/** Is told what an import would do with each listing. */
export interface DryRunObserver {
  readonly inserted: (listing: StockListing) => void;
  readonly updated: (listing: StockListing, earlier: StockListing) => void;
  /** For sale now, and missing from the feed. */
  readonly missing: (listing: StockListing) => void;
}

interface Stored {
  readonly id: string;
  readonly body: string;
  readonly source: string;
  readonly removed: number;
}

/**
 * Counts what an import would insert, update and expire, and writes nothing to the inventory. It remembers what it would
 * have written in a temporary file, because a feed may name a listing twice.
 */
export function createDryRunWriter(sql: Sql, observer?: DryRunObserver): InventoryWriter {
  const memory = new Database('');
  memory.exec('CREATE TABLE written (id TEXT PRIMARY KEY, body TEXT, source TEXT) WITHOUT ROWID');
  const readWritten = memory.prepare<[string], Stored>(
    'SELECT id, body, source, 0 AS removed FROM written WHERE id = ?',
  );
  const remember = memory.prepare('INSERT OR REPLACE INTO written (id, body, source) VALUES (?, ?, ?)');
  const readStored = async (ids: readonly string[]): Promise<ReadonlyMap<string, Stored>> => {
    const rows = await allOf<Stored>(
      sql,
      `SELECT id, body, source, CASE WHEN removed_at IS NULL THEN 0 ELSE 1 END AS removed
       FROM listings WHERE id IN (?)`,
      ids,
    );
    return new Map(rows.map((row) => [row.id, row]));
  };
  const liveIds = async (source: string): Promise<string[]> => {
    const text = 'SELECT id FROM listings WHERE source = ? AND removed_at IS NULL';
    const rows = await sql.all<{ id: string }>(text, source);
    return rows.map(({ id }) => id);
  };
  return {
    upsertOwners: () => Promise.resolve(),
    allowPhotoHosts: () => Promise.resolve(),
    async upsertListings(listings, source) {
      const all = [...listings];
      const stored = await readStored(all.map(({ id }) => id));
      let inserted = 0;
      let updated = 0;
      for (const listing of all) {
        const body = JSON.stringify(listing);
        const known = readWritten.get(listing.id) ?? stored.get(listing.id);
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
    async countMissing(source, hasSeen) {
      const ids = await liveIds(source);
      const missing = ids.filter((id) => !hasSeen(id));
      if (observer)
        for (const some of batchesOf(missing, MAX_ROWS))
          for (const { body } of (await readStored(some)).values())
            observer.missing(JSON.parse(body) as StockListing);
      return { live: ids.length, missing: missing.length };
    },
    expireMissing: async (source, hasSeen) => (await liveIds(source)).filter((id) => !hasSeen(id)).length,
  };
}
