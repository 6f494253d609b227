import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateInventory, generateOwners, type InventoryOptions } from '@forecourt/demo-data/inventory';
import type { Sql } from '@forecourt/service-kit/sql';
import { createInventoryWriter } from '@forecourt/marketplace-api/inventoryWriter';
import { createZipDirectory } from '@forecourt/marketplace-api/places';
import { mean, quantile } from '@forecourt/harness/statistics';
import type { OpenSearchNode } from '@forecourt/service-kit/javaServer';
import type { Measure } from '../report.ts';
import { BUDGETS } from '../budgets.ts';

const ZIPS = ['60601', '10001', '90012', '30303', '75201', '80202', '98101', '33101'];
/** Make and model codes of the inventory. */
const VEHICLES = [
  ['RAM', '1500'],
  ['FORD', 'F150'],
  ['TOYOTA', 'RAV4'],
  ['CHEVROLET', 'SILVERADO1500'],
  ['JEEP', 'WRANGLER'],
  ['TOYOTA', 'CAMRY'],
  ['HONDA', 'CRV'],
  ['HONDA', 'CIVIC'],
  ['TESLA', 'MODELY'],
] as const;
const SORTS = [
  'relevance',
  'relevance',
  'relevance',
  'derivedpriceASC',
  'distanceASC',
  'mileageASC',
  'yearDESC',
];

/**
 * A seeded linear congruential generator of numbers from 0 to 1. Not `randomNumbers` of the harness: every measurement so
 * far is of these searches.
 */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/**
 * Realistic queries of the listing call: mostly near a place, often for a make or model, with a filter or two, a sort
 * and sometimes a later page. Deterministic.
 */
export function searchMix(count: number, seed = 1): string[] {
  const next = sequence(seed);
  const chance = (share: number) => next() < share;
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
  const list = (): string => {
    const query = new URLSearchParams();
    const sometimes = (share: number, name: string, values: readonly (string | number)[]) => {
      if (chance(share)) query.append(name, String(pick(values)));
    };
    if (chance(0.8)) {
      query.set('zip', pick(ZIPS));
      query.set('searchRadius', String(pick([10, 25, 50, 50, 50, 100, 0])));
    }
    if (chance(0.6)) {
      const [make, model] = pick(VEHICLES);
      query.set('makeCode', make);
      if (chance(0.6)) query.set('modelCode', model);
    }
    sometimes(0.3, 'maxPrice', [15_000, 25_000, 40_000]);
    sometimes(0.2, 'startYear', [2016, 2019, 2022]);
    sometimes(0.1, 'mileage', [60_000]);
    sometimes(0.4, 'listingType', ['NEW', 'USED', 'CERTIFIED']);
    sometimes(0.2, 'vehicleStyleCode', ['SUVCROSS', 'TRUCKS', 'SEDAN']);
    sometimes(0.15, 'fuelTypeGroup', ['ELE', 'GSL', 'HYB']);
    sometimes(0.15, 'featureCode', ['LEATHER', 'SUNROOF']);
    sometimes(0.1, 'driveGroup', ['AWD4WD']);
    query.set('sortBy', pick(SORTS));
    if (chance(0.2)) query.set('firstRecord', '30');
    return query.toString();
  };
  return Array.from({ length: count }, list);
}

/** A search without its order and page, which caches of results and counts leave out, too. */
const criteriaOf = (text: string): string => {
  const query = new URLSearchParams(text);
  for (const name of ['sortBy', 'firstRecord']) query.delete(name);
  return query.toString();
};

/** Searches of the mix of which no two have the same criteria, so that no cache has the response to one of them. */
export function differentSearches(count: number, seed = 1): string[] {
  const searches = new Map<string, string>();
  for (let generated = 2 * count; searches.size < count; generated *= 2)
    for (const text of searchMix(generated, seed))
      if (searches.size < count && !searches.has(criteriaOf(text))) searches.set(criteriaOf(text), text);
  return [...searches.values()];
}

/** Different searches to time, and others that compile the code before. */
export function timedSearches(count: number): { readonly warmUp: string[]; readonly timed: string[] } {
  const searches = differentSearches(WARM_UP_FACTOR * count);
  return { warmUp: searches.slice(count), timed: searches.slice(0, count) };
}
const WARM_UP_FACTOR = 4;

/** Rarer filters, each in one of twelve searches. */
const RARE_FILTERS: readonly (readonly [string, readonly string[]])[] = [
  ['keyword', ['ford trucks', 'electric suv', 'red', 'toyota 2021', 'lariat', 'unheard']],
  ['monthlyPayment', ['400-3000-60-5.9', '250', '900-0-36-12.5']],
  ['mpgRange', ['20-MPG', '35-MPG']],
  ['electricMileRange', ['200', 'UNSPECIFIED']],
  ['marketExtension', ['include']],
  ['minPrice', ['5000', '12000']],
  ['endYear', ['2023', '2026']],
  ['sellerType', ['d', 'p']],
  ['dealType', ['greatprice', 'goodprice']],
  ['transmissionCode', ['AUT', 'MAN']],
  ['extColorSimple', ['BLACK', 'RED']],
  ['vehicleUseType', ['COMMERCIAL']],
];

/** The mix with rarer filters, and without a place in states: to compare results rather than times. */
export function wideMix(count: number, seed = 2): string[] {
  const next = sequence(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
  return searchMix(count, seed).map((text) => {
    const query = new URLSearchParams(text);
    for (const [name, values] of RARE_FILTERS) if (next() < 1 / 12) query.set(name, pick(values));
    if (!query.has('zip') && next() < 0.5) query.set('state', pick(['TX', 'CA', 'IL']));
    return query.toString();
  });
}

/** The inventory that all measurements of the search use. */
export const inventoryOf = (size: number) =>
  ({
    size,
    seed: 2026,
    today: new Date('2026-11-01T00:00:00Z'),
    zips: createZipDirectory(),
  }) satisfies InventoryOptions;

/** Imports it into an empty database. */
export async function importInventory(sql: Sql, inventory: InventoryOptions): Promise<void> {
  const writer = createInventoryWriter(sql);
  await writer.upsertOwners(generateOwners(inventory));
  await writer.upsertListings(generateInventory(inventory), 'bench');
}

export const SEARCHES = 200;
const LIMIT_MS = 600_000;
const COMPARISON_LIMIT_MS = 2 * 3_600_000;

export interface IndexResult extends Timings {
  readonly listings: number;
  /** Includes generating the listings. */
  readonly buildMs: number;
  readonly memoryMiB: number;
  /** Searches with results. */
  readonly found: number;
}

/** Builds the index in a separate process and times searches in it, including facet counts. */
export async function measureIndex(listings: number): Promise<IndexResult> {
  const script = fileURLToPath(new URL('./indexProcess.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=8192', script, String(listings), String(SEARCHES)],
    { timeout: LIMIT_MS },
  );
  return JSON.parse(stdout) as IndexResult;
}

export interface SqlResult extends Timings {
  readonly searches: number;
  readonly found: number;
}

/**
 * The first `searches` of the mix in SQLite, in a separate process. Fails if SQL and the index disagree.
 */
export async function measureSql(listings: number, searches: number): Promise<SqlResult> {
  const script = fileURLToPath(new URL('./indexProcess.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--max-old-space-size=8192', script, String(listings), String(searches), 'sql'],
    { timeout: LIMIT_MS },
  );
  return JSON.parse(stdout) as SqlResult;
}

export interface OpenSearchResult {
  /** Compared between both indexes and a search through all listings. */
  readonly searches: number;
  /** Of the search through all listings, with the comparisons. */
  readonly oracleMs: number;
  /** Searches with results. */
  readonly found: number;
  /** From the file. */
  readonly buildMs: number;
  readonly diskMiB: number;
  readonly remote: Timings;
  /** CPU of the node per search. */
  readonly cpuMs: number;
  /** The same searches in the index in memory. */
  readonly embedded: Timings;
}

export interface Comparison {
  readonly listings: number;
  readonly searches: number;
}

/** Indexes the listings in an empty node and times searches. Fails if any differs in memory or by brute force. */
export async function measureOpenSearch(
  { url, pid }: OpenSearchNode,
  comparison: Comparison,
): Promise<OpenSearchResult> {
  const script = fileURLToPath(new URL('./openSearchProcess.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--max-old-space-size=8192', script, url, String(pid()), JSON.stringify(comparison)],
    { timeout: COMPARISON_LIMIT_MS },
  );
  return JSON.parse(stdout) as OpenSearchResult;
}

export interface UpdateResult {
  /** CPU time to build the index from the file. */
  readonly loadMs: number;
  /** Time from the last write of another process until the search finds it. */
  readonly visibleMs: number;
  /** Longest CPU time between two event loop turns, during which no request is handled. */
  readonly longestPauseMs: number;
}

/** Loads the index from a file and applies the changes of another process. */
export async function measureUpdates(listings: number, changes: number): Promise<UpdateResult> {
  const script = fileURLToPath(new URL('./updateProcess.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, String(listings), String(changes)],
    { timeout: LIMIT_MS },
  );
  return JSON.parse(stdout) as UpdateResult;
}

/** MiB of the indexes whose names begin with `prefix`. */
export async function indexMiB(origin: string, prefix: string): Promise<number> {
  const stats = (await (await fetch(`${origin}/${prefix}-*/_stats/store`)).json()) as {
    readonly _all: { readonly total: { readonly store: { readonly size_in_bytes: number } } };
  };
  return stats._all.total.store.size_in_bytes / 2 ** 20;
}

/** MiB used by a service, from its metrics. */
export async function residentMiB(origin: string): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1];
  return Number(bytes) / 2 ** 20;
}

/** Searches over HTTP, sequentially, each for the first time; each response has filters, facets, texts and listings. */
export async function measureHttpSearch(origin: string): Promise<Timings & { readonly calls: number }> {
  const times: number[] = [];
  const { warmUp, timed } = timedSearches(SEARCHES);
  for (const [isWarmUp, queries] of [
    [true, warmUp],
    [false, timed],
  ] as const) {
    for (const query of queries) {
      const started = performance.now();
      // Uncompressed, as the shell requests it.
      const response = await fetch(`${origin}/rest/lsc/listing?${query}`, {
        headers: { 'accept-encoding': 'identity' },
      });
      if (response.status !== 200) throw new Error(`${response.status} for ${query}`);
      await response.arrayBuffer();
      if (!isWarmUp) times.push(performance.now() - started);
    }
  }
  return { ...timingsOf(times), calls: warmUp.length + timed.length };
}

/** All in ms. */
export interface Timings {
  readonly p50: number;
  readonly p99: number;
  readonly mean: number;
}

export const timingsOf = (times: readonly number[]): Timings => ({
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
  mean: mean(times),
});

/** Search times of the index alone and of whole API responses at `origin`. */
export async function measureSearches(
  origin: string,
  listings: number,
  onStep: (step: string) => void,
): Promise<Measure[]> {
  onStep('searches');
  const overHttp = await measureHttpSearch(origin);
  const index = await measureIndex(listings);
  const measure = (name: string, value: number): Measure => ({ name, unit: 'ms', digits: 1, value });
  return [
    { ...measure('Search in the API, p50', index.p50), budget: BUDGETS.searchMedian },
    { ...measure('Search in the API, p99', index.p99), budget: BUDGETS.searchSlowest },
    measure('Listing call over HTTP, p50', overHttp.p50),
    measure('Listing call over HTTP, p99', overHttp.p99),
  ];
}
