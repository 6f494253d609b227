import fc from 'fast-check';
import type { StockListing, StockOwner } from '../domain/stock.ts';
import type { StoredStock } from '../inventory/store/indexFeed.ts';
import { stocks } from './arbitraries.ts';

/** Listings of many generated inventories as one, numbered from 1; the same for the same seed. */
export function largeStock(size: number, seed = 2026) {
  const owners = new Map<string, StockOwner>();
  const listings: StockListing[] = [];
  for (const part of fc.sample(stocks, { numRuns: Math.ceil(size / 3), seed })) {
    const first = owners.size;
    const idOf = (id: string) => `o${first + Number(id.slice(1))}`;
    for (const owner of part.owners.values()) owners.set(idOf(owner.id), { ...owner, id: idOf(owner.id) });
    for (const listing of part.listings) {
      if (listings.length === size) return { owners, listings };
      listings.push({ ...listing, id: String(listings.length + 1), ownerId: idOf(listing.ownerId) });
    }
  }
  return { owners, listings };
}

/** Listings as a store has them after one change each. */
export const stored = (listings: readonly StockListing[], inventory: string): StoredStock => ({
  inventory,
  lastChange: listings.length,
  size: listings.length,
  ids: () => [...listings],
  listings: () => listings,
  changedSince: (since) =>
    listings
      .map((listing, at) => ({ id: listing.id, change: at + 1, version: at + 1, listing }))
      .filter(({ change }) => change > since),
});
