import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { type StockListing, derivedPrice } from '../../domain/stock.ts';
import { type ColumnarIndex, createColumnarIndex } from '../../search/listingIndex/columnarIndex.ts';
import type { ListingQuery } from '../../search/listingIndex/listingIndex.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import type { Db } from '@forecourt/service-kit/database';
import { createListingStore, type ListingStore, openDatabase } from './listingStore.ts';
import { type IndexFeed, createIndexFeed } from './indexFeed.ts';
import { type InventoryWriter, createInventoryWriter } from './inventoryWriter.ts';

jest.setTimeout(60_000);

const UNDER_20: ListingQuery = { price: { max: 20_000 } };
const PAGE = { sort: 'derivedpriceASC', first: 0, size: 1000 } as const;

describe('search results and stored listings', () => {
  let folder: string;
  let reading: Db;
  let writing: Db;
  let index: ColumnarIndex;
  let feed: IndexFeed;
  let store: ListingStore;
  let writer: InventoryWriter;
  const start = () => {
    folder = mkdtempSync(join(tmpdir(), 'marketplace-agreement-'));
    const path = join(folder, 'marketplace.sqlite');
    reading = openDatabase(path);
    writing = openDatabase(path);
    writer = createInventoryWriter(writing);
    index = createColumnarIndex();
    feed = createIndexFeed(reading, index);
    store = createListingStore(reading, feed);
  };
  const stop = () => {
    feed.close();
    reading.close();
    writing.close();
    rmSync(folder, { recursive: true });
  };
  beforeEach(start);
  afterEach(stop);

  /** One response: the list, the total, the price range and the counts of a filter. */
  function expectAgreement(): void {
    const { total, hits, stats, counts } = index.search(UNDER_20, PAGE, { counts: true });
    const listings = store.listings(hits.map(({ id }) => id));
    const prices = listings.map((listing) => derivedPrice(listing)!);
    expect(listings).toHaveLength(total);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    expect(prices.every((price) => price <= 20_000)).toBe(true);
    expect(stats.price).toEqual(total > 0 ? { min: prices[0], max: prices.at(-1) } : undefined);
    const { values, counts: perType } = counts!.facets.listingType;
    values.forEach((value, code) =>
      expect(perType[code]).toBe(listings.filter(({ listingType }) => listingType === value).length),
    );
  }

  const listing = (id: number, salePrice: number): StockListing =>
    aListing({
      id: String(id),
      vin: `V${id}`,
      salePrice,
      listingType: salePrice % 2 === 0 ? 'USED' : 'CERTIFIED',
    });
  const prices = fc.array(fc.record({ id: fc.nat(700), price: fc.integer({ min: 18_000, max: 22_000 }) }), {
    minLength: 1,
    maxLength: 900,
  });
  const write = fc.record({ changes: prices, firstKeptId: fc.option(fc.nat(700), { freq: 2 }) });

  it('keeps lists, counts and store consistent while listings change faster than they are indexed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 2, maxLength: 6 }), async (writes) => {
        stop();
        start();
        writer.upsertOwners([anOwner()]);
        writer.upsertListings(
          Array.from({ length: 700 }, (_, id) => listing(id, 19_000 + (id % 20) * 100)),
          'test',
        );
        await feed.load();
        for (const { changes, firstKeptId } of writes) {
          writer.upsertListings(
            changes.map(({ id, price }) => listing(id, price)),
            'test',
          );
          if (firstKeptId !== null) writer.expireMissing('test', (id) => Number(id) >= firstKeptId);
          expectAgreement();
          // Writes again while the feed is catching up.
          const catchingUp = feed.catchUp();
          expectAgreement();
          await tick();
          expectAgreement();
          writer.upsertListings(
            changes.slice(0, 40).map(({ id, price }) => listing(id, price + 1)),
            'test',
          );
          for (let n = 0; n < 3; n++) {
            await tick();
            expectAgreement();
          }
          await catchingUp;
          expectAgreement();
        }
        await feed.catchUp();
        expectAgreement();
        const now = createListingStore(reading);
        const { hits } = index.search({}, PAGE);
        const ids = hits.map(({ id }) => id);
        expect(store.listings(ids)).toEqual(now.listings(ids));
      }),
      { numRuns: 15 },
    );
  });

  it('shows a moved seller at the location that the search used', async () => {
    writer.upsertOwners([anOwner()]);
    writer.upsertListings([listing(1, 19_000)], 'test');
    await feed.load();
    expect(store.owners(['o1']).get('o1')?.city).toBe('Chicago');
    writer.upsertOwners([anOwner({ city: 'Denver', state: 'CO', latitude: 39.74, longitude: -104.99 })]);
    expect(store.owners(['o1']).get('o1')?.city).toBe('Chicago');
    expect(index.count({ state: 'IL' })).toBe(1);
    await feed.catchUp();
    expect(store.owners(['o1']).get('o1')?.city).toBe('Denver');
    expect(index.count({ state: 'CO' })).toBe(1);
  });

  it('shows a row as it is when its earlier version is deleted', async () => {
    writer.upsertOwners([anOwner()]);
    writer.upsertListings([listing(1, 19_000)], 'test');
    await feed.load();
    writer.upsertListings([listing(1, 18_000)], 'test');
    writing.exec('DELETE FROM superseded');
    expect(store.listings(['1'])).toMatchObject([{ salePrice: 18_000 }]);
  });

  it('deletes superseded rows after a minute', () => {
    writer.upsertOwners([anOwner()]);
    writer.upsertListings([listing(1, 19_000)], 'test');
    writer.upsertListings([listing(1, 18_000)], 'test');
    const remembered = () => writing.prepare('SELECT count(*) FROM superseded').pluck().get();
    expect(remembered()).toBe(1);
    writing.exec('UPDATE superseded SET at = at - 61000');
    writer.upsertListings([listing(2, 18_000)], 'test');
    expect(remembered()).toBe(0);
  });
});
