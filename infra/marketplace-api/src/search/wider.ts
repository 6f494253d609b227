import type { Hit, ListingIndex, ListingQuery } from '../index/listingIndex.ts';
import { ANY_VEHICLE } from '../index/vehicleTree.ts';
import type { SearchRequest } from './request.ts';
import { searchInTurn, type SearchStep } from './searchInTurn.ts';

/** Listings that a wider search adds at most: six rows of three. */
const ADDED_AT_MOST = 18;

/** The same wishes at any distance; then what of them matters most: make or model, body style and condition. */
function widened(query: ListingQuery): ListingQuery[] {
  const { vehicle = ANY_VEHICLE, facets, centre, excludedIds } = query;
  const { listingType, vehicleStyleCode, vehicleUseType } = facets ?? {};
  return [
    { ...query, radius: undefined, state: undefined, city: undefined },
    {
      facets: { listingType, vehicleStyleCode, vehicleUseType },
      vehicle: { ...vehicle, trims: [] },
      centre,
      excludedIds,
    },
  ];
}

/**
 * Supplemental listings (A7-SUPP-01): those of the search, and where they are
 * few the nearest ones of a wider search behind them.
 */
export function findSupplemental(
  index: ListingIndex,
  { query, page: { sort, first, size } }: Pick<SearchRequest, 'query' | 'page'>,
): { total: number; hits: Hit[] } {
  const own = index.search(query, { sort, first: 0, size: first + size });
  const room = Math.min(first + size - own.hits.length, ADDED_AT_MOST);
  if (room <= 0) return { total: own.total, hits: own.hits.slice(first) };
  const nearest = query.centre ? 'distanceASC' : 'relevance';
  const steps: SearchStep[] = widened(query).map((wider) => ({ query: wider, sort: nearest }));
  const count = own.hits.length + room;
  const { hits } = searchInTurn(index, [{ query, sort }, ...steps], count);
  return { total: hits.length, hits: hits.slice(first) };
}
