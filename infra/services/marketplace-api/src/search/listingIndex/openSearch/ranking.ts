import type { ListingQuery, PageRequest } from '../listingIndex.ts';
import {
  FRESHNESS_LIMIT_DAYS,
  freshnessScore,
  keywordScore,
  NEARNESS_LIMIT_MILES,
  NEARNESS_MILES,
  RELEVANCE_UNIT,
  RELEVANCE_WEIGHTS,
} from '../relevance.ts';
import { EARTH_RADIUS_MILES } from '../../../domain/places/index.ts';
import { CHORD_SCRIPT, type Clause, chordParams } from './filters.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Above and below every value of a sorted field, so that listings without one come last in either direction. */
const BEYOND = 2 ** 31 - 1;
const BELOW = -1;

/** Miles to a thousandth, as `distanceMiles` rounds them. */
const MILES_SCRIPT =
  `${CHORD_SCRIPT} double miles = Math.round(${2 * EARTH_RADIUS_MILES}` +
  ` * Math.asin(Math.min(1.0, Math.sqrt(chord) / 2)) * 1000) / 1000.0;`;

/** The parts of relevance that relevance.ts defines, each rounded to its unit. */
const NEARNESS_SCRIPT =
  `${MILES_SCRIPT} if (miles <= ${NEARNESS_LIMIT_MILES}) score += ` +
  `Math.round(${RELEVANCE_WEIGHTS.nearness} * Math.exp(-miles / ${NEARNESS_MILES}) / ${RELEVANCE_UNIT});`;
const KEYWORD_SCRIPT =
  "def words = params.words.get(doc['vehicle'].value); if (words != null) { score += (int) words; }";

/** Freshness in units of relevance, by days listed. */
const FRESHNESS = Array.from({ length: FRESHNESS_LIMIT_DAYS + 1 }, (_, days) => freshnessScore(days));

type Direction = 'asc' | 'desc';

const byField = (field: string, order: Direction): Clause => ({
  [field]: { order, missing: order === 'asc' ? BEYOND : BELOW },
});

const byScript = (source: string, params: object, order: Direction): Clause => ({
  _script: { type: 'number', order, script: { source, params } },
});

function byRelevance(query: ListingQuery, vocabulary: Vocabulary, today: number): Clause {
  const { center, keywords } = query;
  const words = keywords?.length
    ? Object.fromEntries(
        [...vocabulary.vehicleMatches(keywords)].map(([key, count]) => [
          key,
          keywordScore(count / keywords.length),
        ]),
      )
    : undefined;
  const source = [
    "int days = (int) Math.min(params.oldest, Math.max(0, params.today - doc['listedOn'].value));",
    "long score = doc['quality'].value + (int) params.freshness[days];",
    ...(center ? [NEARNESS_SCRIPT] : []),
    ...(words ? [KEYWORD_SCRIPT] : []),
    'return score;',
  ].join(' ');
  const params = {
    today,
    oldest: FRESHNESS_LIMIT_DAYS,
    freshness: FRESHNESS,
    ...(center && chordParams(center)),
    ...(words && { words }),
  };
  return byScript(source, params, 'desc');
}

function firstKey(
  query: ListingQuery,
  sort: PageRequest['sort'],
  vocabulary: Vocabulary,
  today: number,
): Clause | undefined {
  switch (sort) {
    case 'relevance':
      return byRelevance(query, vocabulary, today);
    // By the same terms, the payment rises with the price.
    case 'monthlyPaymentASC':
    case 'derivedpriceASC':
      return byField('price', 'asc');
    case 'derivedpriceDESC':
    case 'monthlyPaymentDESC':
      return byField('price', 'desc');
    case 'mileageASC':
      return byField('mileage', 'asc');
    case 'mileageDESC':
      return byField('mileage', 'desc');
    case 'yearASC':
      return byField('year', 'asc');
    case 'yearDESC':
      return byField('year', 'desc');
    case 'datelistedASC':
      return byField('listedOn', 'asc');
    case 'datelistedDESC':
      return byField('listedOn', 'desc');
    case 'distanceASC':
      return (
        query.center &&
        byScript(`${MILES_SCRIPT} return Math.round(miles * 1000);`, chordParams(query.center), 'asc')
      );
  }
}

/** Sort key, then id: the order of the embedded index. `today` in days since 1970-01-01. */
export function sortOf(
  query: ListingQuery,
  sort: PageRequest['sort'],
  vocabulary: Vocabulary,
  today: number,
): Clause[] {
  const key = firstKey(query, sort, vocabulary, today);
  return [...(key ? [key] : []), { id: { order: 'asc' } }];
}

/** The same order backwards. */
export const reversed = (sort: readonly Clause[]): Clause[] =>
  sort.map((key) =>
    Object.fromEntries(
      Object.entries(key).map(([field, options]) => {
        const { order } = options as { order: Direction };
        return [field, { ...(options as object), order: order === 'asc' ? 'desc' : 'asc' }];
      }),
    ),
  );
