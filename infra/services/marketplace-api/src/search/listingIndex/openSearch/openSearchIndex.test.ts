import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from '@forecourt/service-kit/database';
import { canStartJavaServer, type OpenSearchNode, startOpenSearch } from '@forecourt/service-kit/javaServer';
import { SORT_VALUES } from '@forecourt/search/criteria';
import type { SearchResponse } from '@forecourt/upstream/entities';
import fc from 'fast-check';
import { z } from 'zod';
import { createIndexFeed } from '../../../inventory/store/indexFeed.ts';
import { createInventoryWriter, type InventoryWriter } from '../../../inventory/store/inventoryWriter.ts';
import { inventoryId, openDatabase } from '../../../inventory/store/listingStore.ts';
import { queries } from '../../../testing/arbitraries.ts';
import { largeStock, stored } from '../../../testing/largeStock.ts';
import { generatedStock, startTestApp, TEST_NOW } from '../../../testing/testApp.ts';
import { createColumnarIndex } from '../columnarIndex.ts';
import type { FacetCounts, ListingQuery, PageRequest } from '../listingIndex.ts';
import { type ClusterRequest, SearchCluster, SearchUnavailable } from './cluster.ts';
import { OpenSearchIndex } from './openSearchIndex.ts';

const TODAY = 20_700;
const now = () => TODAY * 86_400_000;
const TIMEOUT_MS = 30_000;
/** Small, so that pages beyond it are common. */
const WINDOW = 200;

const hasJava = canStartJavaServer();
if (!hasJava) it.skip('skipped: no Java', () => undefined);

const pages: fc.Arbitrary<PageRequest> = fc.record({
  sort: fc.constantFrom(...SORT_VALUES),
  first: fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 2_100 })),
  size: fc.integer({ min: 1, max: 40 }),
});

/** Calls with searches, counts, near misses, suggestions and statistics. */
const CALLS = [
  '/rest/lsc/listing',
  '/rest/lsc/listing?zip=60601&searchRadius=50&sortBy=distanceASC',
  '/rest/lsc/listing?zip=60601&searchRadius=10&makeCode=FORD&modelCode=F150&maxPrice=30000',
  '/rest/lsc/listing?zip=90012&searchRadius=25&makeCode=TOYOTA&marketExtension=include&sortBy=derivedpriceASC',
  '/rest/lsc/listing?makeCode=FORD&modelCode=F150LIGHT&zip=30303&searchRadius=100&startYear=2024',
  '/rest/lsc/listing?keyword=ford+trucks&listingType=USED',
  '/rest/lsc/listing?monthlyPayment=400-3000-60-5.9&featureCode=LEATHER&sortBy=yearDESC',
  '/rest/lsc/listing?electricMileRange=UNSPECIFIED&sortBy=mileageASC',
  '/rest/lsc/listing?state=TX&vehicleStyleCode=SUVCROSS&firstRecord=60',
  '/rest/lsc/listing?city=Chicago&state=IL&firstRecord=90000',
  '/rest/lsc/listing?zip=60601&searchRadius=10&makeCode=KIA&supplemental=true',
  '/rest/lsc/listing/sellers?zip=60601&searchRadius=50&makeCode=FORD',
  '/rest/lsc/listing/count?makeCode=HONDA&zip=10001&searchRadius=75',
  '/rest/lsc/listing/spotlight/premiumresults?zip=60601&searchRadius=0',
  '/rest/lsc/listing/spotlight/vehiclehighlight?makeCode=FORD',
  '/rest/lsc/listing/similar?makeCode=FORD&modelCode=F150&zip=60601&searchRadius=50',
  '/rest/lsc/newcarboost/listing?makeCode=TOYOTA&modelCodeToBoost=CAMRY&zip=60601',
  '/rest/lsc/crawl/modelyears?makeCode=FORD&modelCode=F150',
  '/rest/lsc/crawl/newtrims?makeCode=TOYOTA&modelCode=CAMRY',
  '/rest/lsc/crawl/stats/mileage?makeCode=FORD&modelCode=F150&listingType=USED',
  '/rest/lsc/modelinfo/ymm?makeCode=FORD&modelCode=F150&numRecords=3',
  '/rest/lsc/marketplace/suggested/keywords/red%20pickup%20under%2030k%20near%20Austin',
  '/rest/lsc/marketplace/suggested/keywords/toyota%20camri?zip=60601&searchRadius=50',
  '/cars-for-sale/searchoptions/packages?makeCode=FORD',
  '/cars-for-sale/searchoptions/reference?category=modelCode&makeCode=FORD',
];

/** In the order of their options. */
const entriesOf = ({ facets, ...counts }: FacetCounts) => [
  Object.entries(facets).map(([name, facet]) => [name, facet.values, [...facet.counts]]),
  Object.entries(counts).map(([name, part]) => [name, part instanceof Map ? [...part] : part]),
];

let node: OpenSearchNode;
beforeAll(async () => {
  if (hasJava) node = await startOpenSearch();
}, 240_000);
afterAll(() => node?.stop(), 60_000);

it('goes on with searches after a burst that the engine was too slow for', async () => {
  let isSlow = true;
  const engine = createServer((_, response) => {
    if (!isSlow) response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(engine, 'listening');
  const { port } = engine.address() as AddressInfo;
  const cluster = new SearchCluster({ url: `http://127.0.0.1:${port}`, timeoutMs: 100 });
  const search = () => cluster.send(z.object({}), { method: 'GET', path: '/_search' });
  const burst = await Promise.allSettled(Array.from({ length: 10 }, search));
  expect(burst.every(({ status }) => status === 'rejected')).toBe(true);
  isSlow = false;
  await search();
  await cluster.close();
  engine.closeAllConnections();
  engine.close();
});

(hasJava ? describe : describe.skip)('the index in OpenSearch', () => {
  let index: OpenSearchIndex;
  const stock = largeStock(2_000);
  const embedded = createColumnarIndex({ now });
  beforeAll(async () => {
    const cluster = new SearchCluster({ url: node.url, timeoutMs: TIMEOUT_MS });
    index = new OpenSearchIndex(cluster, { prefix: 'listings', now, window: WINDOW });
    const store = stored(stock.listings, 'test');
    for (const one of [index, embedded]) {
      one.upsertOwners(stock.owners.values());
      await one.load(store);
    }
  }, 60_000);
  afterAll(() => index?.close());

  // What the embedded index finds is compared with a search through all listings by its own tests.
  it('gives the totals, order, distances, counts and statistics of the embedded index', async () => {
    await fc.assert(
      fc.asyncProperty(queries, pages, async (query, page) => {
        const { counts, ...hits } = await index.search(query, page, { counts: true });
        const expected = embedded.search(query, page, { counts: true });
        expect(hits).toEqual({
          total: expected.total,
          first: expected.first,
          hits: expected.hits,
          stats: expected.stats,
        });
        expect(entriesOf(counts!)).toEqual(entriesOf(expected.counts!));
        expect(await index.count(query)).toBe(expected.total);
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  it('groups prices and mileages and counts sellers like the embedded index', async () => {
    const sorted = (groups: readonly { readonly key: string; readonly count: number }[]) =>
      groups.map((group) => JSON.stringify(group)).sort();
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        for (const by of ['year', 'trim'] as const)
          expect(sorted(await index.groupPrices(query, by))).toEqual(sorted(embedded.groupPrices(query, by)));
        expect(await index.mileageStats(query, 150_000)).toEqual(embedded.mileageStats(query, 150_000));
        const owners = ['o0', 'o7', 'o200', 'unheard'];
        expect(await index.countByOwner(query, owners)).toEqual(embedded.countByOwner(query, owners));
        expect(await index.sellers(query)).toEqual(embedded.sellers(query));
      }),
      { numRuns: 25 },
    );
    expect(await index.vehicles()).toEqual(embedded.vehicles());
    expect(index.names({ makes: ['ford'], models: ['f150'], trims: [] })).toEqual(
      embedded.names({ makes: ['ford'], models: ['f150'], trims: [] }),
    );
  }, 120_000);

  it('ranks a vehicle whose name has the keyword above one with it in a label only', async () => {
    const query: ListingQuery = { keywords: ['electric'] };
    const page = { sort: 'relevance', first: 0, size: 40 } as const;
    expect((await index.search(query, page)).hits).toEqual(embedded.search(query, page).hits);
  });

  it('searches on after its points in time are gone', async () => {
    const before = await index.count({});
    await fetch(`${node.url}/_search/point_in_time/_all`, { method: 'DELETE' });
    expect(await index.count({})).toBe(before);
  });

  it('is built again after it was deleted, without a version that it has had', async () => {
    const cluster = new SearchCluster({ url: node.url, timeoutMs: TIMEOUT_MS });
    const own = new OpenSearchIndex(cluster, { prefix: 'deleted', now });
    const { owners, listings } = largeStock(200);
    const store = stored(listings, 'deleted');
    own.upsertOwners(owners.values());
    await own.load(store);
    const { version } = own;
    const before = await own.search({ keywords: ['ford'] }, { sort: 'relevance', first: 0, size: 40 });
    const all = (await (await fetch(`${node.url}/deleted-*/_alias`)).json()) as object;
    for (const name of Object.keys(all)) await fetch(`${node.url}/${name}`, { method: 'DELETE' });

    await expect(own.count({})).rejects.toBeInstanceOf(SearchUnavailable);
    expect(own.isLost).toBe(true);
    await own.load(store);
    expect(own.isLost).toBe(false);
    expect(await own.search({ keywords: ['ford'] }, { sort: 'relevance', first: 0, size: 40 })).toEqual(
      before,
    );
    expect(own.version).toBeGreaterThan(version);
    await own.close();
  }, 60_000);

  it('searches on after its node was killed and started again', async () => {
    const before = await index.count({});
    await node.restart();
    for (let attempt = 0; attempt < 300; attempt++) {
      const count = await index.count({}).catch((error: unknown) => error);
      if (count === before) break;
      expect(count).toBeInstanceOf(SearchUnavailable);
      await pause(200);
    }
    expect(await index.count({})).toBe(before);
    expect(index.isLost).toBe(false);
  }, 120_000);

  it('serves the responses of the embedded index', async () => {
    const generated = generatedStock(800);
    const cluster = new SearchCluster({ url: node.url, timeoutMs: TIMEOUT_MS });
    const own = new OpenSearchIndex(cluster, { prefix: 'served', now: () => TEST_NOW });
    const [app, reference] = await Promise.all([
      startTestApp(generated, { index: own }),
      startTestApp(generated),
    ]);
    try {
      for (const url of CALLS) {
        const [response, expected] = await Promise.all([app.get(url), reference.get(url)]);
        expect([url, response.status]).toEqual([url, 200]);
        expect([url, await response.json()]).toEqual([url, await expected.json()]);
      }
    } finally {
      await Promise.all([app.stop(), reference.stop()]);
      await own.close();
    }
  }, 120_000);

  it('fails with a typed error when no engine responds, and at once after three failures', async () => {
    const cluster = new SearchCluster({ url: 'http://127.0.0.1:9', timeoutMs: 1_000 });
    const away = new OpenSearchIndex(cluster, { prefix: 'listings', now });
    for (let attempt = 0; attempt < 4; attempt++)
      await expect(away.load(stored([], 'away'))).rejects.toBeInstanceOf(SearchUnavailable);
    await expect(away.load(stored([], 'away'))).rejects.toThrow('failed just now');
    await cluster.close();
  });
});

/** A cluster that goes away after some writes. */
class InterruptedCluster extends SearchCluster {
  isAway = false;
  remainingWrites = Infinity;
  /** Listings that were sent. */
  written = 0;

  override send<Response>(schema: z.ZodType<Response>, request: ClusterRequest): Promise<Response> {
    const isWrite = request.path.endsWith('/_bulk');
    if (this.isAway || (isWrite && this.remainingWrites === 0))
      return Promise.reject(new SearchUnavailable('interrupted'));
    if (isWrite) {
      this.remainingWrites -= 1;
      this.written += request.lines!.filter((line) => 'index' in line || 'delete' in line).length;
    }
    return super.send(schema, request);
  }
}

(hasJava ? describe : describe.skip)('indexing from the store', () => {
  let folder: string;
  let db: Db;
  let writer: InventoryWriter;
  const closed: (() => void | Promise<void>)[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'search-'));
    db = openDatabase(join(folder, 'marketplace.sqlite'));
    writer = createInventoryWriter(db);
  });
  afterEach(async () => {
    for (const close of closed.splice(0)) await close();
    db.close();
    rmSync(folder, { recursive: true });
  });

  function open(from = db) {
    const cluster = new InterruptedCluster({ url: node.url, timeoutMs: TIMEOUT_MS });
    const index = new OpenSearchIndex(cluster, { prefix: 'stored', now });
    const feed = createIndexFeed(from, index);
    closed.push(
      () => feed.close(),
      () => cluster.close(),
    );
    return { cluster, index, feed };
  }

  /** Names of the inventory's indexes, and the version of each document. */
  async function indexed() {
    const name = `stored-${inventoryId(db)}`;
    const search = `${node.url}/${name}/_search?version=true&size=10000&_source=false`;
    const { hits } = (await (await fetch(search)).json()) as {
      hits: { hits: { _id: string; _version: number; _index: string }[] };
    };
    const all = (await (await fetch(`${node.url}/${name}-*/_alias`)).json()) as object;
    return {
      names: Object.keys(all),
      versions: Object.fromEntries(hits.hits.map(({ _id: id, _version: version }) => [id, version])),
    };
  }
  const storedVersions = (from = db) =>
    Object.fromEntries(
      from
        .prepare<[], [string, number]>(
          `SELECT l.id, max(l.seq, o.seq) FROM listings l JOIN owners o ON o.id = l.owner_id
           WHERE l.removed_at IS NULL`,
        )
        .raw()
        .all(),
    );

  it('has exactly the stored versions after an interrupted load, changes, and a restart', async () => {
    const { owners, listings } = largeStock(2_400, 7);
    writer.upsertOwners(owners.values());
    writer.upsertListings(listings, 'test');

    const interrupted = open();
    interrupted.cluster.remainingWrites = 2;
    await expect(interrupted.feed.load()).rejects.toBeInstanceOf(SearchUnavailable);
    const { cluster, index, feed } = open();
    expect(await feed.load()).toBe(2_400);
    // The rest, and the last transaction again.
    expect(cluster.written).toBeLessThanOrEqual(400 + 250);
    expect((await indexed()).versions).toEqual(storedVersions());

    writer.upsertListings(
      listings.slice(100, 400).map((listing) => ({ ...listing, salePrice: 1_234, incentive: undefined })),
      'test',
    );
    writer.expireMissing('test', (id) => Number(id) > 50);
    const [first] = owners.values();
    writer.upsertOwners([{ ...first!, state: 'CO', city: 'Denver', latitude: 39.74, longitude: -104.99 }]);
    cluster.remainingWrites = 0;
    await expect(feed.catchUp()).rejects.toBeInstanceOf(SearchUnavailable);
    expect(index.size).toBe(2_400);
    cluster.remainingWrites = Infinity;
    await feed.catchUp();
    expect((await indexed()).versions).toEqual(storedVersions());
    expect(await index.count({ price: { min: 1_234, max: 1_234 } })).toBe(300);
    const moved = listings.filter(({ id, ownerId }) => ownerId === first!.id && Number(id) > 50);
    expect(await index.count({ state: 'co' })).toBe(moved.length);

    const restarted = open();
    expect(await restarted.feed.load()).toBe(2_350);
    expect(restarted.cluster.written).toBeLessThanOrEqual(500);
    const result = await indexed();
    expect(result.versions).toEqual(storedVersions());
    expect(result.names).toHaveLength(1);
  }, 120_000);

  it('replaces an index that is ahead of a restored inventory, or was changed by others', async () => {
    const { owners, listings } = largeStock(300, 8);
    writer.upsertOwners(owners.values());
    writer.upsertListings(listings.slice(0, 200), 'test');
    inventoryId(db);
    const backup = join(folder, 'backup.sqlite');
    await db.backup(backup);
    writer.upsertListings(listings.slice(200), 'test');
    await open().feed.load();
    const [before] = (await indexed()).names;

    const restored = openDatabase(backup);
    closed.push(() => void restored.close());
    expect(await open(restored).feed.load()).toBe(200);
    const { names, versions } = await indexed();
    expect(names).toHaveLength(1);
    expect(names).not.toContain(before);
    expect(versions).toEqual(storedVersions(restored));

    await fetch(`${node.url}/${names[0]}/_doc/1?refresh=true`, { method: 'DELETE' });
    expect(await open(restored).feed.load()).toBe(200);
    expect((await indexed()).versions).toEqual(storedVersions(restored));
  }, 60_000);

  it('responds with 503 while the engine is away, and one state while the stock changes', async () => {
    const stock = largeStock(400, 9);
    const cluster = new InterruptedCluster({ url: node.url, timeoutMs: TIMEOUT_MS });
    const index = new OpenSearchIndex(cluster, { prefix: 'app', now: () => TEST_NOW });
    const app = await startTestApp(
      { owners: [...stock.owners.values()], listings: stock.listings },
      { index },
    );
    closed.push(
      () => app.stop(),
      () => index.close(),
    );
    const url = '/rest/lsc/listing?maxPrice=20000&sortBy=derivedpriceASC&numRecords=100';
    cluster.isAway = true;
    const failed = await app.get(url);
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await failed.json()).toMatchObject({ error: { code: 'SEARCH_UNAVAILABLE' } });
    cluster.isAway = false;

    const changing = createInventoryWriter(app.db);
    for (let round = 0; round < 3; round++) {
      changing.upsertListings(
        stock.listings.map((listing) => ({
          ...listing,
          incentive: undefined,
          salePrice: 19_000 + ((Number(listing.id) * 37 + round * 911) % 2_000),
        })),
        'test',
      );
      let isApplied = false;
      const applying = app.feed.catchUp().then(() => (isApplied = true));
      while (!isApplied) {
        const { listings } = await app.json<SearchResponse>(url);
        const prices = listings.map(({ pricingDetail }) => pricingDetail.derivedPrice!);
        expect(prices.every((price) => price <= 20_000)).toBe(true);
        expect(prices).toEqual(prices.toSorted((a, b) => a - b));
      }
      await applying;
    }
  }, 120_000);
});
