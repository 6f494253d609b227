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
 * Supplemental listings (A7-SUPP-01): those of the search, `own` in number, and
 * the nearest ones of a wider search behind them. Undefined where the search
 * fills the page itself.
 */
export function findSupplemental(
  index: ListingIndex,
  { query, page: { sort, first, size } }: Pick<SearchRequest, 'query' | 'page'>,
  own: number,
): { total: number; hits: Hit[] } | undefined {
  if (own >= first + size) return undefined;
  const nearest = query.centre ? 'distanceASC' : 'relevance';
  const steps: SearchStep[] = widened(query).map((wider) => ({ query: wider, sort: nearest }));
  const count = Math.min(first + size, own + ADDED_AT_MOST);
  const { hits } = searchInTurn(index, [{ query, sort }, ...steps], count);
  return { total: hits.length, hits: hits.slice(first) };
}
