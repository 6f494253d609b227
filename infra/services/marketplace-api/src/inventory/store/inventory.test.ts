import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Sql } from '@forecourt/service-kit/sql';
import fc from 'fast-check';
import type { StockListing } from '../../domain/stock.ts';
import { createColumnarIndex } from '../../search/listingIndex/columnarIndex.ts';
import { aListing, anOwner } from '../../testing/arbitraries.ts';
import { createPhotoStore } from '../photos/photoStore.ts';
import { createImportLog } from './importLog.ts';
import { createIndexFeed } from './indexFeed.ts';
import { changeStock, lastChange } from './inventoryTables.ts';
import { createInventoryWriter, seedInventory } from './inventoryWriter.ts';
import { createListingStore, createNewListings } from './listingStore.ts';
import { createStockLog, type StockPage } from './stockLog.ts';
import { engines } from './testing/engines.ts';

jest.setTimeout(60_000);

describe.each(engines)('the inventory over %s', (engine, openStock) => {
  let stock: Awaited<ReturnType<typeof openStock>>;
  /** Two processes; a file has one that writes at a time. */
  let here: Sql;
  let there: Sql;
  beforeEach(async () => {
    stock = await openStock();
    here = await stock.connect();
    there = engine === 'SQLite' ? here : await stock.connect();
  });
  afterEach(() => stock.close());

  const car = (id: string, salePrice = 10_000, more: Partial<StockListing> = {}) =>
    aListing({ id, vin: id, salePrice, ...more });
  const write = async (sql: Sql, listings: readonly StockListing[], source = 'feed') => {
    const writer = createInventoryWriter(sql);
    await writer.upsertOwners([anOwner()]);
    return writer.upsertListings(listings, source);
  };
  const pricesOf = async (sql: Sql, ...ids: string[]) =>
    (await createListingStore(sql).listings(ids)).map(({ id, salePrice }) => [id, salePrice] as const);

  it('counts new and changed listings and skips unchanged ones', async () => {
    expect(await write(here, [car('a'), car('b')])).toEqual({ inserted: 2, updated: 0 });
    const change = await lastChange(here);
    expect(await write(here, [car('a'), car('b')])).toEqual({ inserted: 0, updated: 0 });
    expect(await lastChange(there)).toBe(change);
    expect(await write(there, [car('a', 1), car('b'), car('c')])).toEqual({ inserted: 1, updated: 1 });
    expect(await pricesOf(here, 'c', 'a', 'nothing', 'b')).toEqual([
      ['c', 10_000],
      ['a', 1],
      ['b', 10_000],
    ]);
  });

  if (engine === 'PostgreSQL')
    it('has statistics of the tables after the first large import', async () => {
      const seen = () =>
        there.all<{ tablename: string }>(
          `SELECT DISTINCT tablename FROM pg_stats
           WHERE schemaname = current_schema() AND tablename IN ('owners', 'listings') ORDER BY tablename`,
        );
      await write(here, [car('a'), car('b')]);
      expect(await seen()).toEqual([]);
      await write(
        here,
        Array.from({ length: 1_000 }, (_, at) => car(`car-${at}`)),
      );
      expect(await seen()).toEqual([{ tablename: 'listings' }, { tablename: 'owners' }]);
    });

  it('writes and reads any number of listings, each with the number of its arrival', async () => {
    const cars = Array.from({ length: 1_111 }, (_, at) =>
      car(`car-${at}`, 10_000 + at, { stockNumber: `s-${at}` }),
    );
    expect(await write(here, cars)).toEqual({ inserted: 1_111, updated: 0 });
    const ids = cars.map(({ id }) => id).reverse();
    const store = createListingStore(there);
    expect((await store.listings(ids)).map(({ id }) => id)).toEqual(ids);
    await write(here, [...cars.slice(0, 500).map((one) => ({ ...one, salePrice: 1 })), car('newest')]);
    const arrivals = await createNewListings(there);
    expect(await arrivals.newestRow()).toBe(1_112);
    expect(await arrivals.between(1_110, 1_112, 10)).toEqual({ ids: ['car-1110', 'newest'], lastRow: 1_112 });
    expect(await store.idsOfStockNumber('S700')).toEqual(['car-700']);
    expect(await store.idsOfVins(['car-3', 'car-4'])).toEqual(['car-3', 'car-4']);
    expect(await store.sitemapFiles()).toEqual([{ file: 1, changedOn: cars[0]!.listedOn }]);
    expect(await store.sitemapVehicles(1)).toHaveLength(1_112);
  });

  it('expires missing listings of one source only', async () => {
    await write(here, [car('a'), car('b')]);
    await write(here, [car('z')], 'other');
    const writer = createInventoryWriter(there);
    expect(await writer.countMissing('feed', (id) => id === 'b')).toEqual({ live: 2, missing: 1 });
    expect(await writer.expireMissing('feed', (id) => id === 'b')).toBe(1);
    const store = createListingStore(here);
    expect((await store.listings(['a', 'b', 'z'])).map(({ id }) => id)).toEqual(['b', 'z']);
    expect((await store.everListed('a'))?.listing.id).toBe('a');
    expect(await store.everListed('nothing')).toBeUndefined();
    expect(await write(here, [car('a')])).toEqual({ inserted: 0, updated: 1 });
  });

  it('applies writes of another process to a running index', async () => {
    await write(here, [car('a'), car('b')]);
    const index = createColumnarIndex();
    const feed = createIndexFeed(await createStockLog(there), index);
    expect(await feed.load()).toBe(2);
    expect(await feed.catchUp()).toBe(0);

    await write(here, [car('b', 5), car('c')]);
    const writer = createInventoryWriter(here);
    await writer.expireMissing('feed', (id) => ['b', 'c'].includes(id));
    // Listings follow their seller to a new location.
    await writer.upsertOwners([anOwner({ latitude: 39.74, longitude: -104.99, state: 'CO' })]);
    expect(await feed.catchUp()).toBeGreaterThan(0);

    const sort = { sort: 'derivedpriceASC', first: 0, size: 10 } as const;
    expect(index.search({}, sort).hits.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(index.count({ state: 'CO' })).toBe(2);
    expect(await feed.catchUp()).toBe(0);
  });

  it('seeds the inventory once per key and keeps imported listings', async () => {
    await write(here, [car('mine')]);
    const seed = (sql: Sql, key: string, ids: string[]) =>
      seedInventory(sql, {
        key,
        size: ids.length,
        owners: () => [anOwner()],
        listings: () => ids.map((id) => car(id)),
      });
    expect(await seed(here, 'one', ['a', 'b'])).toBe('seeded');
    expect(await seed(there, 'one', [])).toBe('present');
    expect(await seed(there, 'two', ['b'])).toBe('seeded');
    const listings = await createListingStore(here).listings(['a', 'b', 'mine']);
    expect(listings.map(({ id }) => id)).toEqual(['b', 'mine']);
  });

  it('undoes an import of another process, except what a third source lists by now', async () => {
    await write(here, [car('kept'), car('taken'), car('gone')]);
    const log = createImportLog(here);
    await log.begin('feed');
    await write(here, [car('kept', 9_000), car('taken', 9_000), car('new'), car('new', 8_000)]);
    // Added and changed by the same import: it was not there before.
    await write(here, [car('new', 7_000)]);
    await createInventoryWriter(here).expireMissing('feed', (id) => id !== 'gone');
    await log.finish('feed', { feed: 'hash', summary: '{}' });
    expect(await createImportLog(there).repeated('feed', 'hash')).toBe('{}');
    await write(there, [car('taken', 1_000)], 'third');

    expect(await createImportLog(there).undo('feed')).toEqual({ removed: 1, restored: 2 });
    expect(await pricesOf(here, 'kept', 'taken', 'gone', 'new')).toEqual([
      ['kept', 10_000],
      ['taken', 1_000],
      ['gone', 10_000],
    ]);
    expect(await log.undo('feed')).toBeUndefined();
    expect(await log.repeated('feed', 'hash')).toBeUndefined();
  });

  it('gives a listing back to the source that had it before the undone import', async () => {
    await write(here, [car('a')], 'first');
    const log = createImportLog(here);
    await log.begin('second');
    await write(here, [car('a', 9_000)], 'second');
    await log.finish('second');
    await createImportLog(there).undo('second');
    expect(await createInventoryWriter(there).countMissing('first', () => true)).toEqual({
      live: 1,
      missing: 0,
    });
    expect(await pricesOf(there, 'a')).toEqual([['a', 10_000]]);
  });

  it('undoes thousands of rows in changes of a few, and continues an undo that was interrupted', async () => {
    const cars = Array.from({ length: 600 }, (_, at) => car(`car-${at}`));
    await write(here, cars);
    const log = createImportLog(here);
    await log.begin('feed');
    await write(
      here,
      cars.map((one) => ({ ...one, salePrice: 1 })),
    );
    await log.finish('feed');
    const before = await lastChange(here);
    let changes = 0;
    const failing: Sql = {
      ...there,
      inTurn: (name, work) => {
        changes += 1;
        return changes > 2 ? Promise.reject(new Error('connection lost')) : there.inTurn(name, work);
      },
    };
    await expect(createImportLog(failing).undo('feed')).rejects.toThrow('connection lost');
    expect(await createImportLog(there).undo('feed')).toEqual({ removed: 0, restored: 350 });
    expect(await lastChange(here)).toBe(before + 3);
    expect(new Set((await pricesOf(here, ...cars.map(({ id }) => id))).map(([, price]) => price))).toEqual(
      new Set([10_000]),
    );
  });

  it('shows stored photos again after an undo, and those of other listings with the same URL', async () => {
    const photoUrls = ['https://photos.example/1.jpg'];
    await write(here, [car('a', 10_000, { photoUrls })]);
    const photos = createPhotoStore(there);
    expect(await photos.due(Date.now(), 10)).toEqual([{ url: photoUrls[0], source: 'feed', attempts: 0 }]);
    const log = createImportLog(here);
    await log.begin('feed');
    await write(here, [car('a', 9_000, { photoUrls })]);
    await log.finish('feed');
    const photo = { hash: 'f'.repeat(32), width: 1, height: 1, widths: [1], color: '#000000', blur: '' };
    await photos.stored(photoUrls[0]!, photo);
    expect(await photos.publish(photoUrls, Date.now())).toBe(1);
    await log.undo('feed');
    await write(here, [car('b', 10_000, { photoUrls })]);
    const listings = await createListingStore(there).listings(['a', 'b']);
    expect(listings.map((one) => [one.salePrice, one.photos])).toEqual([
      [10_000, [photo]],
      [10_000, [photo]],
    ]);
    expect(await photos.counts()).toEqual({ stored: 1, pending: 0, failed: 0 });
    expect(await photos.missing()).toEqual([]);
  });

  it('gives a follower every change, in order, while two imports write at the same time', async () => {
    const ids = fc.uniqueArray(fc.nat(400), { minLength: 1, maxLength: 400 });
    const imports = fc.array(fc.record({ ids, price: fc.integer({ min: 1, max: 9 }) }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(imports, imports, async (mine, theirs) => {
        const log = await createStockLog(there);
        const followed = new Map<string, number | undefined>();
        let until = await log.lastChange();
        let isDone = false;
        const follow = async () => {
          for await (const page of log.pagesAfter(until)) {
            for (const { id, listing } of page.listings) followed.set(id, listing?.salePrice);
            if (!page.isLast) continue;
            expect(page.until).toBeGreaterThan(until);
            until = page.until;
          }
        };
        const following = (async () => {
          while (!isDone) await follow();
        })();
        const importAll = async (sql: Sql, rounds: typeof mine, source: string) => {
          for (const round of rounds) {
            const cars = round.ids.map((id) => car(`${source}-${id}`, round.price));
            await write(sql, cars, source);
            await createInventoryWriter(sql).expireMissing(source, (id) => cars.some((one) => one.id === id));
          }
        };
        const before = await createListingStore(here).sitemapVehicles(1);
        for (const { id } of before)
          followed.set(id, (await createListingStore(here).listings([id]))[0]?.salePrice);
        await Promise.all([importAll(here, mine, 'mine'), importAll(there, theirs, 'theirs')]);
        isDone = true;
        await following;
        await follow();
        const live = (await createListingStore(here).sitemapVehicles(1)).map(({ id }) => id);
        const expected = new Map(await pricesOf(here, ...live));
        expect(new Map([...followed].filter(([, price]) => price !== undefined))).toEqual(expected);
        expect(until).toBe(await log.lastChange());
      }),
      { numRuns: 5 },
    );
  });

  // In a file, a writer keeps others of its process from writing at all.
  if (engine !== 'SQLite')
    it('numbers changes in the order of their commits: a later one waits for an earlier one', async () => {
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const first = changeStock(here, async (next) => {
        const change = await next();
        begin();
        await gate;
        return change;
      });
      await begun;
      let isSecond = false;
      const second = changeStock(there, (next) => next()).then((change) => {
        isSecond = true;
        return change;
      });
      const other = await stock.connect();
      const before = await lastChange(other);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect([isSecond, await lastChange(other)]).toEqual([false, before]);
      open();
      expect([await first, await second]).toEqual([before + 1, before + 2]);
    });

  it('is read in pages, of which the last one says how far they lead', async () => {
    const cars = Array.from({ length: 2_500 }, (_, at) => car(`car-${at}`));
    await write(here, cars);
    const log = await createStockLog(there);
    const read = async (change: number, end?: number) => {
      const pages: StockPage[] = [];
      for await (const page of log.pagesAfter(change, end)) pages.push(page);
      return pages;
    };
    const first = await read(-1);
    expect(first.map(({ isLast }) => isLast)).toEqual([false, false, true]);
    expect(first.flatMap(({ listings }) => listings)).toHaveLength(2_500);
    expect(first[0]!.owners.map(({ owner }) => owner.id)).toEqual(['o1']);
    const until = first.at(-1)!.until;
    expect(until).toBe(await log.lastChange());
    expect(await read(until)).toEqual([]);
    expect(await log.sizeAt(until)).toBe(2_500);

    await write(here, [car('car-1', 9_000), car('new')]);
    await createInventoryWriter(here).expireMissing('feed', (id) => id !== 'car-2');
    expect(await log.sizeAt(until)).toBeUndefined();
    const [page, ...others] = await read(until);
    expect([others, page!.owners]).toEqual([[], []]);
    expect(page!.listings.map(({ id, listing }) => [id, listing?.salePrice])).toEqual([
      ['car-1', 9_000],
      ['new', 10_000],
      ['car-2', undefined],
    ]);
    // Up to an earlier change, without what was changed again.
    const earlier = await read(until - 1, until);
    expect(earlier.flatMap(({ listings }) => listings.map(({ id }) => id))).not.toContain('car-2');
    expect(earlier.at(-1)!.until).toBe(until);
  });
});
