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

/** Listings as a store has them after one change. */
export function stored(
  { owners, listings }: Pick<ReturnType<typeof largeStock>, 'owners' | 'listings'>,
  stock: string,
): StoredStock {
  const page = {
    until: 1,
    version: 1,
    listings: listings.map((listing) => ({ id: listing.id, listing })),
    owners,
  };
  return {
    stock,
    lastChange: () => 1,
    ids: () => [...listings],
    listings: () => listings,
    pagesAfter: (change) => (change < 1 ? [{ ...page, moved: [] }] : []),
    find: () => Promise.resolve([]),
    sizeAt: () => listings.length,
  };
}
