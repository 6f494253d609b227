import type { SearchCriteria } from '@forecourt/search/criteria';
import type { DocumentSet } from './bitmap.ts';
import { type Documents, MISSING } from './documents.ts';
import { vehicleKeywordShare } from './keyword.ts';
import type { ListingQuery } from './listingIndex.ts';
import type { Distances } from './ownerTable.ts';
import { FRESHNESS_LIMIT_DAYS, RELEVANCE_UNIT, freshnessScore, keywordScore } from './relevance.ts';

/** Above every value of a sorted column: prices, thousandths of a mile, units of relevance. */
const BEYOND = 2 ** 31;
/** Above every relevance, in units: its parts' weights add up to 1.5. */
const MOST_RELEVANT = 2 / RELEVANCE_UNIT;
const MILE_SCALE = 1000;

/** Writes an integer sort key per document; smaller keys come first. */
type Fill = (docs: Int32Array, keys: Float64Array) => void;

/** Listings without a value come last in either direction. */
const ascending =
  (column: Int32Array): Fill =>
  (docs, keys) => {
    for (let i = 0; i < docs.length; i++) {
      const value = column[docs[i]!]!;
      keys[i] = value === MISSING ? BEYOND : value;
    }
  };

const descending =
  (column: Int32Array): Fill =>
  (docs, keys) => {
    for (let i = 0; i < docs.length; i++) {
      const value = column[docs[i]!]!;
      keys[i] = value === MISSING ? BEYOND : BEYOND - 1 - value;
    }
  };

/** Without a center all distances are equal. */
const byDistance =
  (owner: Int32Array, distances: Distances | undefined): Fill =>
  (docs, keys) => {
    if (!distances) return;
    for (let i = 0; i < docs.length; i++)
      keys[i] = Math.round(distances.miles(owner[docs[i]!]!) * MILE_SCALE);
  };

/** Freshness part of the relevance by days listed, in units. */
const FRESHNESS = Int32Array.from({ length: FRESHNESS_LIMIT_DAYS + 1 }, (_, days) => freshnessScore(days));

function byRelevance(
  documents: Documents,
  query: ListingQuery,
  distances: Distances | undefined,
  today: number,
): Fill {
  const { quality, owner, listedOn } = documents.numbers;
  const nodes = documents.vehicle.column.codes;
  const words = query.keywords?.length
    ? vehicleKeywordShare(documents, query.keywords).map(keywordScore)
    : undefined;
  return (docs, keys) => {
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      const days = Math.min(FRESHNESS_LIMIT_DAYS, Math.max(0, today - listedOn[doc]!));
      let score = quality[doc]! + FRESHNESS[days]!;
      if (distances) score += distances.nearness(owner[doc]!);
      if (words) score += words[nodes[doc]!]!;
      keys[i] = MOST_RELEVANT - score;
    }
  };
}

function fillOf(
  documents: Documents,
  query: ListingQuery,
  sort: SearchCriteria['sortBy'],
  distances: Distances | undefined,
  today: number,
): Fill {
  const { year, price, mileage, listedOn, owner } = documents.numbers;
  switch (sort) {
    case 'relevance':
      return byRelevance(documents, query, distances, today);
    // By the same terms, the payment rises with the price.
    case 'monthlyPaymentASC':
    case 'derivedpriceASC':
      return ascending(price);
    case 'derivedpriceDESC':
    case 'monthlyPaymentDESC':
      return descending(price);
    case 'mileageASC':
      return ascending(mileage);
    case 'mileageDESC':
      return descending(mileage);
    case 'yearASC':
      return ascending(year);
    case 'yearDESC':
      return descending(year);
    case 'datelistedASC':
      return ascending(listedOn);
    case 'datelistedDESC':
      return descending(listedOn);
    case 'distanceASC':
      return byDistance(owner, distances);
  }
}

/**
 * One number per document that orders by sort key and then by id: sort key ×
 * number of listings + rank of the id. `docOf` recovers the document. `today` in
 * days since 1970-01-01.
 */
export function sortKeys(
  documents: Documents,
  set: DocumentSet,
  query: ListingQuery,
  sort: SearchCriteria['sortBy'],
  distances: Distances | undefined,
  today: number,
): { keys: Float64Array; docOf: (key: number) => number } {
  const { ranks, docs: byRank } = documents.order;
  const scale = Math.max(1, byRank.length);
  const { docs } = set;
  const keys = new Float64Array(docs.length);
  fillOf(documents, query, sort, distances, today)(docs, keys);
  for (let i = 0; i < docs.length; i++) keys[i] = keys[i]! * scale + ranks[docs[i]!]!;
  return { keys, docOf: (value) => byRank[value % scale]! };
}

/** Largest heap; longer prefixes are faster to sort as a whole. */
const HEAP_LIMIT = 4096;

/** Restores a max-heap whose root was replaced. */
function siftDown(heap: Float64Array, size: number): void {
  const value = heap[0]!;
  let hole = 0;
  for (let child = 1; child < size; child = 2 * hole + 1) {
    if (child + 1 < size && heap[child + 1]! > heap[child]!) child++;
    if (heap[child]! <= value) break;
    heap[hole] = heap[child]!;
    hole = child;
  }
  heap[hole] = value;
}

/**
 * Keys `first` to `first + size` in ascending order without a full sort: one
 * comparison for each key that cannot be on the page.
 */
export function pageOfKeys(keys: Float64Array, first: number, size: number): Float64Array {
  const prefixLength = Math.min(first + size, keys.length);
  if (prefixLength > HEAP_LIMIT || prefixLength * 4 > keys.length)
    return keys.toSorted().subarray(first, prefixLength);
  if (prefixLength === 0) return new Float64Array(0);
  const heap = keys.slice(0, prefixLength).sort().reverse();
  for (let i = prefixLength; i < keys.length; i++) {
    if (keys[i]! >= heap[0]!) continue;
    heap[0] = keys[i]!;
    siftDown(heap, prefixLength);
  }
  return heap.sort().subarray(first, prefixLength);
}
