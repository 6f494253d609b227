import type { StockListing, StockOwner } from '../domain/stock.ts';

/** Where imports write. The store has the adapter; each call is durable when it returns. */
export interface InventoryWriter {
  upsertOwners(owners: readonly StockOwner[]): void;
  upsertListings(listings: readonly StockListing[], source: string): { inserted: number; updated: number };
  /** Takes off the market what the source no longer names; gives their number. */
  expireMissing(source: string, hasSeen: (id: string) => boolean): number;
}

/** What is on the market already: a feed seldom says since when, and never what a price was before. */
export interface KnownListings {
  find(id: string): StockListing | undefined;
}
