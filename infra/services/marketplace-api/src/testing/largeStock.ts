import fc from 'fast-check';
import type { StockListing, StockOwner } from '../domain/stock.ts';
import type { StockLog } from '../inventory/store/stockLog.ts';
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
): StockLog {
  const page = {
    after: 0,
    until: 1,
    listings: listings.map((listing) => ({ id: listing.id, listing, change: 1 })),
    owners: [...owners.values()].map((owner) => ({ owner, change: 1 })),
    isLast: true,
  };
  const inOnePage = async function* <Value>(value: Value) {
    yield await Promise.resolve(value);
  };
  return {
    stock,
    lastChange: () => Promise.resolve(1),
    pagesAfter: (change) => (change < 1 ? inOnePage(page) : (async function* () {})()),
    find: () => Promise.resolve([]),
    owners: () => Promise.resolve(owners),
    sizeAt: () => Promise.resolve(listings.length),
    allOwners: () => inOnePage([...owners.values()]),
    ids: () => Promise.resolve([...listings]),
    listings: () => inOnePage(listings),
    listingsOf: () => Promise.resolve([]),
  };
}
