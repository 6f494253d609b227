import { generateInventory, generateOwners } from '../inventory/generate.ts';
import { createZipDirectory } from '../places/zips.ts';
import { createColumnarIndex } from './columnarIndex.ts';
import type { ListingQuery, PageRequest } from './listingIndex.ts';

/**
 * Times the index over a mix of searches as shoppers make them, counts and all
 * (budget: p50 ≤ 2 ms, p99 ≤ 15 ms at 100k listings, one thread).
 * `node src/index/measure.ts [listings] [searches]` prints one JSON line.
 */
const size = Number(process.argv[2] ?? 100_000);
const searches = Number(process.argv[3] ?? 2000);

const zips = createZipDirectory();
const options = { size, seed: 2026, today: new Date('2026-11-01T00:00:00Z'), zips };
const index = createColumnarIndex({ now: () => options.today.getTime() });
index.upsertOwners(generateOwners(options));
const started = performance.now();
index.upsert(generateInventory(options));
const buildMs = performance.now() - started;

// A fixed sequence, so that two runs time the same searches.
let state = 1;
const next = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return (state >>> 8) / 2 ** 24;
};
const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!;
const chance = (share: number) => next() < share;

const ZIPS = ['60601', '10001', '90012', '30303', '75201', '80202', '98101', '33101'];
const vehicles = index.vehicles().filter(({ count }) => count > 0);
const SORTS = [
  'relevance',
  'relevance',
  'relevance',
  'derivedpriceASC',
  'distanceASC',
  'mileageASC',
  'yearDESC',
] as const;

function query(): ListingQuery {
  const place = chance(0.8) ? zips.find(pick(ZIPS)) : undefined;
  const vehicle = pick(vehicles);
  return {
    ...(place && { centre: place, radius: pick([10, 25, 50, 50, 50, 100, 0]) }),
    ...(chance(0.6) && {
      vehicle: { makes: [vehicle.make.code], models: chance(0.6) ? [vehicle.model.code] : [], trims: [] },
    }),
    ...(chance(0.3) && { price: { max: pick([15_000, 25_000, 40_000]) } }),
    ...(chance(0.2) && { year: { min: pick([2016, 2019, 2022]) } }),
    ...(chance(0.1) && { maxMileage: 60_000 }),
    facets: {
      ...(chance(0.4) && { listingType: [pick(['NEW', 'USED', 'CERTIFIED'])] }),
      ...(chance(0.2) && { vehicleStyleCode: [pick(['SUVCROSS', 'TRUCKS', 'SEDAN'])] }),
      ...(chance(0.15) && { fuelTypeGroup: [pick(['ELE', 'GSL', 'HYB'])] }),
      ...(chance(0.15) && { featureCode: ['LEATHER', 'SUNROOF'] }),
      ...(chance(0.1) && { driveGroup: ['AWD4WD'] }),
    },
  };
}

/** Milliseconds of this thread on a core: a busy machine stretches the wall time, not this. */
const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const times: number[] = [];
const cpuTimes: number[] = [];
for (let i = 0; i < searches + 200; i++) {
  const asked = query();
  const page: PageRequest = { sort: pick(SORTS), first: chance(0.2) ? 30 : 0, size: 30 };
  const [before, cpuBefore] = [performance.now(), cpuMs()];
  index.search(asked, page, { counts: true });
  if (i < 200) continue;
  times.push(performance.now() - before);
  cpuTimes.push(cpuMs() - cpuBefore);
}
const quantiles = (values: number[]) => {
  values.sort((a, b) => a - b);
  const at = (share: number) => Number(values[Math.floor((values.length - 1) * share)]!.toFixed(2));
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
};
const result = {
  listings: index.size,
  buildMs: Math.round(buildMs),
  wallMs: quantiles(times),
  cpuMs: quantiles(cpuTimes),
};
process.stdout.write(`${JSON.stringify(result)}\n`);
