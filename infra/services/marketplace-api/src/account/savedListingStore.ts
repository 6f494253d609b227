import type { Db } from '../store/database.ts';
import type { SavedListing } from '../http/callTypes.ts';

/** Listings that one account keeps. */
export const MAX_SAVED_LISTINGS = 500;

/** A saved listing with the price which its account was last told, in US dollars. */
export interface WatchedListing {
  readonly account: string;
  readonly listingId: string;
  readonly knownPrice: number | null;
}

export interface SavedListingStore {
  /** False when the account keeps as many as it may; saving again changes nothing. */
  save(account: string, listingId: string, price: number | undefined): boolean;
  remove(account: string, listingId: string): void;
  /** Adds what is not there yet, up to the limit. */
  merge(account: string, listings: readonly { id: string; price?: number }[]): void;
  /** Newest first. */
  list(account: string): SavedListing[];
  /** Listings of accounts that can be notified. */
  watched(): IterableIterator<WatchedListing>;
  /** From now on the account knows this price. */
  told(account: string, listingId: string, price: number): void;
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
  const tell = db.prepare(
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
    told: (account, listingId, price) => void tell.run(price, account, listingId),
  };
}
