import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate as tick } from 'node:timers/promises';
import fc from 'fast-check';
import { type StockListing, derivedPrice } from '../../domain/stock.ts';
import { type ColumnarIndex, createColumnarIndex } from '../../search/listingIndex/columnarIndex.ts';
import type { ListingQuery } from '../../search/listingIndex/listingIndex.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import type { Sql } from '@forecourt/service-kit/sql';
import { createListingStore, type ListingStore } from './listingStore.ts';
import { type IndexFeed, createIndexFeed } from './indexFeed.ts';
import { type InventoryWriter, createInventoryWriter } from './inventoryWriter.ts';
import { createStockLog } from './stockLog.ts';
import { engines } from './testing/engines.ts';

jest.setTimeout(60_000);

const UNDER_20: ListingQuery = { price: { max: 20_000 } };
const PAGE = { sort: 'derivedpriceASC', first: 0, size: 1000 } as const;

describe.each(engines)('search results and stored listings over %s', (_, openStock) => {
  let stock: Awaited<ReturnType<typeof openStock>>;
  let writing: Sql;
  let index: ColumnarIndex;
  let feed: IndexFeed;
  let store: ListingStore;
  let writer: InventoryWriter;
  const start = async () => {
    stock = await openStock();
    writing = await stock.connect();
    const reading = await stock.connect();
    writer = createInventoryWriter(writing);
    index = createColumnarIndex();
    feed = createIndexFeed(await createStockLog(reading), index);
    store = createListingStore(reading, feed);
  };
  beforeEach(start);
  afterEach(() => stock.close());

  /** One response: the list, the total, the price range and the counts of a filter. */
  async function expectAgreement(): Promise<void> {
    const { total, hits, stats, counts } = index.search(UNDER_20, PAGE, { counts: true });
    const listings = await store.listings(hits.map(({ id }) => id));
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
        await stock.close();
        await start();
        await writer.upsertOwners([anOwner()]);
        await writer.upsertListings(
          Array.from({ length: 700 }, (_, id) => listing(id, 19_000 + (id % 20) * 100)),
          'test',
        );
        await feed.load();
        for (const { changes, firstKeptId } of writes) {
          await writer.upsertListings(
            changes.map(({ id, price }) => listing(id, price)),
            'test',
          );
          if (firstKeptId !== null) await writer.expireMissing('test', (id) => Number(id) >= firstKeptId);
          await expectAgreement();
          // Writes again while the feed is catching up.
          const catchingUp = feed.catchUp();
          await expectAgreement();
          await tick();
          await expectAgreement();
          await writer.upsertListings(
            changes.slice(0, 40).map(({ id, price }) => listing(id, price + 1)),
            'test',
          );
          for (let n = 0; n < 3; n++) {
            await tick();
            await expectAgreement();
          }
          await catchingUp;
          await expectAgreement();
        }
        await feed.catchUp();
        await expectAgreement();
        const now = createListingStore(writing);
        const { hits } = index.search({}, PAGE);
        const ids = hits.map(({ id }) => id);
        expect(await store.listings(ids)).toEqual(await now.listings(ids));
      }),
      { numRuns: 15 },
    );
  });

  it('shows a moved seller at the location that the search used', async () => {
    await writer.upsertOwners([anOwner()]);
    await writer.upsertListings([listing(1, 19_000)], 'test');
    await feed.load();
    expect((await store.owners(['o1'])).get('o1')?.city).toBe('Chicago');
    await writer.upsertOwners([
      anOwner({ city: 'Denver', state: 'CO', latitude: 39.74, longitude: -104.99 }),
    ]);
    expect((await store.owners(['o1'])).get('o1')?.city).toBe('Chicago');
    expect(index.count({ state: 'IL' })).toBe(1);
    await feed.catchUp();
    expect((await store.owners(['o1'])).get('o1')?.city).toBe('Denver');
    expect(index.count({ state: 'CO' })).toBe(1);
  });

  it("indexes a seller's change between two pages of changes for its listings of earlier pages", async () => {
    const log = await createStockLog(await stock.connect());
    let isFirst = true;
    const paged = createIndexFeed(
      {
        ...log,
        async *pagesAfter(...range) {
          for await (const page of log.pagesAfter(...range)) {
            yield page;
            if (isFirst) await writer.upsertOwners([anOwner({ sellerType: 'p' })]);
            isFirst = false;
          }
        },
      },
      index,
    );
    await writer.upsertOwners([anOwner(), anOwner({ id: 'o2' })]);
    await paged.load();
    const others = Array.from({ length: 1_500 }, (_, id) => ({ ...listing(id + 2, 19_000), ownerId: 'o2' }));
    await writer.upsertListings([listing(1, 19_000), ...others], 'test');
    await paged.catchUp();
    await paged.catchUp();
    expect(isFirst).toBe(false);
    expect(index.count({ facets: { sellerType: ['p'] } })).toBe(1);
  });

  it('shows a row as it is when its earlier version is deleted', async () => {
    await writer.upsertOwners([anOwner()]);
    await writer.upsertListings([listing(1, 19_000)], 'test');
    await feed.load();
    await writer.upsertListings([listing(1, 18_000)], 'test');
    await writing.run('DELETE FROM superseded');
    expect(await store.listings(['1'])).toMatchObject([{ salePrice: 18_000 }]);
  });

  it('deletes superseded rows after a minute', async () => {
    await writer.upsertOwners([anOwner()]);
    await writer.upsertListings([listing(1, 19_000)], 'test');
    await writer.upsertListings([listing(1, 18_000)], 'test');
    const remembered = async () => (await writing.all('SELECT id FROM superseded')).length;
    expect(await remembered()).toBe(1);
    await writing.run('UPDATE superseded SET at = at - 61000');
    await writer.upsertListings([listing(2, 18_000)], 'test');
    expect(await remembered()).toBe(0);
  });
});
