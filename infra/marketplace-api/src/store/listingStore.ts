import type { StockListing, StockOwner } from '../domain/stock.ts';
import type { Db } from './database.ts';

/** Reads listings and owners one page at a time: the index holds columns only. */
export interface ListingStore {
  /** Live listings in the order of the ids; unknown ones are left out. */
  listings(ids: readonly string[]): StockListing[];
  idsOfVins(vins: readonly string[]): string[];
  owners(ids: Iterable<string>): Map<string, StockOwner>;
  /** Dealers that buy the sponsored showcase. */
  alphaOwners(): StockOwner[];
}

export function createListingStore(db: Db): ListingStore {
  const listing = db
    .prepare<[string], string>('SELECT body FROM listings WHERE id = ? AND removed_at IS NULL')
    .pluck();
  const byVin = db
    .prepare<[string], string>('SELECT id FROM listings WHERE vin = ? AND removed_at IS NULL')
    .pluck();
  const owner = db.prepare<[string], string>('SELECT body FROM owners WHERE id = ?').pluck();
  const alpha = db.prepare<[], string>('SELECT body FROM owners WHERE is_alpha = 1 ORDER BY id').pluck();

  return {
    listings: (ids) =>
      ids.flatMap((id) => {
        const body = listing.get(id);
        return body === undefined ? [] : [JSON.parse(body) as StockListing];
      }),
    idsOfVins: (vins) => vins.flatMap((vin) => byVin.all(vin)),
    owners: (ids) => {
      const found = new Map<string, StockOwner>();
      for (const id of ids) {
        if (found.has(id)) continue;
        const body = owner.get(id);
        if (body !== undefined) found.set(id, JSON.parse(body) as StockOwner);
      }
      return found;
    },
    alphaOwners: () => alpha.all().map((body) => JSON.parse(body) as StockOwner),
  };
}
