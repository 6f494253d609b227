import type { StockListing } from '../domain/stock.ts';
import type { Db } from '../store/database.ts';
import type { KnownListings } from './writer.ts';

/** Listings on the market, read from the store's file. */
export function createKnownListings(db: Db): KnownListings {
  const select = db
    .prepare<[string], string>('SELECT body FROM listings WHERE id = ? AND removed_at IS NULL')
    .pluck();
  return {
    find(id) {
      const body = select.get(id);
      return body === undefined ? undefined : (JSON.parse(body) as StockListing);
    },
  };
}
