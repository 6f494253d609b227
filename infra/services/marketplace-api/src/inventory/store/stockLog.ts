import type { Sql } from '@forecourt/service-kit/sql';
import { allOf } from '@forecourt/service-kit/sqlRows';
import type { StockListing, StockOwner } from '../../domain/stock.ts';
import { inventoryId, lastChange } from './inventoryTables.ts';
import { newestArrival } from './listingStore.ts';

/** A changed listing of the store; without `listing` it is no longer for sale. */
export interface StoredListing {
  readonly id: string;
  readonly listing?: StockListing;
}

/** Changes of a stock. */
export interface StockPage {
  /** Rows whose last change is one up to this were in earlier pages, or known before. */
  readonly after: number;
  /** The change up to which everything is in this page or an earlier one. */
  readonly until: number;
  /** `change`: number of the last change of the row, which may be one after `until`. */
  readonly listings: readonly (StoredListing & { readonly change: number })[];
  /** Owners that have changed, read after the listings; their other listings aren't in the page: they may have moved. */
  readonly owners: readonly { readonly owner: StockOwner; readonly change: number }[];
  /** Whether nothing follows. */
  readonly isLast: boolean;
}

/** The stock and its changes in their order, for indexes. */
export interface StockLog {
  /** Id of the stock: its numbers mean nothing in another one. */
  readonly stock: string;
  lastChange(): Promise<number>;
  /**
   * The last state of everything that was changed after a change. With `until`, what was changed again after that is left
   * out, as it comes later. No page if there are no such changes.
   */
  pagesAfter(change: number, until?: number): AsyncIterable<StockPage>;
  /** Listings by their ids. */
  find(ids: readonly string[]): Promise<readonly StoredListing[]>;
  owners(ids: readonly string[]): Promise<ReadonlyMap<string, StockOwner>>;
  /** Live listings in the state of a change; undefined if there are later changes. */
  sizeAt(change: number): Promise<number | undefined>;
  /** For an index that starts: all owners, then the live listings that were not changed after `until`. */
  allOwners(): AsyncIterable<readonly StockOwner[]>;
  ids(until: number): Promise<readonly { readonly id: string; readonly ownerId: string }[]>;
  listings(until: number): AsyncIterable<readonly StockListing[]>;
  /** Of sellers, those live listings that were not changed after `until`. */
  listingsOf(ownerIds: readonly string[], until: number): Promise<readonly StoredListing[]>;
}

/** Rows of a page. */
const PAGE = 1_000;
/** After every id. */
const LAST_ID = '\u{10FFFF}';

interface Row {
  readonly id: string;
  readonly change: number;
  /** Null for an expired listing. */
  readonly body: string | null;
}

const LISTING = 'SELECT id, seq AS change, CASE WHEN removed_at IS NULL THEN body END AS body FROM listings';
const parsed = ({ id, change, body }: Row) => ({
  id,
  change,
  ...(body !== null && { listing: JSON.parse(body) as StockListing }),
});

/** The bodies of live listings by their arrival, in pages, each read while the one before is used. */
async function* liveBodies(sql: Sql, until: number): AsyncIterable<readonly string[]> {
  const newest = await newestArrival(sql);
  // A range of arrivals, not a limit: PostgreSQL would sort all that follow while its statistics are from before an import.
  const read = (from: number) =>
    sql.all<{ body: string }>(
      `SELECT body FROM listings WHERE arrival > ? AND arrival <= ? AND removed_at IS NULL AND seq <= ? ORDER BY arrival`,
      from,
      from + PAGE,
      until,
    );
  let next = read(0);
  for (let from = PAGE; ; from += PAGE) {
    const rows = await next;
    if (from < newest) {
      next = read(from);
      // It is awaited later; if the reader stops before, nobody needs it.
      next.catch(() => undefined);
    }
    yield rows.map(({ body }) => body);
    if (from >= newest) return;
  }
}

/** The log of an inventory: the numbers that its rows carry. */
export async function createStockLog(sql: Sql): Promise<StockLog> {
  const changedOwners = async (change: number) => {
    const rows = await sql.all<{ change: number; body: string }>(
      'SELECT seq AS change, body FROM owners WHERE seq > ?',
      change,
    );
    return rows.map(({ change: number, body }) => ({
      change: number,
      owner: JSON.parse(body) as StockOwner,
    }));
  };
  const find = async (text: string, keys: readonly string[], ...values: readonly number[]) =>
    (await allOf<Row>(sql, text, keys, ...values)).map(parsed);

  return {
    stock: await inventoryId(sql),
    lastChange: () => lastChange(sql),
    async *pagesAfter(change, until = Number.MAX_SAFE_INTEGER) {
      let from: readonly [number, string] = [change, LAST_ID];
      for (let isLast = false; !isLast;) {
        // Read before the rows: they have everything up to it.
        const last = Math.min(until, await lastChange(sql));
        if (last <= change) return;
        const found: readonly Row[] = await sql.all<Row>(
          `${LISTING} WHERE (seq, id) > (?, ?) ORDER BY seq, id LIMIT ${PAGE}`,
          ...from,
        );
        const rows = found.filter((row) => row.change <= until);
        // Read after the rows: it has the owners of all of them.
        const owners = await changedOwners(from[0]);
        const end = rows.at(-1);
        isLast = rows.length < PAGE;
        // The last change may continue in the next page.
        const complete = isLast || !end ? last : Math.max(change, Math.min(last, end.change - 1));
        yield { after: from[0], until: complete, owners, listings: rows.map(parsed), isLast };
        if (end) from = [end.change, end.id];
      }
    },
    find: (ids) => find(`${LISTING} WHERE id IN (?)`, ids),
    async owners(ids) {
      const rows = await allOf<{ id: string; body: string }>(
        sql,
        'SELECT id, body FROM owners WHERE id IN (?)',
        ids,
      );
      return new Map(rows.map(({ id, body }) => [id, JSON.parse(body) as StockOwner]));
    },
    async sizeAt(change) {
      const row = await sql.get<{ size: number; change: number }>(
        `SELECT (SELECT count(*) FROM listings WHERE removed_at IS NULL) AS size, CAST(value AS BIGINT) AS change
         FROM meta WHERE key = 'change_seq'`,
      );
      return row?.change === change ? row.size : undefined;
    },
    async *allOwners() {
      for (let last: string | undefined = ''; last !== undefined;) {
        const text = `SELECT id, body FROM owners WHERE id > ? ORDER BY id LIMIT ${PAGE}`;
        const rows: { id: string; body: string }[] = await sql.all(text, last);
        last = rows.at(-1)?.id;
        yield rows.map(({ body }) => JSON.parse(body) as StockOwner);
      }
    },
    ids: (until) =>
      sql.all('SELECT id, owner_id AS "ownerId" FROM listings WHERE removed_at IS NULL AND seq <= ?', until),
    async *listings(until) {
      for await (const bodies of liveBodies(sql, until))
        yield bodies.map((body) => JSON.parse(body) as StockListing);
    },
    listingsOf: (ownerIds, until) =>
      find(`${LISTING} WHERE removed_at IS NULL AND seq <= ? AND owner_id IN (?)`, ownerIds, until),
  };
}
