import type { Hit, ListingIndex, ListingQuery } from '../index/listingIndex.ts';
import { ANY_VEHICLE } from '../index/vehicleTree.ts';
import type { SearchRequest } from './request.ts';
import { searchInTurn } from './searchInTurn.ts';

/** What the shown vehicles are, beside the search itself (A7-SIM-01). */
export interface SimilarWishes {
  readonly bodyStyles: readonly string[];
  readonly series: readonly string[];
}

/** Share by which a similar vehicle may be dearer than the search allows. */
const PRICE_TOLERANCE = 1.15;

/** Body styles of the searched models, when the search does not say. */
function stylesOf(index: ListingIndex, query: ListingQuery): readonly string[] {
  const { vehicle = ANY_VEHICLE } = query;
  if (vehicle.models.length === 0) return [];
  const { counts } = index.search({ vehicle }, { sort: 'yearDESC', first: 0, size: 1 }, { counts: true });
  const { values, counts: perStyle } = counts!.facets.vehicleStyleCode;
  const most = perStyle.reduce((best, count, code) => (count > perStyle[best]! ? code : best), 0);
  return perStyle[most] ? [values[most]!] : [];
}

/** The search with ever fewer wishes: same model at any equipment, same make, same body style. */
function widened(index: ListingIndex, query: ListingQuery, wishes: SimilarWishes): ListingQuery[] {
  const { vehicle = ANY_VEHICLE, facets, price } = query;
  const chosen = wishes.bodyStyles.length > 0 ? wishes.bodyStyles : (facets?.vehicleStyleCode ?? []);
  const styles = chosen.length > 0 ? chosen : stylesOf(index, query);
  const where = {
    centre: query.centre,
    radius: query.radius,
    extendedDelivery: query.extendedDelivery,
    state: query.state,
    city: query.city,
    excludedIds: query.excludedIds,
    ...(price?.max !== undefined && { price: { max: Math.round(price.max * PRICE_TOLERANCE) } }),
  };
  const kept = {
    listingType: facets?.listingType,
    dealType: facets?.dealType,
    vehicleUseType: facets?.vehicleUseType,
  };
  const styled = { ...kept, ...(styles.length > 0 && { vehicleStyleCode: styles }) };
  return [
    ...(wishes.series.length > 0 ? [{ ...where, facets: { ...styled, seriesCode: wishes.series } }] : []),
    ...(vehicle.models.length > 0 ? [{ ...where, facets: kept, vehicle: { ...vehicle, trims: [] } }] : []),
    ...(vehicle.makes.length > 0
      ? [{ ...where, facets: styled, vehicle: { ...ANY_VEHICLE, makes: vehicle.makes } }]
      : []),
    { ...where, facets: styled },
  ];
}

/**
 * Vehicles like those of the search, the most alike first, without those
 * already shown. Each step takes what the earlier ones did not; `total` counts
 * the widest one.
 */
export function findSimilar(
  index: ListingIndex,
  request: SearchRequest,
  wishes: SimilarWishes,
): { total: number; hits: Hit[] } {
  const { first, size } = request.page;
  const steps = widened(index, request.query, wishes).map((query) => ({ query, sort: 'relevance' as const }));
  const { total, hits } = searchInTurn(index, steps, first + size);
  return { total, hits: hits.slice(first) };
}
