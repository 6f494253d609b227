import { randomUUID } from 'node:crypto';
import type { StockListing, StockOwner } from '../../domain/stock.ts';
import { join } from 'node:path';
import { type Db, openDatabase as open } from '@forecourt/service-kit/database';

/** Opens the inventory, which can be rebuilt from its sources. */
export const openDatabase = (path: string): Db =>
  open(path, { durability: 'normal', migrations: join(import.meta.dirname, 'migrations') });

/** Cached parsed listings, about 3 KB each. */
const MAX_CACHED = 4000;

/** Reads complete listings and owners; the index has columns only. */
export interface ListingStore {
  /** Live listings in the order of the ids; unknown ones are omitted. */
  listings(ids: readonly string[]): StockListing[];
  /** The last version of a listing, also after it expired. */
  /** `removedAt` in ms since 1970; missing while it is for sale. */
  everListed(id: string): { listing: StockListing; removedAt?: number } | undefined;
  idsOfVins(vins: readonly string[]): string[];
  /** Sitemap files with vehicles; a vehicle stays in the file of its arrival. */
  sitemapFiles(): SitemapFile[];
  sitemapVehicles(file: number): SitemapVehicle[];
  /** Several dealers may use the same number; upper case, without dashes and spaces. */
  idsOfStockNumber(stockNumber: string): string[];
  owners(ids: Iterable<string>): Map<string, StockOwner>;
  /** Dealers that buy the sponsored showcase. */
  alphaOwners(): StockOwner[];
}

/** A file's number from 1, and the day (since 1970) on which the newest of its vehicles changed. */
export interface SitemapFile {
  readonly file: number;
  readonly changedOn: number;
}

/** `changedOn`: the day (since 1970) on which it was listed or its price was lowered. */
export interface SitemapVehicle {
  readonly id: string;
  readonly changedOn: number;
}

/** Arrivals per sitemap file: the format allows 50,000 URLs. */
const SITEMAP_FILE_SIZE = 20_000;

/** The values of `changed_on` and `stock_key`, which have indexes. */
export const indexedColumns = ({ listedOn, reducedOn = 0, stockNumber }: StockListing) =>
  [Math.max(listedOn, reducedOn), stockNumber?.replace(/[- ]/g, '').toUpperCase() ?? null] as const;

/** How far the index has applied writes: responses reflect that state. */
export interface IndexProgress {
  /** Sequence number of the last applied change that affects the row. */
  changeOf(kind: 'listing' | 'owner', id: string): number;
  /** Called for each row that was applied. */
  onApplied(listener: (kind: 'listing' | 'owner', id: string) => void): void;
}

/** LRU cache; a Map keeps the insertion order. */
class RecentValues<Value> {
  private readonly values = new Map<string, Value>();

  get(key: string): Value | undefined {
    const value = this.values.get(key);
    if (value !== undefined) {
      this.values.delete(key);
      this.values.set(key, value);
    }
    return value;
  }

  set(key: string, value: Value): void {
    this.values.set(key, value);
    if (this.values.size > MAX_CACHED) this.values.delete(this.values.keys().next().value!);
  }

  delete(key: string): void {
    this.values.delete(key);
  }
}

interface Row {
  readonly seq: number;
  readonly body: string | null;
}

/**
 * Reads from the database; with `progress`, in the state of the index: a row
 * changed since then is returned in its earlier version.
 */
export function createListingStore(db: Db, progress?: IndexProgress): ListingStore {
  const listing = db.prepare<[string], Row>(
    'SELECT seq, iif(removed_at IS NULL, body, NULL) AS body FROM listings WHERE id = ?',
  );
  const owner = db.prepare<[string], Row>('SELECT seq, body FROM owners WHERE id = ?');
  const earlier = db
    .prepare<[string, string, number], string | null>(
      'SELECT body FROM superseded WHERE kind = ? AND id = ? AND until_seq > ? ORDER BY until_seq LIMIT 1',
    )
    .pluck();
  const ever = db.prepare<[string], { body: string; removedAt: number | null }>(
    'SELECT body, removed_at AS removedAt FROM listings WHERE id = ?',
  );
  const byVin = db
    .prepare<[string], string>('SELECT id FROM listings WHERE vin = ? AND removed_at IS NULL')
    .pluck();
  const byStockNumber = db
    .prepare<[string], string>('SELECT id FROM listings WHERE stock_key = ? AND removed_at IS NULL')
    .pluck();
  const sitemapFiles = db.prepare<[], SitemapFile>(
    `SELECT CAST((arrival - 1) / ${SITEMAP_FILE_SIZE} AS INTEGER) + 1 AS file, max(changed_on) AS changedOn
     FROM listings INDEXED BY listings_sitemap WHERE removed_at IS NULL GROUP BY 1 ORDER BY 1`,
  );
  const sitemapVehicles = db.prepare<[number, number], SitemapVehicle>(
    `SELECT id, changed_on AS changedOn FROM listings INDEXED BY listings_sitemap
     WHERE removed_at IS NULL AND arrival > ? AND arrival <= ? ORDER BY arrival`,
  );
  const alpha = db.prepare<[], string>('SELECT body FROM owners WHERE is_alpha = 1 ORDER BY id').pluck();
  const cached = { listing: new RecentValues<StockListing>(), owner: new RecentValues<StockOwner>() };
  progress?.onApplied((kind, id) => cached[kind].delete(id));

  /** The version of the row that the index has applied. */
  function read<Value>(kind: 'listing' | 'owner', id: string): Value | undefined {
    const row = (kind === 'listing' ? listing : owner).get(id);
    const change = progress ? progress.changeOf(kind, id) : Infinity;
    // An index that is far behind is shown what there is: earlier versions are kept for a minute.
    const before = row && row.seq > change ? earlier.get(kind, id, change) : undefined;
    const body = before === undefined ? row?.body : before;
    return typeof body === 'string' ? (JSON.parse(body) as Value) : undefined;
  }

  function find<Value>(
    kind: 'listing' | 'owner',
    recent: RecentValues<Value>,
    id: string,
  ): Value | undefined {
    if (!progress) return read(kind, id);
    const cached = recent.get(id);
    if (cached !== undefined) return cached;
    const value = read<Value>(kind, id);
    if (value !== undefined) recent.set(id, value);
    return value;
  }

  return {
    listings: (ids) => ids.flatMap((id) => find('listing', cached.listing, id) ?? []),
    everListed(id) {
      const row = ever.get(id);
      if (!row) return undefined;
      const listing = JSON.parse(row.body) as StockListing;
      return { listing, ...(row.removedAt !== null && { removedAt: row.removedAt }) };
    },
    sitemapFiles: () => sitemapFiles.all(),
    sitemapVehicles: (file) => sitemapVehicles.all((file - 1) * SITEMAP_FILE_SIZE, file * SITEMAP_FILE_SIZE),
    idsOfVins: (vins) => vins.flatMap((vin) => byVin.all(vin)),
    idsOfStockNumber: (stockNumber) => byStockNumber.all(stockNumber),
    owners: (ids) => {
      const owners = new Map<string, StockOwner>();
      for (const id of ids) {
        if (owners.has(id)) continue;
        const value = find('owner', cached.owner, id);
        if (value !== undefined) owners.set(id, value);
      }
      return owners;
    },
    alphaOwners: () => alpha.all().map((body) => JSON.parse(body) as StockOwner),
  };
}

/** Listings by arrival; each keeps the number of its first arrival. */
export interface NewListings {
  /** Arrival number of the newest listing; 0 without any. */
  /** Id of the inventory: its numbers mean nothing in another one. */
  readonly inventory: string;
  newestRow(): number;
  /** Live listings that came after `row` up to `until`, in their order, at most `limit`; `lastRow` is how far that goes. */
  between(row: number, until: number, limit: number): { ids: string[]; lastRow: number };
}

/** Id of an inventory, created on first use. */
export function inventoryId(db: Db): string {
  db.prepare(`INSERT INTO meta (key, value) VALUES ('id', ?) ON CONFLICT DO NOTHING`).run(randomUUID());
  return db.prepare<[], string>(`SELECT value FROM meta WHERE key = 'id'`).pluck().get()!;
}

export function createNewListings(db: Db): NewListings {
  const newest = db.prepare<[], number | null>('SELECT max(arrival) FROM listings').pluck();
  const between = db.prepare<[number, number, number], { arrival: number; id: string }>(
    `SELECT arrival, id FROM listings WHERE arrival > ? AND arrival <= ? AND removed_at IS NULL
     ORDER BY arrival LIMIT ?`,
  );
  return {
    inventory: inventoryId(db),
    newestRow: () => newest.get() ?? 0,
    between(row, until, limit) {
      const rows = between.all(row, until, limit);
      const lastRow = rows.length < limit ? until : rows.at(-1)!.arrival;
      return { ids: rows.map(({ id }) => id), lastRow };
    },
  };
}
