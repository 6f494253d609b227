import { isDeepStrictEqual } from 'node:util';
import { derivedPrice } from '../../domain/stock.ts';
import type {
  Histogram,
  ListingQuery,
  PageRequest,
  SearchHits,
} from '../../search/listingIndex/listingIndex.ts';
import type { Matches, Oracle } from './oracle.ts';
import { comparator, type Ranked } from './oracleOrder.ts';

interface Span {
  readonly min: number;
  readonly max: number;
}

/** What the oracle, or one part of it, says about a search. */
export interface Answer extends Pick<Matches, 'counts' | 'leftOutBy'> {
  readonly total: number;
  /** The first ones, up to the end of the page. */
  readonly ranked: readonly Ranked[];
  readonly price: Span | undefined;
  readonly year: Span | undefined;
}

const spanOf = (values: Iterable<number>): Span | undefined => {
  let span: Span | undefined;
  for (const value of values)
    span = { min: Math.min(span?.min ?? value, value), max: Math.max(span?.max ?? value, value) };
  return span;
};

/** `today` in days since 1970. */
export function answerOf(oracle: Oracle, query: ListingQuery, page: PageRequest, today: number): Answer {
  const matches = oracle.search(query);
  const { found, counts, leftOutBy } = matches;
  return {
    total: found.length,
    ranked: oracle.ranked(matches, query, page.sort, today).slice(0, page.first + page.size),
    price: spanOf(found.flatMap(({ listing }) => derivedPrice(listing) ?? [])),
    year: spanOf(found.map(({ listing }) => listing.year)),
    counts,
    leftOutBy,
  };
}

/** Sums of numbers by key. */
function sums<K>(maps: readonly ReadonlyMap<K, number>[]): Map<K, number> {
  const sum = new Map<K, number>();
  for (const map of maps) for (const [key, count] of map) sum.set(key, (sum.get(key) ?? 0) + count);
  return sum;
}

/** The answer of oracles that have a part of the stock each. */
export function merged(parts: readonly Answer[], { sort, first, size }: PageRequest): Answer {
  const spans = (name: 'price' | 'year') =>
    spanOf(parts.flatMap(({ [name]: span }) => (span ? [span.min, span.max] : [])));
  const filters = [...parts[0]!.counts.keys()];
  return {
    total: parts.reduce((sum, { total }) => sum + total, 0),
    ranked: parts
      .flatMap(({ ranked }) => ranked)
      .sort(comparator(sort))
      .slice(0, first + size),
    price: spans('price'),
    year: spans('year'),
    counts: new Map(filters.map((name) => [name, sums(parts.map(({ counts }) => counts.get(name)!))])),
    leftOutBy: sums(parts.map(({ leftOutBy }) => leftOutBy)),
  };
}

/** The same bars with the counts of these prices; the outermost ones are open. */
function recounted({ min, step, counts }: Histogram, prices: ReadonlyMap<string, number>): Histogram {
  const bars = counts.map(() => 0);
  const positions = [...prices].map(
    ([price, count]) => [Math.floor((Number(price) - min) / step), count] as const,
  );
  for (const [at, count] of positions) bars[Math.min(bars.length - 1, Math.max(0, at))]! += count;
  return {
    min,
    step,
    counts: bars,
    isOpenStart: positions.some(([at]) => at < 0),
    isOpenEnd: positions.some(([at]) => at >= bars.length),
  };
}

/** The parts of an index's result, searched with counts, that differ from the oracle's answer. */
export function differences(hits: SearchHits, answer: Answer, page: PageRequest): string[] {
  const { total, leftOutBy } = answer;
  const counts = hits.counts!;
  const step = page.step ?? page.size;
  const pageOf = (offset: number) => Math.floor(offset / step) * step;
  const first = Math.min(pageOf(page.first), pageOf(Math.max(0, total - 1)));
  const countOf = (filter: string) => (option: string | number) =>
    answer.counts.get(filter)!.get(String(option)) ?? 0;
  const vehicles = countOf('vehicle');
  const { makes, models, trims, priceHistogram } = counts;
  const prices = answer.counts.get('price')!;
  const pairs: Record<string, readonly [actual: unknown, expected: unknown]> = {
    total: [hits.total, total],
    first: [hits.first, first],
    page: [hits.hits.map(({ id }) => id), answer.ranked.slice(first, first + page.size).map(({ id }) => id)],
    price: [hits.stats.price, answer.price],
    year: [hits.stats.year, answer.year],
    years: [
      new Map(counts.years.flatMap(({ year, count }) => (count > 0 ? [[String(year), count]] : []))),
      answer.counts.get('year'),
    ],
    makes: [makes.map(({ count }) => count), makes.map(({ code }) => vehicles(code))],
    models: [
      models.map(({ count }) => count),
      models.map(({ make, code }) => vehicles(`${make!.code}/${code}`)),
    ],
    trims: [
      trims.map(({ count }) => count),
      trims.map(({ make, model, code }) => vehicles(`${make!.code}/${model!.code}/${code}`)),
    ],
    priceHistogram: [priceHistogram ?? prices.size, priceHistogram ? recounted(priceHistogram, prices) : 0],
    radius: [
      [...counts.radius.values()],
      [...counts.radius.keys()].map((radius) => countOf('location')(radius)),
    ],
    extendedDelivery: [counts.extendedDelivery, countOf('location')('delivered')],
  };
  for (const name of ['monthlyPayment', 'mileage', 'mpg', 'electricRange'] as const)
    pairs[name] = [[...counts[name].values()], [...counts[name].keys()].map(countOf(name))];
  for (const [name, { values, counts: numbers }] of Object.entries(counts.facets))
    pairs[name] = [
      new Map(values.flatMap((value, code) => (numbers[code]! > 0 ? [[value, numbers[code]!]] : []))),
      answer.counts.get(name),
    ];
  for (const [name, without] of counts.totalWithout) {
    // These leave a part of the selected vehicles.
    if (name === 'model' || name === 'trim') continue;
    pairs[`total without ${name}`] = [
      without,
      total + (leftOutBy.get(name === 'make' ? 'vehicle' : name) ?? NaN),
    ];
  }
  return Object.entries(pairs).flatMap(([name, [actual, expected]]) =>
    isDeepStrictEqual(actual, expected) ? [] : [name],
  );
}
