import { highestPriceWithin } from '@forecourt/search/criteria';
import { type Bitmap, type DocumentSet, popcount } from './bitmap.ts';
import { type BucketName, type Documents, MISSING } from './documents.ts';
import {
  type DroppableFilter,
  FACET_NAMES,
  type FacetCounts,
  type FacetName,
  type ListingQuery,
  type MileageStats,
  PAYMENT_STEPS,
  RADIUS_STEPS,
} from './listingIndex.ts';
import type { ValueCounts } from './facetColumn.ts';
import { AppliedFilters, radiusChord } from './filters.ts';
import { thresholdCounts } from './numberSteps.ts';
import { priceHistogram } from './priceHistogram.ts';
import { ANY_VEHICLE, type VehicleSelection, type VehicleTree } from './vehicleTree.ts';

/** Counts of a bucketed column by bucket name. */
function bucketCounts(documents: Documents, name: BucketName, set: DocumentSet): Map<string, number> {
  const column = documents.buckets[name];
  const counts = column.count(set, documents.live);
  return new Map(column.values.map((value, code) => [value, counts[code]!]));
}

/** Listings up to each payment. */
function paymentCounts(
  { numbers: { price } }: Documents,
  { docs }: DocumentSet,
  { payment }: ListingQuery,
): Map<number, number> {
  const terms = payment?.terms ?? {};
  const limits = Int32Array.from(PAYMENT_STEPS, (max) => highestPriceWithin({ max, terms }));
  const counts = new Int32Array(limits.length + 1);
  for (let i = 0; i < docs.length; i++) {
    const value = price[docs[i]!]!;
    let step = 0;
    for (let n = 0; n < limits.length; n++) step += value > limits[n]! ? 1 : 0;
    counts[step]! += value === MISSING ? 0 : 1;
  }
  let total = 0;
  return new Map(PAYMENT_STEPS.map((step, n) => [step, (total += counts[n]!)]));
}

/** Listings within each radius, and those delivered from beyond the selected one. */
function locationCounts(documents: Documents, filters: AppliedFilters, query: ListingQuery) {
  const set = filters.set('location');
  const chords = filters.distances?.chords;
  const { radius = 0, extendedDelivery = false } = query;
  if (!chords) {
    // Without a center a radius has no effect; a state still does.
    const found = filters.set().size;
    const delivered = new AppliedFilters(documents, { ...query, extendedDelivery: true }).set().size;
    return {
      radius: new Map([0, ...RADIUS_STEPS].map((step) => [step, found])),
      extendedDelivery: delivered,
    };
  }

  const steps = [...new Set<number>([...RADIUS_STEPS, ...(radius ? [radius] : [])])].sort((a, b) => a - b);
  const nearby = documents.filterCache.get(
    'nearby',
    [query.center, steps],
    () => new NearbyDocuments(documents, chords, steps.map(radiusChord)),
  );
  const bands = nearby.count(set, documents.extended);
  let within = 0;
  let deliveredBeyond = bands.reduce((sum, { delivered }) => sum + delivered, 0);
  const result = new Map<number, number>([[0, set.size]]);
  let withDelivery = set.size;
  steps.forEach((step, band) => {
    const { all, delivered } = bands[band]!;
    within += all;
    deliveredBeyond -= delivered;
    result.set(step, extendedDelivery ? within + deliveredBeyond : within);
    if (step === radius) withDelivery = within + deliveredBeyond;
  });
  return { radius: result, extendedDelivery: withDelivery };
}

/** The documents around a center, one band up to each limit. */
class NearbyDocuments {
  /** Band after band. */
  private readonly docs: Int32Array;
  /** Where each band ends in `docs`. */
  private readonly ends: Int32Array;

  constructor({ byOwner }: Documents, chords: Float64Array, limits: readonly number[]) {
    const last = limits.at(-1)!;
    const owners: number[][] = limits.map(() => []);
    for (let code = 0; code < chords.length; code++) {
      if (chords[code]! <= last && byOwner.sizes[code])
        owners[limits.findIndex((limit) => chords[code]! <= limit)]!.push(code);
    }
    const sizes = owners.map((codes) => codes.reduce((sum, code) => sum + byOwner.sizes[code]!, 0));
    this.docs = new Int32Array(sizes.reduce((sum, size) => sum + size, 0));
    this.ends = new Int32Array(limits.length);
    let n = 0;
    owners.forEach((codes, band) => {
      for (const code of codes) {
        const docs = byOwner.docs(code);
        this.docs.set(docs, n);
        n += docs.length;
      }
      this.ends[band] = n;
    });
  }

  get byteLength(): number {
    return this.docs.byteLength;
  }

  /** Documents of the set in each band, and those of them that are delivered anywhere; last, those beyond. */
  count({ bits, size }: DocumentSet, extended: Bitmap) {
    let n = 0;
    const beyond = { all: size, delivered: 0 };
    for (let i = 0; i < bits.length; i++) beyond.delivered += popcount(bits[i]! & extended[i]!);
    const bands = Array.from(this.ends, (end) => {
      let all = 0;
      let delivered = 0;
      for (; n < end; n++) {
        const doc = this.docs[n]!;
        const has = (bits[doc >>> 5]! >>> (doc & 31)) & 1;
        all += has;
        delivered += has & (extended[doc >>> 5]! >>> (doc & 31));
      }
      beyond.all -= all;
      beyond.delivered -= delivered;
      return { all, delivered };
    });
    return [...bands, beyond];
  }
}

/** Totals without the selected makes, models or trims, from the counts of the tree's nodes. */
export function droppedVehicleTotals(
  tree: VehicleTree,
  counts: Int32Array,
  { makes, models, trims }: VehicleSelection,
): [level: 'make' | 'model' | 'trim', total: number][] {
  return [
    ...(makes.length > 0 ? [['make', tree.total(counts, ANY_VEHICLE)] as ['make', number]] : []),
    ...(models.length > 0
      ? [['model', tree.total(counts, { makes, models: [], trims: [] })] as ['model', number]]
      : []),
    ...(trims.length > 0
      ? [['trim', tree.total(counts, { makes, models, trims: [] })] as ['trim', number]]
      : []),
  ];
}

/** Counts of every filter over the documents that pass all other filters. */
export function countFacets(documents: Documents, filters: AppliedFilters, query: ListingQuery): FacetCounts {
  const { live, vehicle } = documents;
  const selection = query.vehicle ?? ANY_VEHICLE;
  const facets = Object.fromEntries(
    FACET_NAMES.map((name): [FacetName, ValueCounts] => {
      const column = documents.facet(name);
      return [name, { values: column.values, counts: column.count(filters.set(name), live) }];
    }),
  ) as Record<FacetName, ValueCounts>;
  const byVehicle = vehicle.count(filters.set('vehicle'), live);
  const years = [...bucketCounts(documents, 'year', filters.set('year'))]
    .map(([year, count]) => ({ year: Number(year), count }))
    .sort((a, b) => a.year - b.year);
  const totalWithout = new Map<DroppableFilter, number>();
  for (const key of filters.keys) {
    if (key !== 'scope' && key !== 'vehicle') totalWithout.set(key, filters.set(key).size);
  }
  for (const [level, total] of droppedVehicleTotals(vehicle, byVehicle, selection))
    totalWithout.set(level, total);

  return {
    facets,
    makes: vehicle.makes(byVehicle),
    models: vehicle.models(byVehicle, selection),
    trims: vehicle.trims(byVehicle, selection),
    years,
    priceHistogram: priceHistogram(bucketCounts(documents, 'price', filters.set('price'))),
    monthlyPayment: paymentCounts(documents, filters.set('monthlyPayment'), query),
    ...thresholdCounts((name) => bucketCounts(documents, name, filters.set(name))),
    ...locationCounts(documents, filters, query),
    totalWithout,
  };
}

/** An entry of a list or map with its numbers; the names are those of the index. */
const ENTRY_BYTES = 64;

/** What the counts take in memory; bytes, roughly. */
export function sizeOfCounts({ facets, ...others }: FacetCounts): number {
  const arrays = Object.values(facets).reduce((sum, { counts }) => sum + counts.byteLength, 0);
  const lists = Object.values(others).reduce<number>((sum, part) => {
    if (Array.isArray(part)) return sum + part.length;
    return sum + (part instanceof Map ? part.size : 1);
  }, 0);
  return arrays + lists * ENTRY_BYTES;
}

/** Mileages of one model year; `sum`, `min` and `max` in miles. */
interface YearMileages {
  readonly year: number;
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** Statistics of the years together and of each; undefined without any. A car of the current year counts as one year old. */
export function mileageStatsOfYears(
  mileages: readonly Readonly<YearMileages>[],
  currentYear: number,
): MileageStats | undefined {
  if (mileages.length === 0) return undefined;
  const years = mileages.toSorted((a, b) => b.year - a.year);
  const spreadOf = (group: readonly Readonly<YearMileages>[]) => {
    const total = (of: 'count' | 'sum') => group.reduce((sum, one) => sum + one[of], 0);
    return {
      count: total('count'),
      min: Math.min(...group.map(({ min }) => min)),
      max: Math.max(...group.map(({ max }) => max)),
      mean: Math.round(total('sum') / total('count')),
    };
  };
  const perYear = years.reduce((sum, one) => sum + one.sum / Math.max(1, currentYear - one.year), 0);
  const all = spreadOf(years);
  return {
    ...all,
    perYearMean: Math.round(perYear / all.count),
    minYear: years.at(-1)!.year,
    maxYear: years[0]!.year,
    years: years.map((one) => ({ year: one.year, ...spreadOf([one]) })),
  };
}

/**
 * Mileage statistics of documents with more than 0 and less than `below` miles,
 * in total and by model year.
 */
export function mileageStatsOf(
  { numbers: { mileage, year } }: Documents,
  { docs }: DocumentSet,
  below: number,
  currentYear: number,
): MileageStats | undefined {
  const byYear = new Map<number, YearMileages>();
  for (const doc of docs) {
    const miles = mileage[doc]!;
    if (miles <= 0 || miles >= below) continue;
    const built = year[doc]!;
    let mileages = byYear.get(built);
    if (!mileages) byYear.set(built, (mileages = { year: built, count: 0, sum: 0, min: Infinity, max: 0 }));
    mileages.count++;
    mileages.sum += miles;
    if (miles < mileages.min) mileages.min = miles;
    if (miles > mileages.max) mileages.max = miles;
  }
  return mileageStatsOfYears([...byYear.values()], currentYear);
}
