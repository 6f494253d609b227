import { randomUUID } from 'node:crypto';
import { type Bookmark, formatLastExecuted } from '@forecourt/upstream/entities';
import type { BookmarkForm, SavedListing, Deal } from '../../domain/callTypes.ts';
import type { Sql } from '@forecourt/service-kit/sql';

/** Most bookmarks of one account. */
export const MAX_BOOKMARKS = 200;

/** The bookmark belongs to another account, or the account has too many. */
export class BookmarkError extends Error {
  readonly code: 'BOOKMARK_NOT_FOUND' | 'LIMIT';
  constructor(code: BookmarkError['code']) {
    super(code);
    this.code = code;
  }
}

/** The newest arrival that an account has seen, by its number in an inventory. */
export interface SeenArrivals {
  readonly row: number;
  /** Id of the inventory: its numbers mean nothing in another one. */
  readonly inventory: string;
}

export interface BookmarkStore {
  /**
   * Adds a bookmark or replaces the account's own with the same id; idempotent. What arrives after `seen` is new to it.
   * Throws BookmarkError.
   */
  save(account: string, form: BookmarkForm, seen: SeenArrivals): Promise<Bookmark>;
  /** Records that the account opens its bookmark now; undefined for an unknown one. */
  open(account: string, id: string, seen: SeenArrivals): Promise<Bookmark | undefined>;
  rename(account: string, id: string, title: string): Promise<Bookmark | undefined>;
  /** False if there was none. */
  remove(account: string, id: string): Promise<boolean>;
  own(account: string, id: string): Promise<Bookmark | undefined>;
  /** Anyone with the id may read it; ids cannot be guessed. */
  shared(id: string): Promise<Bookmark | undefined>;
  /** Newest first. */
  list(account: string): Promise<Bookmark[]>;
  /** What the account had seen when it saved or last opened each bookmark, by bookmark id. */
  seen(account: string): Promise<ReadonlyMap<string, SeenArrivals>>;
}

interface BookmarkRow {
  readonly bookmark_id: string;
  readonly account: string;
  readonly title: string;
  readonly search_name: string;
  readonly last_executed: string;
  readonly search_results_url: string;
  readonly opened_at: number | null;
  readonly seen_row: number | null;
  readonly inventory: string | null;
}

/** Without what only its account may see. */
const toSharedBookmark = (row: BookmarkRow): Bookmark => ({
  bookmarkId: row.bookmark_id,
  bookmarkTitle: row.title,
  searchName: row.search_name,
  lastExecuted: row.last_executed,
  searchResultsURL: row.search_results_url,
  textModalDisclaimer: 'Saved searches stay in your account until you delete them.',
  saveSearchInstrText: 'Open it from your account, or share its link.',
});

const toBookmark = (row: BookmarkRow): Bookmark => ({
  ...toSharedBookmark(row),
  ...(row.opened_at !== null && { openedAt: row.opened_at }),
});

export function createBookmarkStore(sql: Sql, now: () => number = Date.now): BookmarkStore {
  const find = (id: string) => sql.get<BookmarkRow>('SELECT * FROM bookmarks WHERE bookmark_id = ?', id);
  const own = async (account: string, id: string) => {
    const row = await find(id);
    return row?.account === account ? toBookmark(row) : undefined;
  };
  const rowsOf = (account: string) =>
    sql.all<BookmarkRow>(
      'SELECT * FROM bookmarks WHERE account = ? ORDER BY created_at DESC, bookmark_id',
      account,
    );
  const isFull = async (account: string): Promise<boolean> => {
    const row = await sql.get<{ n: number }>(
      'SELECT count(*) AS n FROM bookmarks WHERE account = ?',
      account,
    );
    return row!.n >= MAX_BOOKMARKS;
  };

  return {
    save: (account, form, seen) =>
      sql.transaction(async () => {
        const id = form.bookmarkId || randomUUID();
        const present = await find(id);
        if (present && present.account !== account) throw new BookmarkError('BOOKMARK_NOT_FOUND');
        if (!present && (await isFull(account))) throw new BookmarkError('LIMIT');
        await sql.run(
          `INSERT INTO bookmarks (bookmark_id, account, title, search_name, last_executed, search_results_url,
             created_at, seen_row, inventory)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (bookmark_id) DO UPDATE SET title = excluded.title, search_name = excluded.search_name,
             last_executed = excluded.last_executed, search_results_url = excluded.search_results_url,
             seen_row = excluded.seen_row, inventory = excluded.inventory, opened_at = NULL`,
          id,
          account,
          form.bookmarkTitle,
          form.searchName || form.bookmarkTitle,
          form.lastExecuted || formatLastExecuted(new Date(now())),
          form.searchResultsURL,
          now(),
          seen.row,
          seen.inventory,
        );
        return toBookmark((await find(id))!);
      }),
    async open(account, id, seen) {
      await sql.run(
        'UPDATE bookmarks SET opened_at = ?, seen_row = ?, inventory = ? WHERE bookmark_id = ? AND account = ?',
        now(),
        seen.row,
        seen.inventory,
        id,
        account,
      );
      return own(account, id);
    },
    async rename(account, id, title) {
      await sql.run(
        'UPDATE bookmarks SET title = ? WHERE bookmark_id = ? AND account = ?',
        title,
        id,
        account,
      );
      return own(account, id);
    },
    remove: async (account, id) =>
      (await sql.run('DELETE FROM bookmarks WHERE bookmark_id = ? AND account = ?', id, account)) > 0,
    own,
    async shared(id) {
      const row = await find(id);
      return row && toSharedBookmark(row);
    },
    list: async (account) => (await rowsOf(account)).map(toBookmark),
    async seen(account) {
      const rows = await rowsOf(account);
      return new Map(
        rows.flatMap(({ bookmark_id: id, seen_row: row, inventory }) =>
          row === null || inventory === null ? [] : [[id, { row, inventory }] as const],
        ),
      );
    },
  };
}

/** Most saved listings of one account. */
export const MAX_SAVED_LISTINGS = 500;

/** A saved listing with the price of the last notification, US dollars. */
interface WatchedListing {
  readonly account: string;
  readonly listingId: string;
  readonly knownPrice: number | null;
}

export interface SavedListingStore {
  /** False at the limit; idempotent. */
  save(account: string, listingId: string, price: number | undefined): Promise<boolean>;
  remove(account: string, listingId: string): Promise<void>;
  /** Adds missing listings up to the limit. */
  merge(account: string, listings: readonly { id: string; price?: number }[]): Promise<void>;
  /** Newest first. */
  list(account: string): Promise<SavedListing[]>;
  /** Listings of accounts that can be notified. */
  watched(): Promise<WatchedListing[]>;
  /** Records the price that the account was notified of. */
  markNotified(account: string, listingId: string, price: number): Promise<void>;
}

interface SavedListingRow {
  readonly account: string;
  readonly listing_id: string;
  readonly saved_at: number;
  readonly saved_price: number | null;
  readonly notified_price: number | null;
}

export function createSavedListingStore(sql: Sql, now: () => number = Date.now): SavedListingStore {
  async function save(account: string, listingId: string, price: number | undefined): Promise<boolean> {
    const has = 'SELECT 1 FROM saved_listings WHERE account = ? AND listing_id = ?';
    if (await sql.get(has, account, listingId)) return true;
    const count = 'SELECT count(*) AS n FROM saved_listings WHERE account = ?';
    if ((await sql.get<{ n: number }>(count, account))!.n >= MAX_SAVED_LISTINGS) return false;
    await sql.run(
      `INSERT INTO saved_listings (account, listing_id, saved_at, saved_price, notified_price)
       VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      account,
      listingId,
      now(),
      price ?? null,
      price ?? null,
    );
    return true;
  }
  return {
    save: (account, listingId, price) => sql.transaction(() => save(account, listingId, price)),
    async remove(account, listingId) {
      await sql.run('DELETE FROM saved_listings WHERE account = ? AND listing_id = ?', account, listingId);
    },
    merge: (account, listings) =>
      sql.transaction(async () => {
        for (const { id, price } of listings) await save(account, id, price);
      }),
    async list(account) {
      const rows = await sql.all<SavedListingRow>(
        'SELECT * FROM saved_listings WHERE account = ? ORDER BY saved_at DESC, listing_id',
        account,
      );
      return rows.map(({ listing_id, saved_at, saved_price }) => ({
        listingId: listing_id,
        savedAt: saved_at,
        ...(saved_price !== null && { savedPrice: saved_price }),
      }));
    },
    async watched() {
      const rows = await sql.all<SavedListingRow>(
        `SELECT * FROM saved_listings
         WHERE account IN (SELECT account FROM devices WHERE account IS NOT NULL)`,
      );
      return rows.map(({ account, listing_id, notified_price }) => ({
        account,
        listingId: listing_id,
        knownPrice: notified_price,
      }));
    },
    async markNotified(account, listingId, price) {
      await sql.run(
        'UPDATE saved_listings SET notified_price = ? WHERE account = ? AND listing_id = ?',
        price,
        account,
        listingId,
      );
    },
  };
}

type SavedDeal = Deal & { readonly id: string };

export interface DealStore {
  /** Stores a deal under a new id, or replaces the one with the given id. */
  add(deal: Deal, id?: string): Promise<SavedDeal>;
  /** Undefined for an unknown id. */
  replace(id: string, deal: Deal): Promise<SavedDeal | undefined>;
}

export function createDealStore(sql: Sql, now: () => number = Date.now): DealStore {
  return {
    async add(deal, id = randomUUID()) {
      await sql.run(
        `INSERT INTO deals (id, body, created_at, updated_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`,
        id,
        JSON.stringify(deal),
        now(),
        now(),
      );
      return { ...deal, id };
    },
    async replace(id, deal) {
      const update = 'UPDATE deals SET body = ?, updated_at = ? WHERE id = ?';
      return (await sql.run(update, JSON.stringify(deal), now(), id)) > 0 ? { ...deal, id } : undefined;
    },
  };
}
