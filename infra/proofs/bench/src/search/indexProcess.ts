import { generateInventory, generateOwners } from '@forecourt/demo-data/inventory';
import { createColumnarIndex } from '@forecourt/marketplace-api/listingIndex';
import { readSearchRequest } from '@forecourt/marketplace-api/searchRequest';
import { createPlaceFinder } from '@forecourt/marketplace-api/places';
import { inventoryOf, timedSearches, timingsOf } from './measureSearch.ts';
import { createSqlSearch, fillTables } from './sqlSearch.ts';

// Usage: node --expose-gc indexProcess.ts <listings> <searches> [sql]
// Times the searches in the index: a separate process, so that its memory is the index's. With `sql`, times them in
// SQLite, and fails if it and the index disagree.
const [size = 0, searches = 0] = process.argv.slice(2, 4).map(Number);
const MS_PER_DAY = 86_400_000;

/** MiB in use, on and off the heap. */
const usedMiB = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
};

const options = inventoryOf(size);
const places = createPlaceFinder(options.zips);
const requestsOf = (queries: readonly string[]) =>
  queries.map((query) => readSearchRequest(new URLSearchParams(query), places));
const { warmUp, timed } = timedSearches(searches);
const requests = requestsOf(timed);

const before = usedMiB();
const index = createColumnarIndex({ now: () => options.today.getTime() });
const started = performance.now();
index.upsertOwners(generateOwners(options));
index.upsert(generateInventory(options));
const buildMs = performance.now() - started;
const memoryMiB = usedMiB() - before;

/** Each search once: the index keeps the results of the last ones. */
function measureIndex() {
  for (const { query, page } of requestsOf(warmUp)) index.search(query, page, { counts: true });
  const times: number[] = [];
  let found = 0;
  for (const { query, page } of requests) {
    const requestedAt = performance.now();
    const { total } = index.search(query, page, { counts: true });
    times.push(performance.now() - requestedAt);
    if (total > 0) found += 1;
  }
  return { listings: index.size, buildMs, memoryMiB, found, ...timingsOf(times) };
}

function measureSql() {
  const search = createSqlSearch(
    fillTables(generateOwners(options), generateInventory(options)),
    Math.floor(options.today.getTime() / MS_PER_DAY),
  );
  const times: number[] = [];
  let found = 0;
  for (const { query, page } of requests) {
    const requestedAt = performance.now();
    const { total, ids } = search(query, page);
    times.push(performance.now() - requestedAt);
    const expected = index.search(query, page);
    // Relevance rounds its parts before adding them, so ties may be ordered differently.
    const isSame = page.sort === 'relevance' || expected.hits.every(({ id }, at) => id === ids[at]);
    if (total !== expected.total || !isSame)
      throw new Error(`SQL finds ${total}, the index ${expected.total}: ${JSON.stringify(query)}`);
    if (total > 0) found += 1;
  }
  return { listings: size, found, searches: times.length, ...timingsOf(times) };
}

const result = process.argv[4] === 'sql' ? measureSql() : measureIndex();
process.stdout.write(`${JSON.stringify(result)}\n`);
