import type { SortValue } from '@forecourt/shared-contracts/criteria';
import type { DocumentSet } from './documentSet.ts';
import type { Documents } from './documents.ts';
import { MISSING } from './documents.ts';
import { vehicleKeywordShare } from './keyword.ts';
import type { ListingQuery } from './listingIndex.ts';
import type { Distances } from './ownerTable.ts';
import { FRESHNESS_LIMIT_DAYS, RELEVANCE_UNIT, freshnessScore, keywordScore } from './relevance.ts';

/** Above every value of a sorted column: prices, thousandths of a mile, units of relevance. */
const BEYOND = 2 ** 31;
/** Above every relevance, in units: its parts' weights add up to 1.5. */
const MOST_RELEVANT = 2 / RELEVANCE_UNIT;
const MILE_SCALE = 1000;

/** Writes one whole number a document into `keys`; smaller comes first. */
type Fill = (docs: Int32Array, keys: Float64Array) => void;

/** Listings without the value come last in either direction. */
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

/** Without a centre everything is equally far. */
const byDistance =
  (owner: Int32Array, distances: Distances | undefined): Fill =>
  (docs, keys) => {
    if (!distances) return;
    for (let i = 0; i < docs.length; i++)
      keys[i] = Math.round(distances.miles(owner[docs[i]!]!) * MILE_SCALE);
  };

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
  const freshness = Int32Array.from({ length: FRESHNESS_LIMIT_DAYS + 1 }, (_, days) => freshnessScore(days));
  return (docs, keys) => {
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i]!;
      const days = Math.min(FRESHNESS_LIMIT_DAYS, Math.max(0, today - listedOn[doc]!));
      let score = quality[doc]! + freshness[days]!;
      if (distances) score += distances.nearness(owner[doc]!);
      if (words) score += words[nodes[doc]!]!;
      keys[i] = MOST_RELEVANT - score;
    }
  };
}

function fillOf(
  documents: Documents,
  query: ListingQuery,
  sort: SortValue,
  distances: Distances | undefined,
  today: number,
): Fill {
  const { year, price, mileage, listedOn, owner } = documents.numbers;
  switch (sort) {
    case 'relevance':
      return byRelevance(documents, query, distances, today);
    case 'derivedpriceASC':
      return ascending(price);
    case 'derivedpriceDESC':
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
 * One number per document of the set, in ascending order of which the sort and
 * then the ids are: sort key · listings + rank of the id. `docOf` turns a key
 * back into its document. `today` in days since 1970-01-01.
 */
export function sortKeys(
  documents: Documents,
  set: DocumentSet,
  query: ListingQuery,
  sort: SortValue,
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
