import { generateInventory, generateOwners } from '@forecourt/demo-data/inventory';
import { createColumnarIndex } from '@forecourt/marketplace-api/listingIndex';
import { readSearchRequest } from '@forecourt/marketplace-api/searchRequest';
import { createPlaceFinder, createZipDirectory } from '@forecourt/marketplace-api/places';
import { searchMix, timingsOf } from './measureSearch.ts';
import { createSqlSearch, fillTables } from './sqlSearch.ts';

// Usage: node sqlProcess.ts <listings> <searches>. Fails if SQL and the index disagree.
const [size = 0, searches = 0] = process.argv.slice(2).map(Number);
const MS_PER_DAY = 86_400_000;

const zips = createZipDirectory();
const places = createPlaceFinder(zips);
const requests = searchMix(searches).map((query) => readSearchRequest(new URLSearchParams(query), places));
const options = { size, seed: 2026, today: new Date('2026-11-01T00:00:00Z'), zips };

const index = createColumnarIndex({ now: () => options.today.getTime() });
index.upsertOwners(generateOwners(options));
index.upsert(generateInventory(options));
const search = createSqlSearch(
  fillTables(generateOwners(options), generateInventory(options)),
  Math.floor(options.today.getTime() / MS_PER_DAY),
);

const times: number[] = [];
let hitCount = 0;
for (const { query, page } of requests) {
  const requestedAt = performance.now();
  const { total, ids } = search(query, page);
  times.push(performance.now() - requestedAt);
  const expected = index.search(query, page);
  // Relevance rounds its parts before adding them, so ties may be ordered differently.
  const isSame = page.sort === 'relevance' || expected.hits.every(({ id }, at) => id === ids[at]);
  if (total !== expected.total || !isSame)
    throw new Error(`SQL finds ${total}, the index ${expected.total}: ${JSON.stringify(query)}`);
  if (total > 0) hitCount += 1;
}
process.stdout.write(
  `${JSON.stringify({ listings: size, found: hitCount, searches: times.length, ...timingsOf(times) })}\n`,
);
