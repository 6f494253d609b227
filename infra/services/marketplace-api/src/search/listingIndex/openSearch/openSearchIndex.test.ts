import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLease } from '@forecourt/service-kit/lease';
import { migratePostgres, openPostgres } from '@forecourt/service-kit/postgres';
import type { Sql } from '@forecourt/service-kit/sql';
import { findPostgres, type PostgresServer, startPostgres } from '@forecourt/service-kit/testing';
import { PEOPLE_OPTIONS } from '../../../community/index.ts';
import { canStartJavaServer, type OpenSearchNode, startOpenSearch } from '@forecourt/service-kit/javaServer';
import { SORT_VALUES } from '@forecourt/search/criteria';
import type { SearchResponse } from '@forecourt/upstream/entities';
import fc from 'fast-check';
import { z } from 'zod';
import type { StockListing, StockOwner } from '../../../domain/stock.ts';
import { createIndexFeed } from '../../../inventory/store/indexFeed.ts';
import { createInventoryWriter, type InventoryWriter } from '../../../inventory/store/inventoryWriter.ts';
import { INVENTORY_OPTIONS, inventoryId, openInventory } from '../../../inventory/store/inventoryTables.ts';
import { createListingStore } from '../../../inventory/store/listingStore.ts';
import { createStockLog } from '../../../inventory/store/stockLog.ts';
import { queries } from '../../../testing/arbitraries.ts';
import { largeStock, stored } from '../../../testing/largeStock.ts';
import { generatedStock, startTestApp, TEST_NOW } from '../../../testing/testApp.ts';
import { createColumnarIndex } from '../columnarIndex.ts';
import type { FacetCounts, ListingQuery, PageRequest } from '../listingIndex.ts';
import { type ClusterRequest, SearchCluster, SearchUnavailable } from './cluster.ts';
import { Indexer, type IndexerOptions } from './indexer.ts';
import { IndexStorage, readAlias } from './indexStorage.ts';
import { DEFINITION_VERSION, documentOf } from './mapping.ts';
import { OpenSearchIndex } from './openSearchIndex.ts';

const TODAY = 20_700;
const now = () => TODAY * 86_400_000;
const TIMEOUT_MS = 30_000;
/** Small, so that pages beyond it are common. */
const WINDOW = 200;
/** Small, so that broad searches have more. */
const COMBINATIONS = 60;

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

const sorted = (options: readonly unknown[]) => options.map((option) => JSON.stringify(option)).sort();

/** Options in any order: that of the first listings, which an index forgets, doesn't reach a page. */
const entriesOf = ({ facets, makes, models, trims, ...counts }: FacetCounts) => [
  Object.entries(facets).map(([name, facet]) => [
    name,
    sorted(facet.values.map((value, code) => [value, facet.counts[code]])),
  ]),
  [makes, models, trims].map(sorted),
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
    index = new OpenSearchIndex(cluster, {
      prefix: 'listings',
      now,
      window: WINDOW,
      combinations: COMBINATIONS,
      // As one shard has the same results, and is in all other tests.
      shards: 3,
    });
    const store = stored(stock, 'test');
    for (const one of [index, embedded]) {
      one.upsertOwners(stock.owners.values());
      await one.load(store, 1);
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
    expect(sorted(await index.vehicles())).toEqual(sorted(embedded.vehicles()));
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
    const few = largeStock(200);
    const store = stored(few, 'deleted');
    own.upsertOwners(few.owners.values());
    await own.load(store, 1);
    const { version } = own;
    const before = await own.search({ keywords: ['ford'] }, { sort: 'relevance', first: 0, size: 40 });
    const all = (await (await fetch(`${node.url}/deleted-*/_alias`)).json()) as object;
    for (const name of Object.keys(all)) await fetch(`${node.url}/${name}`, { method: 'DELETE' });

    await expect(own.count({})).rejects.toBeInstanceOf(SearchUnavailable);
    expect(own.isLost).toBe(true);
    await own.load(store, 1);
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
      await expect(away.load(stored(largeStock(0), 'away'), 1)).rejects.toBeInstanceOf(SearchUnavailable);
    await expect(away.load(stored(largeStock(0), 'away'), 1)).rejects.toThrow('failed just now');
    await cluster.close();
  });
});

/** What documents of listings have, by id. */
const contentOf = (listings: readonly StockListing[], owners: ReadonlyMap<string, StockOwner>) =>
  Object.fromEntries(
    listings.map((listing) => {
      const { id, price, state, x } = documentOf(listing, owners.get(listing.ownerId)!);
      return [id, [price ?? null, state, x]];
    }),
  );

/** All listings for sale, and all sellers. */
async function storedIn(sql: Sql) {
  const rows = await sql.all<{ body: string }>('SELECT body FROM listings WHERE removed_at IS NULL');
  const sellers = await sql.all<{ id: string; body: string }>('SELECT id, body FROM owners');
  return {
    listings: rows.map(({ body }) => JSON.parse(body) as StockListing),
    owners: new Map(sellers.map(({ id, body }) => [id, JSON.parse(body) as StockOwner])),
  };
}

/** Names of the indexes of a stock, and the content of that which is searched. */
async function indexesOf(name: string, definition?: string) {
  const body = {
    size: 10_000,
    query: { exists: { field: 'id' } },
    docvalue_fields: ['price', 'state', 'x'],
  };
  const found = await fetch(`${node.url}/${readAlias(name, definition)}/_search`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { hits = { hits: [] } } = (await found.json()) as {
    hits?: { hits: { _id: string; fields: { price?: [number]; state: [string]; x: [number] } }[] };
  };
  const names = (await (await fetch(`${node.url}/${name}-*/_alias`)).json()) as object;
  return {
    names: Object.keys(names).sort(),
    listings: Object.fromEntries(
      hits.hits.map(({ _id: id, fields: { price, state, x } }) => [id, [price?.[0] ?? null, state[0], x[0]]]),
    ),
  };
}

/** A cluster that goes away after some writes. */
class InterruptedCluster extends SearchCluster {
  isAway = false;
  /** Requests until it goes away: the last one arrives, and its response is lost. */
  remainingRequests = Infinity;
  remainingWrites = Infinity;
  /** Listings that were sent. */
  written = 0;

  override async send<Response>(schema: z.ZodType<Response>, request: ClusterRequest): Promise<Response> {
    this.remainingRequests -= 1;
    if (this.remainingRequests === 0) await super.send(schema, request);
    this.isAway ||= this.remainingRequests <= 0;
    const isWrite = request.path.endsWith('/_bulk');
    if (this.isAway || (isWrite && this.remainingWrites === 0)) throw new SearchUnavailable('interrupted');
    if (isWrite) {
      this.remainingWrites -= 1;
      this.written += request.lines!.filter((line) => 'index' in line || 'delete' in line).length;
    }
    return super.send(schema, request);
  }
}

(hasJava ? describe : describe.skip)('indexing from the store', () => {
  let folder: string;
  let db: Sql;
  let writer: InventoryWriter;
  const closed: (() => void | Promise<void>)[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'search-'));
    db = openInventory(join(folder, 'marketplace.sqlite'));
    writer = createInventoryWriter(db);
  });
  afterEach(async () => {
    for (const close of closed.splice(0)) await close();
    await db.close();
    rmSync(folder, { recursive: true });
  });

  async function open(from = db) {
    const cluster = new InterruptedCluster({ url: node.url, timeoutMs: TIMEOUT_MS });
    const index = new OpenSearchIndex(cluster, { prefix: 'stored', now });
    const feed = createIndexFeed(await createStockLog(from), index);
    closed.push(() => cluster.close());
    return { cluster, index, feed };
  }

  const indexed = async () => indexesOf(`stored-${await inventoryId(db)}`);
  const storedListings = async (from = db) => {
    const { listings, owners } = await storedIn(from);
    return contentOf(listings, owners);
  };

  it('has exactly the stored listings after an interrupted load, changes, and a restart', async () => {
    const { owners, listings } = largeStock(2_400, 7);
    await writer.upsertOwners(owners.values());
    await writer.upsertListings(listings, 'test');

    const interrupted = await open();
    // Twice listings and a position, and once codes.
    interrupted.cluster.remainingWrites = 5;
    await expect(interrupted.feed.load()).rejects.toBeInstanceOf(SearchUnavailable);
    const { cluster, index, feed } = await open();
    expect(await feed.load()).toBe(2_400);
    // The rest, the last transaction again, and the position, twice.
    expect(cluster.written).toBeLessThanOrEqual(400 + 256 + 3);
    expect((await indexed()).listings).toEqual(await storedListings());

    await writer.upsertListings(
      listings.slice(100, 400).map((listing) => ({ ...listing, salePrice: 1_234, incentive: undefined })),
      'test',
    );
    await writer.expireMissing('test', (id) => Number(id) > 50);
    const [first] = owners.values();
    await writer.upsertOwners([
      { ...first!, state: 'CO', city: 'Denver', latitude: 39.74, longitude: -104.99 },
    ]);
    cluster.remainingWrites = 0;
    await expect(feed.catchUp()).rejects.toBeInstanceOf(SearchUnavailable);
    expect(index.size).toBe(2_400);
    cluster.remainingWrites = Infinity;
    await feed.catchUp();
    expect((await indexed()).listings).toEqual(await storedListings());
    expect(await index.count({ price: { min: 1_234, max: 1_234 } })).toBe(300);
    const moved = listings.filter(({ id, ownerId }) => ownerId === first!.id && Number(id) > 50);
    expect(await index.count({ state: 'co' })).toBe(moved.length);

    const restarted = await open();
    expect(await restarted.feed.load()).toBe(2_350);
    // The position, as it is not known whether searches see it.
    expect(restarted.cluster.written).toBe(1);
    const result = await indexed();
    expect(result.listings).toEqual(await storedListings());
    expect(result.names).toHaveLength(1);
  }, 120_000);

  it('continues with a page that was written in part, in whatever pages it reads the rest', async () => {
    const { owners, listings } = largeStock(2_400, 7);
    await writer.upsertOwners(owners.values());
    await writer.upsertListings(listings, 'test');
    // Of the second page the listings.
    const interrupted = await open();
    interrupted.cluster.remainingWrites = 4;
    await expect(interrupted.feed.load()).rejects.toBeInstanceOf(SearchUnavailable);
    expect(await (await open()).feed.load()).toBe(2_400);
    const { names, listings: found } = await indexed();
    expect(names).toEqual([expect.stringMatching(/-a$/)]);
    expect(found).toEqual(await storedListings());
  }, 60_000);

  it('knows the codes that listings have after a restart, whichever process has indexed them, and no others', async () => {
    const { owners, listings } = largeStock(400, 17);
    await writer.upsertOwners(owners.values());
    await writer.upsertListings(listings, 'test');
    const rare = { code: 'RARE', name: 'Rare One' };
    await writer.upsertListings(
      [
        { ...listings[0]!, id: 'gone', make: rare },
        { ...listings[1]!, id: 'here', model: rare, bodyStyle: 'COUPE', year: 1999 },
      ],
      'rare',
    );
    const first = await open();
    await first.feed.load();
    await writer.expireMissing('rare', (id) => id === 'here');
    await first.feed.catchUp();

    const { index, feed } = await open();
    await feed.load();
    const embedded = createColumnarIndex({ now });
    await createIndexFeed(await createStockLog(db), embedded).load();
    const page = { sort: 'yearDESC', first: 0, size: 5 } as const;
    const { counts } = await index.search({}, page, { counts: true });
    expect(entriesOf(counts!)).toEqual(entriesOf(embedded.search({}, page, { counts: true }).counts!));
    expect(index.names({ makes: [listings[1]!.make.code], models: ['rare'], trims: [] }).model).toEqual(rare);
    expect(index.names({ makes: ['rare'], models: [], trims: [] })).toEqual({});
  }, 60_000);

  it('replaces an index that is ahead of a restored inventory, or was changed by others', async () => {
    const { owners, listings } = largeStock(300, 8);
    await writer.upsertOwners(owners.values());
    await writer.upsertListings(listings.slice(0, 200), 'test');
    await inventoryId(db);
    const backup = join(folder, 'backup.sqlite');
    await db.run('VACUUM INTO ?', backup);
    await writer.upsertListings(listings.slice(200), 'test');
    await (await open()).feed.load();
    const [before] = (await indexed()).names;

    const restored = openInventory(backup);
    closed.push(() => restored.close());
    expect(await (await open(restored)).feed.load()).toBe(200);
    const { names, listings: found } = await indexed();
    expect(names).toHaveLength(1);
    expect(names).not.toContain(before);
    expect(found).toEqual(await storedListings(restored));

    await fetch(`${node.url}/${names[0]}/_doc/1?refresh=true`, { method: 'DELETE' });
    expect(await (await open(restored)).feed.load()).toBe(200);
    expect((await indexed()).listings).toEqual(await storedListings(restored));
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
      await changing.upsertListings(
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

const postgres = findPostgres();
if (!postgres) it.skip('skipped: no PostgreSQL', () => undefined);

(hasJava && postgres ? describe : describe.skip)('one index for all replicas', () => {
  let server: PostgresServer;
  let sql: Sql;
  let leases: Sql;
  let connect: () => Promise<Sql>;
  const closed: (() => void | Promise<void>)[] = [];
  let schemas = 0;
  beforeAll(async () => {
    server = await startPostgres(postgres!);
  }, 60_000);
  afterAll(() => server?.stop());
  beforeEach(async () => {
    schemas += 1;
    const open = async (options: typeof INVENTORY_OPTIONS | typeof PEOPLE_OPTIONS, schema: string) => {
      const all = { url: server.url, schema: `${schema}_${schemas}`, maxConnections: 2, ...options };
      await migratePostgres(all);
      return async () => {
        const opened = await openPostgres(all);
        closed.push(() => opened.close());
        return opened;
      };
    };
    leases = await (await open(PEOPLE_OPTIONS, 'people'))();
    connect = await open(INVENTORY_OPTIONS, 'inventory');
    sql = await connect();
  });
  afterEach(async () => {
    for (const close of closed.splice(0).reverse()) await close();
  });
  const prefix = () => `shared-${schemas}`;
  const searched = (definition?: string) => indexesOf(prefix(), definition);

  /** A process that indexes. */
  function indexer(options: IndexerOptions = {}, definition?: string) {
    const cluster = new InterruptedCluster({ url: node.url, timeoutMs: TIMEOUT_MS });
    closed.push(() => cluster.close());
    const own = new Indexer(new IndexStorage(cluster, prefix(), definition), options);
    return { cluster, run: async (signal?: AbortSignal) => own.bringUpTo(await createStockLog(sql), signal) };
  }

  /** A replica, which searches and may import. */
  async function replica(definition?: string) {
    const own = await connect();
    const index = new OpenSearchIndex(new SearchCluster({ url: node.url, timeoutMs: TIMEOUT_MS }), {
      prefix: prefix(),
      now,
      isShared: true,
      ...(definition && { definition }),
    });
    const feed = createIndexFeed(await createStockLog(own), index);
    closed.push(() => index.close());
    const writer = createInventoryWriter(own);
    return {
      index,
      feed,
      writer,
      store: createListingStore(own, feed),
      async import(owners: Iterable<StockOwner>, listings: readonly StockListing[], source = 'feed') {
        await writer.upsertOwners(owners);
        await writer.upsertListings(listings, source);
      },
    };
  }

  /** The listings of PostgreSQL. */
  async function truth() {
    const { owners, listings } = await storedIn(sql);
    return { owners, listings, content: contentOf(listings, owners) };
  }

  const atPrice = (listings: readonly StockListing[], salePrice: number) =>
    listings.map((listing) => ({ ...listing, salePrice, incentive: undefined }));
  const inDenver = (owner: StockOwner): StockOwner => ({
    ...owner,
    state: 'CO',
    city: 'Denver',
    latitude: 39.74,
    longitude: -104.99,
  });

  it('continues after an indexer that ended at any of its requests', async () => {
    const { owners, listings } = largeStock(120, 11);
    const importing = await replica();
    await importing.import(owners.values(), listings.slice(0, 100));
    let steps = 0;
    /** Ends one indexer after its request number `step`, and lets another one continue. */
    async function interrupt(step: number): Promise<boolean> {
      const ending = indexer();
      ending.cluster.remainingRequests = step;
      const isEnded = await ending.run().then(
        () => false,
        () => true,
      );
      await indexer().run();
      const { names, listings: found } = await searched();
      expect(names.length).toBeLessThanOrEqual(2);
      expect(found).toEqual((await truth()).content);
      steps += 1;
      return isEnded;
    }

    for (let step = 1, isEnded = true; isEnded; step += 1) {
      for (const name of (await searched()).names) await fetch(`${node.url}/${name}`, { method: 'DELETE' });
      isEnded = await interrupt(step);
    }
    expect(steps).toBeGreaterThan(8);
    const [moving] = owners.values();
    for (let step = 1, isEnded = true; isEnded; step += 1) {
      await importing.writer.upsertOwners([step % 2 ? inDenver(moving!) : moving!]);
      await importing.writer.expireMissing('feed', (id) => Number(id) !== 2 + (step % 50));
      const added = listings[100 + (step % 20)]!;
      await importing.import([], [...atPrice(listings.slice(50, 60), 1_000 + steps), added]);
      isEnded = await interrupt(step);
    }
    expect(steps).toBeGreaterThan(16);
  }, 120_000);

  it('lets no delayed write of an indexer undo what the next has written', async () => {
    const { owners, listings } = largeStock(30, 12);
    const importing = await replica();
    await importing.import(owners.values(), listings);
    await indexer().run();
    await importing.import([], atPrice(listings.slice(0, 20), 1_111));
    const paused = indexer();
    const send = paused.cluster.send.bind(paused.cluster);
    let goOn: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      paused.cluster.send = async (schema, request) => {
        if (request.path.endsWith('/_bulk'))
          await new Promise<void>((resume) => {
            goOn = resume;
            resolve();
          });
        return send(schema, request);
      };
    });
    const writing = paused.run();
    await waiting;
    await importing.import([], atPrice(listings.slice(5, 25), 2_222));
    await importing.writer.expireMissing('feed', (id) => Number(id) > 3);
    await indexer().run();
    const after = await searched();
    goOn();
    await expect(writing).rejects.toBeInstanceOf(SearchUnavailable);
    expect(await searched()).toEqual(after);
    expect(after.listings).toEqual((await truth()).content);
  }, 60_000);

  it('gives all replicas every import, whichever of them indexes and whoever is killed meanwhile', async () => {
    const { owners, listings } = largeStock(900, 13);
    const replicas = [await replica(), await replica(), await replica()];
    const sellers = new Map(owners);
    const moving = [...owners.values()];
    await replicas[0]!.import(sellers.values(), listings.slice(0, 300));
    /** Indexes in turn, as jobs with a lease do. What is killed reaches nothing any more: also not its lease. */
    function startJob() {
      const { cluster, run } = indexer({ graceMs: 500 });
      const killed = new AbortController();
      const reaching: Sql = {
        ...leases,
        run: (...statement) =>
          killed.signal.aborted ? Promise.reject(new Error('killed')) : leases.run(...statement),
      };
      const lease = createLease(reaching, 'index', { leaseMs: 900 });
      const ended = (async () => {
        while (!killed.signal.aborted) {
          const lost = await lease.hold().catch(() => undefined);
          if (lost) await run(AbortSignal.any([lost, killed.signal])).catch(() => undefined);
          await pause(40);
        }
        await lease.release().catch(() => undefined);
      })();
      const kill = () => {
        cluster.isAway = true;
        killed.abort();
        return ended;
      };
      closed.push(kill);
      return { kill };
    }
    const jobs = [startJob(), startJob(), startJob()];
    const untilLoaded = async ({ feed }: (typeof replicas)[number]) => {
      for (;;) {
        const loaded = await feed.load(1).catch(() => undefined);
        if (loaded !== undefined) return;
        await pause(50);
      }
    };
    await Promise.all(replicas.map(untilLoaded));
    let isImporting = true;
    const following = replicas.map(async ({ feed }) => {
      while (isImporting) {
        await feed.catchUp();
        await pause(40);
      }
    });
    let searches = 0;
    let isKilled = false;
    const searching = (async () => {
      while (isImporting) {
        const { index, store } = replicas[searches % 3]!;
        const { version } = index;
        const { total, hits } = await index.search({}, { sort: 'derivedpriceASC', first: 0, size: 900 });
        const isSame = index.version === version;
        const shown = (await store.listings(hits.map(({ id }) => id))).length;
        // What is found is there, at every replica, until another one indexes what the killed one had begun.
        if (isSame && !isKilled) expect(shown).toBe(total);
        searches += 1;
        await pause(20);
      }
    })();
    for (let round = 0; round < 9; round += 1) {
      const importing = replicas[round % 2]!;
      const [from, to] = [round * 90, 300 + round * 70];
      sellers.set(moving[round]!.id, inDenver(moving[round]!));
      await importing.import(sellers.values(), atPrice(listings.slice(from, to), 5_000 + round));
      await importing.writer.expireMissing('feed', (id) => Number(id) >= from || Number(id) % 97 !== round);
      if (round === 4) isKilled = true;
      if (round === 4) void jobs[0]!.kill();
      if (round === 6) void jobs[1]!.kill();
      expect((await searched()).names.length).toBeLessThanOrEqual(2);
      await pause(150);
    }
    const { listings: expected, content } = await truth();
    const reference = createColumnarIndex({ now });
    reference.upsertOwners(sellers.values());
    await reference.load(stored({ owners: sellers, listings: expected }, 'reference'), 1);
    const deadline = Date.now() + 20_000;
    for (const { index } of replicas)
      while ((await index.search({}, { sort: 'yearDESC', first: 0, size: 1 })).total !== expected.length) {
        if (Date.now() > deadline) break;
        await pause(50);
      }
    await pause(500);
    isImporting = false;
    await Promise.all([...following, searching]);
    expect(searches).toBeGreaterThan(5);
    const { names: indexes, listings: found } = await searched();
    expect(indexes).toHaveLength(1);
    expect(found).toEqual(content);
    for (const { index, store } of replicas)
      await fc.assert(
        fc.asyncProperty(queries, pages, async (query, page) => {
          const { total, hits } = await index.search(query, page);
          const { total: expectedTotal, hits: expectedHits } = reference.search(query, page);
          expect([total, hits]).toEqual([expectedTotal, expectedHits]);
          expect(await store.listings(hits.map(({ id }) => id))).toHaveLength(hits.length);
        }),
        { numRuns: 20 },
      );
  }, 120_000);

  it('builds another definition beside, while the one of a running release is searched', async () => {
    const { owners, listings } = largeStock(50, 14);
    const old = await replica('earlier');
    await old.import(owners.values(), listings);
    const held = new Set(['earlier', DEFINITION_VERSION]);
    const alone: IndexerOptions['alone'] = async (definition, work) => {
      if (held.has(definition)) return false;
      await work();
      return true;
    };
    const earlier = indexer({ alone }, 'earlier');
    await earlier.run();
    await old.feed.load();
    const next = indexer({ alone });
    await next.run();
    await next.run();
    const young = await replica();
    await young.feed.load();
    expect((await searched('earlier')).names).toHaveLength(2);
    // A third has to wait.
    await expect(indexer({ alone: () => Promise.resolve(false) }, 'third').run()).rejects.toThrow(
      'Both indexes are used',
    );
    await old.import([], atPrice(listings.slice(0, 5), 777));
    for (const one of [earlier, next]) await one.run();
    for (const { feed, index } of [old, young]) {
      await feed.catchUp();
      expect(await index.count({ price: { min: 777, max: 777 } })).toBe(5);
    }
    held.clear();
    await next.run();
    expect((await searched()).names).toHaveLength(1);
    expect((await searched()).listings).toEqual((await truth()).content);
  }, 60_000);

  it('switches to a new index in one step, without a search that fails', async () => {
    const { owners, listings } = largeStock(400, 15);
    const searching = await replica();
    await searching.import(owners.values(), listings);
    await indexer().run();
    await searching.feed.load();
    const [before] = (await searched()).names;
    await fetch(`${node.url}/${before}/_doc/7?refresh=true`, { method: 'DELETE' });
    let isSwitched = false;
    const totals = new Set<number>();
    const searches = (async () => {
      while (!isSwitched) {
        totals.add(await searching.index.count({}));
        await searching.feed.catchUp();
      }
    })();
    const next = indexer({ graceMs: 300 });
    await next.run();
    expect((await searched()).names).toHaveLength(2);
    await pause(400);
    await next.run();
    await pause(200);
    isSwitched = true;
    await searches;
    expect([...totals]).toEqual([400]);
    const { names, listings: found } = await searched();
    expect(names).toHaveLength(1);
    expect(names).not.toContain(before);
    expect(found).toEqual((await truth()).content);
  }, 60_000);

  it('shows a row in the state of the index, not of the inventory', async () => {
    const { owners, listings } = largeStock(20, 16);
    const [a, b] = [await replica(), await replica()];
    await a.import(owners.values(), atPrice(listings, 1_000));
    const one = indexer();
    await one.run();
    for (const { feed } of [a, b]) await feed.load();
    await a.import([], atPrice(listings, 2_000));
    const shown = async ({ index, store }: typeof a) => {
      const { hits } = await index.search(
        { price: { max: 1_500 } },
        { sort: 'yearDESC', first: 0, size: 20 },
      );
      return (await store.listings(hits.map(({ id }) => id))).map(({ salePrice }) => salePrice);
    };
    for (const each of [a, b]) {
      await each.feed.catchUp();
      expect(new Set(await shown(each))).toEqual(new Set([1_000]));
    }
    await one.run();
    for (const each of [a, b]) {
      await each.feed.catchUp();
      expect(await shown(each)).toEqual([]);
      expect((await each.store.listings([listings[0]!.id]))[0]?.salePrice).toBe(2_000);
    }
  }, 60_000);
});
