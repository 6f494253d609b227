import type { ImportedRows } from '../domain/feedRow.ts';
import type { StockListing, StockOwner } from '../domain/stock.ts';

/** Port to the inventory; each call is durable when it returns. */
export interface InventoryWriter {
  upsertOwners(owners: readonly StockOwner[]): void;
  upsertListings(
    listings: readonly StockListing[],
    source: string,
    options: { rows: ImportedRows },
  ): { inserted: number; updated: number };
  /** Hosts that photos of the source may come from. */
  allowPhotoHosts(source: string, hosts: readonly string[]): void;
  /** Expires listings that the source no longer contains; returns their number. */
  expireMissing(source: string, hasSeen: (id: string) => boolean): number;
  /** How many listings the source has, and how many of them it no longer contains. */
  countMissing(source: string, hasSeen: (id: string) => boolean): { live: number; missing: number };
}

/** Live listings, for facts that feeds lack: the first day and the previous price. */
export interface KnownListings {
  find(id: string): StockListing | undefined;
}
