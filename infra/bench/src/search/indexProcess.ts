import { generateInventory, generateOwners } from '@forecourt/marketplace-api/inventory';
import { createColumnarIndex } from '@forecourt/marketplace-api/listingIndex';
import { createPlaceFinder } from '@forecourt/marketplace-api/places';
import { readSearchRequest } from '@forecourt/marketplace-api/searchRequest';
import { createZipDirectory } from '@forecourt/marketplace-api/zips';
import { searchMix } from './searchMix.ts';
import { timingsOf } from './timings.ts';

// A process of its own, so that its memory is the index's. Usage: node --expose-gc indexProcess.ts <listings> <searches>
const [size = 0, searches = 0] = process.argv.slice(2).map(Number);
const ROUNDS = 3;

/** MiB in use, on the heap and beside it. */
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

/** Milliseconds of this thread on a core: a busy machine stretches the wall time, not this. */
const coreMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const times: number[] = [];
const coreTimes: number[] = [];
let found = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  for (const { query, page } of requests) {
    const [asked, coreAsked] = [performance.now(), coreMs()];
    const { total } = index.search(query, page, { counts: true });
    // The first round warms the code up.
    if (round > 0) {
      times.push(performance.now() - asked);
      coreTimes.push(coreMs() - coreAsked);
    } else if (total > 0) found += 1;
  }
}
const result = {
  listings: index.size,
  buildMs,
  memoryMiB,
  found,
  wall: timingsOf(times),
  core: timingsOf(coreTimes),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
