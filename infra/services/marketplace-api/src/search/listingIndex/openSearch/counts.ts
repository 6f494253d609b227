import { highestPriceWithin } from '@forecourt/search/criteria';
import { droppedVehicleTotals } from '../counts.ts';
import { priceHistogram } from '../priceHistogram.ts';
import { PRICE_BUCKET } from '../documents.ts';
import { radiusChord } from '../filters.ts';
import {
  type DroppableFilter,
  ELECTRIC_RANGE_STEPS,
  FACET_NAMES,
  type FacetName,
  type FacetCounts,
  type ListingQuery,
  MILEAGE_STEPS,
  MPG_STEPS,
  PAYMENT_STEPS,
  RADIUS_STEPS,
} from '../listingIndex.ts';
import { ANY_VEHICLE } from '../vehicleTree.ts';
import { bundleField, bundleOf, BUNDLES, termCounts } from './bundles.ts';
import { CHORD_SCRIPT, type Clause, chordParams, type FilterKey, nearby, QueryFilters } from './filters.ts';
import { facetField } from './mapping.ts';
import type { Bucket, Vocabulary } from './vocabulary.ts';

/** An aggregation of a response; each kind has some of the parts. */
export interface Aggregation {
  readonly doc_count?: number;
  readonly min?: number | null;
  readonly max?: number | null;
  readonly buckets?: readonly (Bucket & Readonly<Record<string, Aggregation | undefined>>)[];
  readonly [name: string]: unknown;
}

/** A search for counts only: the filters without one, and what is counted among their listings. */
export interface CountSearch {
  readonly query: Clause;
  readonly aggs: Record<string, Clause>;
}

/** What a `CountSearch` found. */
export interface CountResult {
  readonly total: number;
  readonly aggregations: Readonly<Record<string, Aggregation>>;
}

const DELIVERED: Clause = { term: { extendedDelivery: true } };
/** Combinations of codes up to which they are counted together. */
export const MAX_COMBINATIONS = 4_000;
/** More distinct values than any inventory has. */
const MANY = 10_000;

/** Whether an aggregation of bundles left some out. */
const hasMore = ({ aggregations }: CountResult): boolean =>
  BUNDLES.some((bundle) => Number(aggregations[bundle]?.['sum_other_doc_count'] ?? 0) > 0);

const rangesOf = (field: string, ranges: readonly { key: string; from?: number; to?: number }[]): Clause => ({
  range: { field, ranges },
});
const atMost = (field: string, steps: readonly number[]): Clause =>
  rangesOf(
    field,
    steps.map((step) => ({ key: String(step), from: 0, to: step + 1 })),
  );
const atLeast = (field: string, steps: readonly number[]): Clause =>
  rangesOf(
    field,
    steps.map((step) => ({ key: String(step), from: step })),
  );

/** The smallest number above a positive one: upper bounds of ranges are exclusive. */
function above(value: number): number {
  const bits = new BigInt64Array(1);
  const view = new Float64Array(bits.buffer);
  view[0] = value;
  bits[0] = bits[0]! + 1n;
  return view[0];
}

const radiiOf = ({ radius = 0 }: ListingQuery): number[] =>
  [...new Set<number>([...RADIUS_STEPS, ...(radius ? [radius] : [])])].sort((a, b) => a - b);

/** Listings up to each radius, and those of them that are delivered anywhere. */
function bandsAround(center: NonNullable<ListingQuery['center']>, radii: readonly number[]): Clause {
  const ranges = radii.map((radius) => ({ key: String(radius), to: above(radiusChord(radius)) }));
  const script = { source: `${CHORD_SCRIPT} return chord;`, params: chordParams(center) };
  return {
    filter: nearby(center, radii.at(-1)!),
    aggs: { bands: { range: { script, ranges }, aggs: { delivered: { filter: DELIVERED } } } },
  };
}

/**
 * The counts of all filters as searches for one request: one over the listings that pass all filters, and one for each
 * filter in use that leaves it out.
 */
export class CountPlan {
  /** The first has all filters. */
  readonly searches: CountSearch[] = [];
  private readonly filters: QueryFilters;
  private readonly query: ListingQuery;
  private readonly vocabulary: Vocabulary;
  private readonly areBundled: boolean;
  /** Position of the search that leaves a filter out. */
  private readonly without = new Map<FilterKey | 'delivery' | undefined, number>();

  /** With `combinations` of 0, each filter's codes are counted alone. */
  constructor(filters: QueryFilters, query: ListingQuery, vocabulary: Vocabulary, combinations: number) {
    this.areBundled = combinations > 0;
    this.filters = filters;
    this.query = query;
    this.vocabulary = vocabulary;
    this.addSearch(undefined, filters.query());
    for (const key of filters.clauses.keys()) this.addSearch(key, filters.query(key));
    for (const name of FACET_NAMES) {
      const size = vocabulary.facet(name).values.length;
      if (size === 0) continue;
      const bundle = this.bundleOf(name);
      if (bundle) this.add(name, bundle, { terms: { field: bundleField(bundle), size: combinations } });
      else this.add(name, name, { terms: { field: facetField(name), size } });
    }
    const vehicles = vocabulary.vehicles.nodes.length;
    if (vehicles > 0) this.add('vehicle', 'vehicle', { terms: { field: 'vehicle', size: vehicles } });
    this.add('year', 'year', { terms: { field: 'year', size: MANY } });
    this.add('price', 'price', {
      histogram: { field: 'price', interval: PRICE_BUCKET, min_doc_count: 1 },
    });
    this.add('monthlyPayment', 'monthlyPayment', this.payments());
    this.add('mileage', 'mileage', atMost('mileage', MILEAGE_STEPS));
    this.add('mpg', 'mpg', atLeast('mpg', MPG_STEPS));
    this.add('electricRange', 'electricRange', atLeast('electricRange', ELECTRIC_RANGE_STEPS));
    this.add('electricRange', 'unspecified', { filter: { term: { isRangeUnspecified: true } } });
    this.addLocation();
  }

  /** Counts from the results of `searches`, in their order; undefined if there are more combinations of codes. */
  read(results: readonly CountResult[]): FacetCounts | undefined {
    if (this.areBundled && results.some(hasMore)) return undefined;
    const { vocabulary, query } = this;
    const selection = query.vehicle ?? ANY_VEHICLE;
    const buckets = (key: FilterKey, name: string = key) =>
      this.result(results, key).aggregations[name]?.buckets ?? [];
    const steps = (key: FilterKey, order: readonly number[]) => {
      const counts = new Map(buckets(key).map(({ key: step, doc_count: count }) => [step, count]));
      return new Map(order.map((step) => [step, counts.get(String(step)) ?? 0]));
    };
    const facets = Object.fromEntries(
      FACET_NAMES.map((name) => {
        const bundle = this.bundleOf(name);
        const found = bundle ? termCounts(name, buckets(name, bundle)) : buckets(name);
        return [name, vocabulary.facet(name).countsOf(found)];
      }),
    ) as FacetCounts['facets'];
    const byVehicle = vocabulary.vehicleCounts(buckets('vehicle'));
    const { values, counts } = vocabulary.years.countsOf(buckets('year'));
    const years = values
      .map((year, code) => ({ year: Number(year), count: counts[code]! }))
      .sort((a, b) => a.year - b.year);
    const prices = buckets('price').map(
      ({ key, doc_count: count }) => [String(Number(key) / PRICE_BUCKET), count] as const,
    );
    const electricRange = new Map<number | 'UNSPECIFIED', number>(
      steps('electricRange', ELECTRIC_RANGE_STEPS),
    );
    const { unspecified } = this.result(results, 'electricRange').aggregations;
    electricRange.set('UNSPECIFIED', unspecified?.doc_count ?? 0);
    const totalWithout = new Map<DroppableFilter, number>();
    for (const key of this.filters.clauses.keys())
      if (key !== 'vehicle') totalWithout.set(key, this.result(results, key).total);
    for (const [level, total] of droppedVehicleTotals(vocabulary.vehicles, byVehicle, selection))
      totalWithout.set(level, total);
    return {
      facets,
      makes: vocabulary.vehicles.makes(byVehicle),
      models: vocabulary.vehicles.models(byVehicle, selection),
      trims: vocabulary.vehicles.trims(byVehicle, selection),
      years,
      priceHistogram: priceHistogram(new Map(prices)),
      monthlyPayment: steps('monthlyPayment', PAYMENT_STEPS),
      mileage: steps('mileage', MILEAGE_STEPS),
      mpg: steps('mpg', MPG_STEPS),
      electricRange,
      ...this.locationCounts(results),
      totalWithout,
    };
  }

  private bundleOf(name: FacetName): string | undefined {
    return this.areBundled ? bundleOf(name) : undefined;
  }

  private addSearch(key: FilterKey | 'delivery' | undefined, query: Clause): void {
    this.without.set(key, this.searches.length);
    this.searches.push({ query, aggs: {} });
  }

  /** Counts `name` over the listings that pass all filters but `key`. */
  private add(key: FilterKey, name: string, aggregation: Clause): void {
    this.searches[this.without.get(key) ?? 0]!.aggs[name] = aggregation;
  }

  private result(results: readonly CountResult[], key: FilterKey | 'delivery'): CountResult {
    return results[this.without.get(key) ?? 0]!;
  }

  private payments(): Clause {
    const terms = this.query.payment?.terms ?? {};
    const ranges = PAYMENT_STEPS.map((max) => {
      const highest = Math.max(-1, highestPriceWithin({ max, terms }));
      return { key: String(max), from: 0, to: highest + 1 };
    });
    return rangesOf('price', ranges);
  }

  private addLocation(): void {
    const { center, extendedDelivery } = this.query;
    if (center) {
      this.add('location', 'around', bandsAround(center, radiiOf(this.query)));
      this.add('location', 'delivered', { filter: DELIVERED });
    } else if (this.filters.clauses.has('location') && !extendedDelivery) {
      const delivered = new QueryFilters({ ...this.query, extendedDelivery: true }, this.vocabulary);
      this.addSearch('delivery', delivered.query());
    }
  }

  /** Listings within each radius, and those delivered from beyond the selected one. */
  private locationCounts(results: readonly CountResult[]): Pick<FacetCounts, 'radius' | 'extendedDelivery'> {
    const { center, radius: selected = 0, extendedDelivery = false } = this.query;
    if (!center) {
      // Without a center a radius has no effect; a state still does.
      const { total } = results[0]!;
      return {
        radius: new Map([0, ...RADIUS_STEPS].map((step) => [step, total])),
        extendedDelivery: this.result(results, 'delivery').total,
      };
    }
    const { total, aggregations } = this.result(results, 'location');
    const deliveredAnywhere = aggregations['delivered']?.doc_count ?? 0;
    const { bands } = (aggregations['around'] ?? {}) as { bands?: Aggregation };
    const byRadius = new Map(bands?.buckets?.map((band) => [band.key, band]));
    const radius = new Map<number, number>([[0, total]]);
    let withDelivery = total;
    for (const step of radiiOf(this.query)) {
      const band = byRadius.get(String(step));
      const within = band?.doc_count ?? 0;
      const beyond = deliveredAnywhere - (band?.['delivered']?.doc_count ?? 0);
      radius.set(step, extendedDelivery ? within + beyond : within);
      if (step === selected) withDelivery = within + beyond;
    }
    return { radius, extendedDelivery: withDelivery };
  }
}

/** Bounds of price and year. */
export const SPANS = {
  priceSpan: { stats: { field: 'price' } },
  yearSpan: { stats: { field: 'year' } },
} satisfies Record<string, Clause>;

/** Smallest and largest known value; undefined without any. */
export function span(aggregations: Readonly<Record<string, Aggregation>>, name: keyof typeof SPANS) {
  const { min, max } = aggregations[name]!;
  return min == null || max == null ? undefined : { min, max };
}
