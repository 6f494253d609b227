import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createZipDirectory } from '../../../domain/places/index.ts';
import type { StockListing, StockOwner } from '../../../domain/stock.ts';
import { demoContent } from '../../../testing/testApp.ts';
import { createImportMemory } from '../../store/importMemory.ts';
import { type ImportOptions, type ImportSummary, importFeed, type Reject } from '../importFeed.ts';
import { type FeedMapping, mappingSchema } from '../mapping.ts';
import type { InventoryWriter, KnownListings } from '../rowImport.ts';

const zips = createZipDirectory();

/** A mapping of the columns that most tests use. */
export const MAPPING: FeedMapping = mappingSchema.parse({
  source: 'lakeside',
  fields: {
    vin: 'VIN',
    stockNumber: 'Stock',
    year: 'Year',
    make: 'Make',
    model: 'Model',
    price: 'Price',
    mileage: 'Miles',
    sellerName: { column: 'Dealer', default: 'Lakeside Ford' },
    zip: { column: 'Zip', default: '60601' },
  },
});

export interface Market extends InventoryWriter, KnownListings {
  readonly listings: Map<string, StockListing>;
  readonly owners: Map<string, StockOwner>;
}

/** An inventory in memory, which counts as the product's writer does. */
export function createMarket(): Market {
  const listings = new Map<string, StockListing>();
  const owners = new Map<string, StockOwner>();
  return {
    listings,
    owners,
    find: (ids) => Promise.resolve(ids.flatMap((id) => listings.get(id) ?? [])),
    allowPhotoHosts: () => Promise.resolve(),
    countMissing: (_source, hasSeen) =>
      Promise.resolve({
        live: listings.size,
        missing: [...listings.keys()].filter((id) => !hasSeen(id)).length,
      }),
    upsertOwners(added) {
      for (const owner of added) owners.set(owner.id, owner);
      return Promise.resolve();
    },
    upsertListings(added) {
      let [inserted, updated] = [0, 0];
      for (const listing of added) {
        if (!owners.has(listing.ownerId)) throw new Error(`No owner ${listing.ownerId}`);
        const before = listings.get(listing.id);
        if (!before) inserted += 1;
        else if (JSON.stringify(before) !== JSON.stringify(listing)) updated += 1;
        listings.set(listing.id, listing);
      }
      return Promise.resolve({ inserted, updated });
    },
    expireMissing(_source, hasSeen) {
      const gone = [...listings.keys()].filter((id) => !hasSeen(id));
      gone.forEach((id) => listings.delete(id));
      return Promise.resolve(gone.length);
    },
  };
}

export interface Imported {
  readonly summary: ImportSummary;
  readonly market: Market;
  readonly rejects: readonly Reject[];
  readonly listings: readonly StockListing[];
}

/** Imports a text or bytes as a file. */
export async function importText(
  content: string | Buffer,
  market: Market = createMarket(),
  given: Partial<ImportOptions> & { readonly extension?: string } = {},
): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'feed-'));
  const { extension = 'csv', ...options } = given;
  const path = join(folder, `stock.${extension}`);
  writeFileSync(path, content);
  const rejects: Reject[] = [];
  try {
    const summary = await importFeed({
      path,
      mapping: MAPPING,
      zips,
      catalog: demoContent.catalog,
      today: new Date('2026-11-21T12:00:00Z'),
      openMemory: createImportMemory,
      writer: market,
      known: market,
      onReject: (reject) => rejects.push(reject),
      ...options,
    });
    return { summary, market, rejects, listings: [...market.listings.values()] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
