import { createLruCache } from '@forecourt/service-kit/lruCache';
import type { Sql } from '@forecourt/service-kit/sql';
import { allOf } from '@forecourt/service-kit/sqlRows';
import type { StockListing, StockOwner } from '../../domain/stock.ts';
import { inventoryId, type Kind } from './inventoryTables.ts';

/** Cached parsed listings, about 3 KB each. */
const MAX_CACHED = 4000;

/** Reads complete listings and owners; the index has columns only. */
export interface ListingStore {
  /** Live listings in the order of the ids; unknown ones are omitted. */
  listings(ids: readonly string[]): Promise<StockListing[]>;
  /** The last version of a listing, also after it expired. `removedAt` in ms since 1970; missing while it is for sale. */
  everListed(id: string): Promise<{ listing: StockListing; removedAt?: number } | undefined>;
  idsOfVins(vins: readonly string[]): Promise<string[]>;
  /** Sitemap files with vehicles; a vehicle stays in the file of its arrival. */
  sitemapFiles(): Promise<SitemapFile[]>;
  sitemapVehicles(file: number): Promise<SitemapVehicle[]>;
  /** Several dealers may use the same number; upper case, without dashes and spaces. */
  idsOfStockNumber(stockNumber: string): Promise<string[]>;
  owners(ids: Iterable<string>): Promise<Map<string, StockOwner>>;
  /** Dealers that buy the sponsored showcase. */
  alphaOwners(): Promise<StockOwner[]>;
}

/** A file's number from 1, and the day (since 1970) on which the newest of its vehicles changed. */
interface SitemapFile {
  readonly file: number;
  readonly changedOn: number;
}

/** `changedOn`: the day (since 1970) on which it was listed or its price was lowered. */
interface SitemapVehicle {
  readonly id: string;
  readonly changedOn: number;
}

/** Arrivals per sitemap file: the format allows 50,000 URLs. */
const SITEMAP_FILE_SIZE = 20_000;

/** How far the index has applied writes: responses reflect that state. */
export interface IndexProgress {
  /** Number of the last applied change that affects the row. */
  changeOf(kind: Kind, id: string): number;
  /** Called for each row that was applied. */
  onApplied(listener: (kind: Kind, id: string) => void): void;
}

interface Row {
  readonly id: string;
  readonly change: number;
  readonly body: string | null;
}

const CURRENT: Readonly<Record<Kind, string>> = {
  listing: `SELECT id, seq AS change, CASE WHEN removed_at IS NULL THEN body END AS body FROM listings WHERE id IN (?)`,
  owner: `SELECT id, seq AS change, body FROM owners WHERE id IN (?)`,
};
const EARLIER = `SELECT id, until_seq AS change, body FROM superseded
  WHERE kind = ? AND until_seq > ? AND id IN (?) ORDER BY until_seq DESC`;

/** Rows by their ids: current ones, or with `changeOf` in the state of that change. */
async function readRows<Value>(
  sql: Sql,
  kind: Kind,
  ids: readonly string[],
  changeOf: (id: string) => number,
): Promise<Map<string, Value>> {
  const rows = await allOf<Row>(sql, CURRENT[kind], ids);
  const bodies = new Map(rows.map(({ id, body }) => [id, body]));
  const later = rows.flatMap(({ id, change }) => (change > changeOf(id) ? id : []));
  if (later.length > 0) {
    const least = Math.min(...later.map(changeOf));
    // An index that is far behind is shown what there is: earlier versions are kept for a minute.
    for (const { id, change, body } of await allOf<Row>(sql, EARLIER, later, kind, least))
      if (change > changeOf(id)) bodies.set(id, body);
  }
  const values = new Map<string, Value>();
  for (const [id, body] of bodies) if (body !== null) values.set(id, JSON.parse(body) as Value);
  return values;
}

/** Reads rows in the state of the index, and keeps them until it applies a change. */
function createReader<Value>(sql: Sql, kind: Kind, progress: IndexProgress | undefined) {
  if (!progress) return (ids: readonly string[]) => readRows<Value>(sql, kind, ids, () => Infinity);
  const cached = createLruCache<Value>({ maxEntries: MAX_CACHED });
  progress.onApplied((changed, id) => {
    if (changed === kind) cached.delete(id);
  });
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, Value>> => {
    const found = new Map<string, Value>();
    // As the index is now, whatever it applies until the database has responded.
    const changes = new Map<string, number>();
    for (const id of ids) {
      const value = cached.get(id);
      if (value === undefined) changes.set(id, progress.changeOf(kind, id));
      else found.set(id, value);
    }
    if (changes.size === 0) return found;
    for (const [id, value] of await readRows<Value>(sql, kind, [...changes.keys()], (id) =>
      changes.get(id)!,
    )) {
      found.set(id, value);
      if (progress.changeOf(kind, id) === changes.get(id)) cached.set(id, value);
    }
    return found;
  };
}

/**
 * Reads from the database; with `progress`, in the state that the index has when it is asked: a row changed since then is
 * returned in its earlier version.
 */
export function createListingStore(sql: Sql, progress?: IndexProgress): ListingStore {
  const readListings = createReader<StockListing>(sql, 'listing', progress);
  const readOwners = createReader<StockOwner>(sql, 'owner', progress);
  const idsWith = async (column: 'vin' | 'stock_key', values: readonly string[]): Promise<string[]> => {
    const rows = await allOf<{ id: string }>(
      sql,
      `SELECT id FROM listings WHERE removed_at IS NULL AND ${column} IN (?) ORDER BY arrival`,
      values,
    );
    return rows.map(({ id }) => id);
  };

  return {
    async listings(ids) {
      const found = await readListings(ids);
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    async everListed(id) {
      const row = await sql.get<{ body: string; removedAt: number | null }>(
        'SELECT body, removed_at AS "removedAt" FROM listings WHERE id = ?',
        id,
      );
      if (!row) return undefined;
      const listing = JSON.parse(row.body) as StockListing;
      return { listing, ...(row.removedAt !== null && { removedAt: row.removedAt }) };
    },
    sitemapFiles: () =>
      sql.all<SitemapFile>(
        `SELECT (arrival - 1) / ${SITEMAP_FILE_SIZE} + 1 AS file, max(changed_on) AS "changedOn"
         FROM listings WHERE removed_at IS NULL GROUP BY 1 ORDER BY 1`,
      ),
    sitemapVehicles: (file) =>
      sql.all<SitemapVehicle>(
        `SELECT id, changed_on AS "changedOn" FROM listings
         WHERE removed_at IS NULL AND arrival > ? AND arrival <= ? ORDER BY arrival`,
        (file - 1) * SITEMAP_FILE_SIZE,
        file * SITEMAP_FILE_SIZE,
      ),
    idsOfVins: (vins) => idsWith('vin', vins),
    idsOfStockNumber: (stockNumber) => idsWith('stock_key', [stockNumber]),
    async owners(ids) {
      const distinct = [...new Set(ids)];
      const found = await readOwners(distinct);
      return new Map(
        distinct.flatMap((id) => {
          const owner = found.get(id);
          return owner ? [[id, owner] as const] : [];
        }),
      );
    },
    async alphaOwners() {
      const rows = await sql.all<{ body: string }>('SELECT body FROM owners WHERE is_alpha = 1 ORDER BY id');
      return rows.map(({ body }) => JSON.parse(body) as StockOwner);
    },
  };
}

/** Listings by arrival; each keeps the number of its first arrival. */
export interface NewListings {
  /** Id of the inventory: its numbers mean nothing in another one. */
  readonly inventory: string;
  /** Arrival number of the newest listing; 0 without any. */
  newestRow(): Promise<number>;
  /** Live listings that came after `row` up to `until`, in their order, at most `limit`; `lastRow` is how far that goes. */
  between(row: number, until: number, limit: number): Promise<{ ids: string[]; lastRow: number }>;
}

/** Number of the newest arrival; 0 without any. */
export async function newestArrival(sql: Sql): Promise<number> {
  const row = await sql.get<{ newest: number | null }>('SELECT max(arrival) AS newest FROM listings');
  return row?.newest ?? 0;
}

export async function createNewListings(sql: Sql): Promise<NewListings> {
  return {
    inventory: await inventoryId(sql),
    newestRow: () => newestArrival(sql),
    async between(row, until, limit) {
      const rows = await sql.all<{ arrival: number; id: string }>(
        `SELECT arrival, id FROM listings WHERE arrival > ? AND arrival <= ? AND removed_at IS NULL
         ORDER BY arrival LIMIT ?`,
        row,
        until,
        limit,
      );
      const lastRow = rows.length < limit ? until : rows.at(-1)!.arrival;
      return { ids: rows.map(({ id }) => id), lastRow };
    },
  };
}
