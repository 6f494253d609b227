import type { StockListing, StockOwner } from '../domain/stock.ts';
import type { Db } from './database.ts';
import { createInventoryWriter } from './inventoryWriter.ts';

/** Source under which generated listings stand, apart from imported ones. */
export const GENERATED_SOURCE = 'generated';

export interface SeedOptions {
  /** Names what would be generated; data of the same key is not made again. */
  readonly key: string;
  readonly size: number;
  readonly owners: () => Iterable<StockOwner>;
  readonly listings: () => Iterable<StockListing>;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/**
 * Fills the database with generated inventory; 'present' when it holds that
 * inventory already. The key is written last, so a seeding that was cut short
 * is done again. Imported listings stay.
 */
export function seedInventory(db: Db, options: SeedOptions): 'present' | 'seeded' {
  const { key, size, owners, listings, onProgress } = options;
  const stored = db.prepare<[], string>(`SELECT value FROM meta WHERE key = 'generation'`).pluck();
  if (stored.get() === key) return 'present';

  const writer = createInventoryWriter(db);
  onProgress?.({ done: 0, total: size });
  writer.upsertOwners(owners());
  const seen = new Set<string>();
  const noted = function* (): Iterable<StockListing> {
    for (const listing of listings()) {
      seen.add(listing.id);
      yield listing;
    }
  };
  writer.upsertListings(noted(), GENERATED_SOURCE, (done) => onProgress?.({ done, total: size }));
  writer.expireMissing(GENERATED_SOURCE, (id) => seen.has(id));
  db.prepare(
    `INSERT INTO meta (key, value) VALUES ('generation', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  ).run(key);
  return 'seeded';
}
