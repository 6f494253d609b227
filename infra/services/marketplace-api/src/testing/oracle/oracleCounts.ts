import {
  ELECTRIC_RANGE_STEPS,
  FACET_NAMES,
  type ListingQuery,
  MILEAGE_STEPS,
  MPG_STEPS,
  MULTI_FACETS,
  PAYMENT_STEPS,
  RADIUS_STEPS,
} from '../../search/listingIndex/listingIndex.ts';
import { derivedPrice } from '../../domain/stock.ts';
import { codesOf, type MilesOf, type Row, THRESHOLD_FILTERS } from './oracleFilters.ts';

/** Counts listings by the options of one filter. */
class Counter {
  readonly counts = new Map<string, number>();
  /** The options that a listing would be found with. */
  private readonly optionsOf: (row: Row) => Iterable<string>;

  constructor(optionsOf: (row: Row) => Iterable<string>) {
    this.optionsOf = optionsOf;
  }

  count(row: Row): void {
    for (const option of this.optionsOf(row)) this.counts.set(option, (this.counts.get(option) ?? 0) + 1);
  }
}

/** By option, the query in which it is selected. */
function thresholdsOf(
  query: ListingQuery,
): Record<keyof typeof THRESHOLD_FILTERS, Map<string, ListingQuery>> {
  const queries = <T>(options: readonly T[], selected: (option: T) => ListingQuery) =>
    new Map(options.map((option) => [String(option), { ...query, ...selected(option) }]));
  const terms = query.payment?.terms ?? {};
  return {
    monthlyPayment: queries(PAYMENT_STEPS, (max) => ({ payment: { max, terms } })),
    mileage: queries(MILEAGE_STEPS, (maxMileage) => ({ maxMileage })),
    mpg: queries(MPG_STEPS, (minMpg) => ({ minMpg })),
    electricRange: queries([...ELECTRIC_RANGE_STEPS, 'UNSPECIFIED' as const], (electricRange) => ({
      electricRange,
    })),
    location: new Map([
      ...queries([0, ...RADIUS_STEPS, query.radius ?? 0], (radius) => ({ radius })),
      ['delivered', { ...query, extendedDelivery: true }] as const,
    ]),
  };
}

/** By filter that has options. */
export function countersOf(query: ListingQuery, milesOf: MilesOf): Map<string, Counter> {
  const counters = new Map([
    ['year', new Counter(({ listing }) => [String(listing.year)])],
    ['price', new Counter(({ listing }) => [derivedPrice(listing) ?? []].flat().map(String))],
    ['vehicle', new Counter(({ vehicle }) => vehicle.keys)],
  ]);
  for (const name of FACET_NAMES) {
    const codes = codesOf(name);
    counters.set(name, new Counter(name in MULTI_FACETS ? (row) => new Set(codes(row)) : codes));
  }
  for (const [name, options] of Object.entries(thresholdsOf(query))) {
    const filter = THRESHOLD_FILTERS[name as keyof typeof THRESHOLD_FILTERS];
    const passes = [...options].map(([option, selected]) => [option, filter(selected, milesOf)!] as const);
    counters.set(
      name,
      new Counter((row) => passes.flatMap(([option, isFound]) => (isFound(row) ? [option] : []))),
    );
  }
  return counters;
}
