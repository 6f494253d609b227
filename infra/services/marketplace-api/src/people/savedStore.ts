import { randomUUID } from 'node:crypto';
import type { Bookmark } from '@forecourt/shared-contracts/entities';
import type { BookmarkForm, SavedListing, Deal } from '../http/requests.ts';
import { formatLastExecuted } from '@forecourt/shared-contracts/rules';
import type { Db } from '@forecourt/durable/database';

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

export interface BookmarkStore {
  /** Adds a bookmark or replaces the account's own with the same id; idempotent. Throws BookmarkError. */
  save(account: string, form: BookmarkForm): Bookmark;
  rename(account: string, id: string, title: string): Bookmark | undefined;
  /** False if there was none. */
  remove(account: string, id: string): boolean;
  own(account: string, id: string): Bookmark | undefined;
  /** Anyone with the id may read it; ids cannot be guessed. */
  shared(id: string): Bookmark | undefined;
  /** Newest first. */
  list(account: string): Bookmark[];
}

interface BookmarkRow {
  readonly bookmark_id: string;
  readonly account: string;
  readonly title: string;
  readonly search_name: string;
  readonly last_executed: string;
  readonly search_results_url: string;
}

const toBookmark = (row: BookmarkRow): Bookmark => ({
  bookmarkId: row.bookmark_id,
  bookmarkTitle: row.title,
  searchName: row.search_name,
  lastExecuted: row.last_executed,
  searchResultsURL: row.search_results_url,
  textModalDisclaimer: 'Saved searches stay in your account until you delete them.',
  saveSearchInstrText: 'Open it from your account, or share its link.',
});

export function createBookmarkStore(db: Db, now: () => number = Date.now): BookmarkStore {
  const upsert = db.prepare(
    `INSERT INTO bookmarks (bookmark_id, account, title, search_name, last_executed, search_results_url, created_at)
     VALUES (@id, @account, @title, @searchName, @lastExecuted, @url, @at)
     ON CONFLICT (bookmark_id) DO UPDATE SET title = @title, search_name = @searchName,
       last_executed = @lastExecuted, search_results_url = @url`,
  );
  const byId = db.prepare<[string], BookmarkRow>('SELECT * FROM bookmarks WHERE bookmark_id = ?');
  const ofAccount = db.prepare<[string], BookmarkRow>(
    'SELECT * FROM bookmarks WHERE account = ? ORDER BY created_at DESC, bookmark_id',
  );
  const count = db.prepare<[string], number>('SELECT count(*) FROM bookmarks WHERE account = ?').pluck();
  const rename = db.prepare('UPDATE bookmarks SET title = ? WHERE bookmark_id = ? AND account = ?');
  const remove = db.prepare('DELETE FROM bookmarks WHERE bookmark_id = ? AND account = ?');
  const ownBookmark = (account: string, id: string) => {
    const row = byId.get(id);
    return row?.account === account ? toBookmark(row) : undefined;
  };

  return {
    save: (account, form) =>
      db
        .transaction(() => {
          const id = form.bookmarkId || randomUUID();
          const present = byId.get(id);
          if (present && present.account !== account) throw new BookmarkError('BOOKMARK_NOT_FOUND');
          if (!present && count.get(account)! >= MAX_BOOKMARKS) throw new BookmarkError('LIMIT');
          upsert.run({
            id,
            account,
            title: form.bookmarkTitle,
            searchName: form.searchName || form.bookmarkTitle,
            lastExecuted: form.lastExecuted || formatLastExecuted(new Date(now())),
            url: form.searchResultsURL,
            at: now(),
          });
          return toBookmark(byId.get(id)!);
        })
        .immediate(),
    rename: (account, id, title) =>
      rename.run(title, id, account).changes > 0 ? ownBookmark(account, id) : undefined,
    remove: (account, id) => remove.run(id, account).changes > 0,
    own: ownBookmark,
    shared: (id) => {
      const row = byId.get(id);
      return row && toBookmark(row);
    },
    list: (account) => ofAccount.all(account).map(toBookmark),
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
  save(account: string, listingId: string, price: number | undefined): boolean;
  remove(account: string, listingId: string): void;
  /** Adds missing listings up to the limit. */
  merge(account: string, listings: readonly { id: string; price?: number }[]): void;
  /** Newest first. */
  list(account: string): SavedListing[];
  /** Listings of accounts that can be notified. */
  watched(): IterableIterator<WatchedListing>;
  /** Records the price that the account was notified of. */
  markNotified(account: string, listingId: string, price: number): void;
}

export function createSavedListingStore(db: Db, now: () => number = Date.now): SavedListingStore {
  const insert = db.prepare(
    `INSERT INTO saved_listings (account, listing_id, saved_at, saved_price, notified_price)
     VALUES (@account, @listingId, @at, @price, @price) ON CONFLICT DO NOTHING`,
  );
  const has = db.prepare('SELECT 1 FROM saved_listings WHERE account = ? AND listing_id = ?');
  const count = db.prepare<[string], number>('SELECT count(*) FROM saved_listings WHERE account = ?').pluck();
  const remove = db.prepare('DELETE FROM saved_listings WHERE account = ? AND listing_id = ?');
  const list = db.prepare<[string], { listing_id: string; saved_at: number; saved_price: number | null }>(
    `SELECT listing_id, saved_at, saved_price FROM saved_listings WHERE account = ?
     ORDER BY saved_at DESC, listing_id`,
  );
  const watched = db.prepare<[], { account: string; listing_id: string; notified_price: number | null }>(
    `SELECT account, listing_id, notified_price FROM saved_listings
     WHERE account IN (SELECT account FROM devices WHERE account IS NOT NULL)`,
  );
  const markNotified = db.prepare(
    'UPDATE saved_listings SET notified_price = ? WHERE account = ? AND listing_id = ?',
  );

  const save = (account: string, listingId: string, price: number | undefined): boolean => {
    if (has.get(account, listingId)) return true;
    if (count.get(account)! >= MAX_SAVED_LISTINGS) return false;
    insert.run({ account, listingId, at: now(), price: price ?? null });
    return true;
  };
  return {
    save: (account, listingId, price) => db.transaction(save).immediate(account, listingId, price),
    remove: (account, listingId) => void remove.run(account, listingId),
    merge: (account, listings) =>
      db
        .transaction(() => {
          for (const { id, price } of listings) save(account, id, price);
        })
        .immediate(),
    list: (account) =>
      list.all(account).map(({ listing_id, saved_at, saved_price }) => ({
        listingId: listing_id,
        savedAt: saved_at,
        ...(saved_price !== null && { savedPrice: saved_price }),
      })),
    *watched() {
      for (const { account, listing_id, notified_price } of watched.all())
        yield { account, listingId: listing_id, knownPrice: notified_price };
    },
    markNotified: (account, listingId, price) => void markNotified.run(price, account, listingId),
  };
}

type SavedDeal = Deal & { readonly id: string };

export interface DealStore {
  /** Stores a deal under a new id, or replaces the one with the given id. */
  add(deal: Deal, id?: string): SavedDeal;
  /** Undefined for an unknown id. */
  replace(id: string, deal: Deal): SavedDeal | undefined;
}

export function createDealStore(db: Db, now: () => number = Date.now): DealStore {
  const insert = db.prepare(
    `INSERT INTO deals (id, body, created_at, updated_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`,
  );
  const update = db.prepare('UPDATE deals SET body = ?, updated_at = ? WHERE id = ?');
  return {
    add(deal, id = randomUUID()) {
      insert.run(id, JSON.stringify(deal), now(), now());
      return { ...deal, id };
    },
    replace: (id, deal) =>
      update.run(JSON.stringify(deal), now(), id).changes > 0 ? { ...deal, id } : undefined,
  };
}
