import { generateInventory, generateOwners } from '@forecourt/demo-data/inventory';
import { createColumnarIndex } from '@forecourt/marketplace-api/listingIndex';
import { readSearchRequest } from '@forecourt/marketplace-api/searchRequest';
import { createPlaceFinder, createZipDirectory } from '@forecourt/marketplace-api/places';
import { searchMix, timingsOf } from './measureSearch.ts';

// A separate process, so that its memory is the index's. Usage: node --expose-gc indexProcess.ts <listings> <searches>
const [size = 0, searches = 0] = process.argv.slice(2).map(Number);
const ROUNDS = 4;

/** MiB in use, on and off the heap. */
const usedMiB = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
};

const zips = createZipDirectory();
const places = createPlaceFinder(zips);
const requests = searchMix(searches).map((query) => readSearchRequest(new URLSearchParams(query), places));
const options = { size, seed: 2026, today: new Date('2026-11-01T00:00:00Z'), zips };

const before = usedMiB();
const index = createColumnarIndex({ now: () => options.today.getTime() });
const started = performance.now();
index.upsertOwners(generateOwners(options));
index.upsert(generateInventory(options));
const buildMs = performance.now() - started;
const memoryMiB = usedMiB() - before;

// The best of several rounds, to exclude other load.
const times = requests.map(() => Infinity);
let hitCount = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [at, { query, page }] of requests.entries()) {
    const requestedAt = performance.now();
    const { total } = index.search(query, page, { counts: true });
    times[at] = Math.min(times[at] ?? Infinity, performance.now() - requestedAt);
    if (round === 0 && total > 0) hitCount += 1;
  }
}
const result = { listings: index.size, buildMs, memoryMiB, found: hitCount, ...timingsOf(times) };
process.stdout.write(`${JSON.stringify(result)}\n`);
