import { generateInventory, generateOwners } from '@forecourt/demo-data/inventory';
import { createColumnarIndex } from '@forecourt/marketplace-api/listingIndex';
import { readSearchRequest } from '@forecourt/marketplace-api/searchRequest';
import { createPlaceFinder, createZipDirectory } from '@forecourt/marketplace-api/places';
import { searchMix } from './searchMix.ts';
import { createSqlSearch } from './sqlSearch.ts';
import { fillTables } from './sqlTables.ts';
import { timingsOf } from './timings.ts';

// Usage: node sqlProcess.ts <listings> <searches>. Fails when SQL finds other listings than the index.
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
let found = 0;
for (const { query, page } of requests) {
  const asked = performance.now();
  const { total, ids } = search(query, page);
  times.push(performance.now() - asked);
  const expected = index.search(query, page);
  // Relevance rounds its parts before it adds them: equal sums may stand the other way round.
  const isSame = page.sort === 'relevance' || expected.hits.every(({ id }, at) => id === ids[at]);
  if (total !== expected.total || !isSame)
    throw new Error(`SQL finds ${total}, the index ${expected.total}: ${JSON.stringify(query)}`);
  if (total > 0) found += 1;
}
process.stdout.write(
  `${JSON.stringify({ listings: size, found, searches: times.length, ...timingsOf(times) })}\n`,
);
