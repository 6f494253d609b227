import { droppedVehicleTotals } from '../counts.ts';
import { priceHistogram } from '../priceHistogram.ts';
import { PRICE_BUCKET } from '../documents.ts';
import { radiusChord } from '../filters.ts';
import {
  type DroppableFilter,
  FACET_NAMES,
  type FacetCounts,
  type ListingQuery,
  PAYMENT_STEPS,
  RADIUS_STEPS,
} from '../listingIndex.ts';
import { STEPPED, thresholdCounts } from '../numberSteps.ts';
import { ANY_VEHICLE } from '../vehicleTree.ts';
import { type Bundle, bundleField, bundleOf, BUNDLES, type CountedName, termCounts } from './bundles.ts';
import { CHORD_SCRIPT, type Clause, chordParams, type FilterKey, nearby, QueryFilters } from './filters.ts';
import { facetField } from './mapping.ts';
import { DEFAULT_LIMITS, paymentLimits } from './priceSteps.ts';
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

/** Smallest and largest value. */
interface Span {
  readonly min: number;
  readonly max: number;
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

/** More distinct prices, in steps, than any inventory has; a search may have 65,535 buckets. */
const MANY_PRICES = 30_000;

const PRICES: Clause = { terms: { field: 'priceStep', size: MANY_PRICES } };

/** Listings whose price is within each of the limits, by the option of the payment filter. */
const pricesUpTo = (limits: readonly number[]): Clause => ({
  range: {
    field: 'price',
    ranges: PAYMENT_STEPS.map((max, at) => ({ key: String(max), from: 0, to: Math.max(0, limits[at]! + 1) })),
  },
});

/** Whether an aggregation of bundles left some out. */
const hasMore = ({ aggregations }: CountResult): boolean =>
  BUNDLES.some((bundle) => Number(aggregations[bundle]?.['sum_other_doc_count'] ?? 0) > 0);

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
  return { range: { script, ranges }, aggs: { delivered: { filter: DELIVERED } } };
}

/** What is counted apart from the listings that pass all filters but one. */
type Part = 'around' | 'delivered' | 'withDelivery';

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
  private readonly without = new Map<FilterKey | Part | undefined, number>();

  /** With `combinations` of 0, each filter's codes are counted alone. */
  constructor(filters: QueryFilters, query: ListingQuery, vocabulary: Vocabulary, combinations: number) {
    this.areBundled = combinations > 0;
    this.filters = filters;
    this.query = query;
    this.vocabulary = vocabulary;
    this.addSearch(undefined, filters.query());
    this.searches[0]!.aggs['priceSpan'] = PRICE_SPAN.priceSpan;
    for (const key of filters.clauses.keys()) this.addSearch(key, filters.query(key));
    // As slow as all others together, so it runs beside them.
    if (!this.without.has('featureCode')) this.addSearch('featureCode', filters.query());
    for (const name of FACET_NAMES) {
      const size = vocabulary.facet(name).values.length;
      if (size > 0) this.addCodes(name, facetField(name), size, combinations);
    }
    this.addCodes('year', 'year', MANY, combinations);
    for (const name of STEPPED) this.addCodes(name, name, MANY, combinations);
    const vehicles = vocabulary.vehicles.nodes.length;
    if (vehicles > 0) this.add('vehicle', 'vehicle', { terms: { field: 'vehicle', size: vehicles } });
    this.add('price', 'prices', PRICES);
    const { terms } = query.payment ?? {};
    // By other terms, an option may begin within a step.
    if (terms && Object.keys(terms).length > 0)
      this.add('monthlyPayment', 'payments', pricesUpTo(paymentLimits(terms)));
    else this.add('monthlyPayment', 'prices', PRICES);
    this.addLocation();
  }

  /** Counts from the results of `searches`, in their order; undefined if there are more combinations of codes. */
  read(results: readonly CountResult[]): FacetCounts | undefined {
    if (this.areBundled && results.some(hasMore)) return undefined;
    const { vocabulary, query } = this;
    const selection = query.vehicle ?? ANY_VEHICLE;
    const buckets = (key: FilterKey, name: string = key) =>
      this.result(results, key).aggregations[name]?.buckets ?? [];
    const bundles = new Map<readonly Bucket[], ReturnType<typeof termCounts>>();
    const countsOf = (name: CountedName): ReadonlyMap<string, number> => {
      const bundle = this.bundleOf(name);
      if (!bundle) return byTerm(buckets(name));
      const found = buckets(name, bundle);
      let counts = bundles.get(found);
      if (!counts) bundles.set(found, (counts = termCounts(found)));
      return counts.get(name) ?? NONE;
    };
    const facets = Object.fromEntries(
      FACET_NAMES.map((name) => [name, vocabulary.facet(name).countsOf(countsOf(name))]),
    ) as FacetCounts['facets'];
    const byVehicle = vocabulary.vehicleCounts(byTerm(buckets('vehicle')));
    const { values, counts } = vocabulary.years.countsOf(countsOf('year'));
    const years = values
      .map((year, code) => ({ year: Number(year), count: counts[code]! }))
      .sort((a, b) => a.year - b.year);
    const totalWithout = new Map<DroppableFilter, number>();
    for (const key of this.filters.clauses.keys())
      if (key !== 'vehicle') totalWithout.set(key, this.result(results, key).total);
    for (const [level, total] of droppedVehicleTotals(vocabulary.vehicles, byVehicle, selection))
      totalWithout.set(level, total);
    const { aggregations: paid } = this.result(results, 'monthlyPayment');
    return {
      facets,
      makes: vocabulary.vehicles.makes(byVehicle),
      models: vocabulary.vehicles.models(byVehicle, selection),
      trims: vocabulary.vehicles.trims(byVehicle, selection),
      years,
      priceHistogram: priceHistogram(histogramCounts(buckets('price', 'prices'))),
      monthlyPayment: paid['payments'] ? optionCounts(paid['payments']) : paymentCounts(paid['prices']),
      ...thresholdCounts(countsOf),
      ...this.locationCounts(results),
      totalWithout,
    };
  }

  /** Numbers are in bundles only: they have few steps. */
  private bundleOf(name: CountedName): Bundle | undefined {
    const bundle = bundleOf(name);
    return this.areBundled || bundle === 'numbers' ? bundle : undefined;
  }

  private addSearch(key: FilterKey | Part | undefined, query: Clause): void {
    this.without.set(key, this.searches.length);
    this.searches.push({ query, aggs: {} });
  }

  /** Counts `name` over the listings that pass all filters but `key`. */
  private add(key: FilterKey, name: string, aggregation: Clause): void {
    this.searches[this.without.get(key) ?? 0]!.aggs[name] = aggregation;
  }

  private result(results: readonly CountResult[], key: FilterKey | Part): CountResult {
    return results[this.without.get(key) ?? 0]!;
  }

  private addCodes(name: CountedName, field: string, size: number, combinations: number): void {
    const bundle = this.bundleOf(name);
    if (bundle) this.add(name, bundle, { terms: { field: bundleField(bundle), size: combinations || MANY } });
    else this.add(name, name, { terms: { field, size } });
  }

  private addLocation(): void {
    const { center, extendedDelivery } = this.query;
    const { filters } = this;
    if (center) {
      const radii = radiiOf(this.query);
      this.addSearch('around', filters.query('location', nearby(center, radii.at(-1)!)));
      this.searches.at(-1)!.aggs['bands'] = bandsAround(center, radii);
      this.addSearch('delivered', filters.query('location', DELIVERED));
    } else if (filters.clauses.has('location') && !extendedDelivery) {
      const delivered = new QueryFilters({ ...this.query, extendedDelivery: true }, this.vocabulary);
      this.addSearch('withDelivery', delivered.query());
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
        extendedDelivery: this.result(results, 'withDelivery').total,
      };
    }
    const { total } = this.result(results, 'location');
    const { total: deliveredAnywhere } = this.result(results, 'delivered');
    const { bands } = this.result(results, 'around').aggregations;
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

const NONE: ReadonlyMap<string, number> = new Map();

export const byTerm = (buckets: readonly Bucket[]): Map<string, number> =>
  new Map(buckets.map(({ key, doc_count: count }) => [String(key), count]));

/** Counts of bars from those of the steps of prices. */
function histogramCounts(steps: readonly Bucket[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key, doc_count: count } of steps) {
    const bar = String(Math.floor(Number(key) / PRICE_BUCKET));
    counts.set(bar, (counts.get(bar) ?? 0) + count);
  }
  return counts;
}

/** Counts of the options of the payment filter by the default terms. */
function paymentCounts({ buckets = [] }: Aggregation = {}): Map<number, number> {
  return new Map(
    PAYMENT_STEPS.map((max, at) => [
      max,
      buckets.reduce(
        (sum, { key, doc_count: count }) => sum + (Number(key) <= DEFAULT_LIMITS[at]! ? count : 0),
        0,
      ),
    ]),
  );
}

/** Counts of the options of the payment filter from ranges of prices. */
function optionCounts({ buckets = [] }: Aggregation): Map<number, number> {
  const counts = byTerm(buckets);
  return new Map(PAYMENT_STEPS.map((max) => [max, counts.get(String(max)) ?? 0]));
}

/** Bounds of price and year. */
export const PRICE_SPAN = { priceSpan: { stats: { field: 'price' } } };
export const YEAR_SPAN = { yearSpan: { stats: { field: 'year' } } };

/** Smallest and largest known value; undefined without any. */
export function span(
  aggregations: Readonly<Record<string, Aggregation>>,
  name: 'priceSpan' | 'yearSpan',
): Span | undefined {
  const { min, max } = aggregations[name]!;
  return min == null || max == null ? undefined : { min, max };
}

/** The same of the years that the search has, from counts that ignore its bounds. */
export function yearSpan(
  { years }: FacetCounts,
  { year: { min = 0, max = Infinity } = {} }: ListingQuery,
): Span | undefined {
  const found = years.filter(({ year, count }) => count > 0 && year >= min && year <= max);
  return found.length === 0 ? undefined : { min: found[0]!.year, max: found.at(-1)!.year };
}
