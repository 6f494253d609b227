import type { SortValue } from '@forecourt/shared-contracts/search';
import type { DocumentSet } from './documentSet.ts';
import type { Documents } from './documents.ts';
import { MISSING } from './documents.ts';
import { vehicleKeywordShare } from './keyword.ts';
import type { ListingQuery } from './listingIndex.ts';
import { RELEVANCE_WEIGHTS, freshnessScore, nearnessScore } from './relevance.ts';

/** Above every value of a sorted column: prices, thousandths of a mile, millionths of relevance. */
const BEYOND = 2 ** 31;
const RELEVANCE_SCALE = 1e8;
const MILE_SCALE = 1000;

type Key = (doc: number) => number;

/** Listings without the value come last in either direction. */
const byNumber =
  (column: Int32Array, direction: 'ASC' | 'DESC'): Key =>
  (doc) => {
    const value = column[doc]!;
    if (value === MISSING) return BEYOND;
    return direction === 'ASC' ? value : BEYOND - 1 - value;
  };

function byRelevance(
  documents: Documents,
  query: ListingQuery,
  miles: Float64Array | undefined,
  today: number,
): Key {
  const { quality, numbers, vehicle } = documents;
  const { owner, listedOn } = numbers;
  const nodes = vehicle.column.codes;
  const share = query.keywords?.length ? vehicleKeywordShare(documents, query.keywords) : undefined;
  const freshness = Float64Array.from({ length: 366 }, (_, days) => freshnessScore(days));
  return (doc) => {
    const days = Math.min(365, Math.max(0, today - listedOn[doc]!));
    let score = quality[doc]! + freshness[days]!;
    if (miles) score += nearnessScore(miles[owner[doc]!]!);
    if (share) score += RELEVANCE_WEIGHTS.keyword * share[nodes[doc]!]!;
    return Math.round((2 - score) * RELEVANCE_SCALE);
  };
}

function keyOf(
  documents: Documents,
  query: ListingQuery,
  sort: SortValue,
  miles: Float64Array | undefined,
  today: number,
): Key {
  const { year, price, mileage, listedOn, owner } = documents.numbers;
  switch (sort) {
    case 'relevance':
      return byRelevance(documents, query, miles, today);
    case 'derivedpriceASC':
      return byNumber(price, 'ASC');
    case 'derivedpriceDESC':
      return byNumber(price, 'DESC');
    case 'mileageASC':
      return byNumber(mileage, 'ASC');
    case 'mileageDESC':
      return byNumber(mileage, 'DESC');
    case 'yearASC':
      return byNumber(year, 'ASC');
    case 'yearDESC':
      return byNumber(year, 'DESC');
    case 'datelistedASC':
      return byNumber(listedOn, 'ASC');
    case 'datelistedDESC':
      return byNumber(listedOn, 'DESC');
    case 'distanceASC':
      return miles ? (doc) => Math.round(miles[owner[doc]!]! * MILE_SCALE) : () => 0;
  }
}

/**
 * One number per document of the set, in ascending order of which the sort and
 * then the ids are: sort key · listings + rank of the id. `docOf` turns a key
 * back into its document.
 */
export function sortKeys(
  documents: Documents,
  set: DocumentSet,
  query: ListingQuery,
  sort: SortValue,
  miles: Float64Array | undefined,
  today: number,
): { keys: Float64Array; docOf: (key: number) => number } {
  const key = keyOf(documents, query, sort, miles, today);
  const { ranks, docs: byRank } = documents.order;
  const scale = Math.max(1, byRank.length);
  const { docs } = set;
  const keys = new Float64Array(docs.length);
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    keys[i] = key(doc) * scale + ranks[doc]!;
  }
  return { keys, docOf: (value) => byRank[value % scale]! };
}
