import type { Hit, ListingIndex, ListingQuery } from '../index/listingIndex.ts';
import { ANY_VEHICLE } from '../index/vehicleTree.ts';
import type { SearchRequest } from './request.ts';

/** What is to be boosted beside the makes of the search (B7-NCB-02). */
export interface BoostWishes {
  readonly models: readonly string[];
  readonly trims: readonly string[];
  readonly series: readonly string[];
}

/** What a shopper of used cars says that no new car can be asked: how old, how far driven, how good a deal. */
function asNew({ query }: SearchRequest): ListingQuery {
  const { facets = {}, centre, radius, state, city, extendedDelivery, excludedIds } = query;
  const { listingType: _, dealType: __, vehicleHistoryType: ___, ...kept } = facets;
  return {
    facets: { ...kept, listingType: ['NEW'] },
    centre,
    radius,
    state,
    city,
    extendedDelivery,
    excludedIds,
  };
}

/**
 * New cars of the model that the shopper looks at used (AMB-024), nearest and
 * best first: of the trim or series asked for while there are enough, then of
 * the model, then of the make. Nothing without a make: a boost answers a
 * search for something.
 */
export function findNewCarBoosts(
  index: ListingIndex,
  request: SearchRequest,
  wishes: BoostWishes,
): { total: number; hits: Hit[] } {
  const { makes } = request.query.vehicle ?? ANY_VEHICLE;
  const { first, size } = request.page;
  if (makes.length === 0) return { total: 0, hits: [] };
  const base = asNew(request);
  const { models, trims, series } = wishes;
  const steps: ListingQuery[] = [
    ...(trims.length > 0 ? [{ ...base, vehicle: { makes, models, trims } }] : []),
    ...(series.length > 0
      ? [{ ...base, vehicle: { ...ANY_VEHICLE, makes }, facets: { ...base.facets, seriesCode: series } }]
      : []),
    ...(models.length > 0 ? [{ ...base, vehicle: { makes, models, trims: [] } }] : []),
    { ...base, vehicle: { ...ANY_VEHICLE, makes } },
  ];
  const found = new Map<string, Hit>();
  let total = 0;
  for (const query of steps) {
    if (found.size >= first + size) break;
    const step = index.search(query, { sort: 'relevance', first: 0, size: first + size });
    for (const hit of step.hits) if (!found.has(hit.id)) found.set(hit.id, hit);
    total = step.total;
  }
  return { total, hits: [...found.values()].slice(first, first + size) };
}
