import {
  type Hit,
  type ListingIndex,
  type ListingQuery,
  ONE_HIT,
  type PageRequest,
} from '../listingIndex/listingIndex.ts';
import { ANY_VEHICLE } from '../listingIndex/vehicleTree.ts';
import type { SearchRequest } from './request.ts';

/** A query with the order of its hits. */
interface SearchStep {
  readonly query: ListingQuery;
  readonly sort: PageRequest['sort'];
}

/**
 * Runs the queries in order until there are `count` hits; each adds hits that
 * the earlier ones did not find. `total` is the largest of all.
 */
async function searchInTurn(
  index: ListingIndex,
  steps: readonly SearchStep[],
  count: number,
): Promise<{ total: number; hits: Hit[] }> {
  const hits = new Map<string, Hit>();
  let total = 0;
  for (const { query, sort } of steps) {
    const step = await index.search(query, { sort, first: 0, size: count });
    for (const hit of step.hits) if (!hits.has(hit.id)) hits.set(hit.id, hit);
    total = Math.max(total, step.total);
  }
  return { total, hits: [...hits.values()].slice(0, count) };
}

/** Properties of the listings shown on the page. */
export interface SimilarCriteria {
  readonly bodyStyles: readonly string[];
  readonly series: readonly string[];
}

/** A similar vehicle may cost this factor of the search's maximum, and of a close one's minimum. */
const PRICE_TOLERANCE = 1.15;

/** Model years between a vehicle and a close one. */
const YEARS_AROUND = 2;

/** The most common body style of the searched models. */
async function stylesOf(index: ListingIndex, query: ListingQuery): Promise<readonly string[]> {
  const { vehicle = ANY_VEHICLE } = query;
  if (vehicle.models.length === 0) return [];
  const { counts } = await index.search({ vehicle }, ONE_HIT, { counts: true });
  const { values, counts: perStyle } = counts!.facets.vehicleStyleCode;
  const styles = values.map((style, code) => ({ style, count: perStyle[code]! }));
  const [most] = styles.sort((a, b) => b.count - a.count || (a.style < b.style ? -1 : 1));
  return most && most.count > 0 ? [most.style] : [];
}

/** Bounds of price and age around those of one vehicle; undefined for a search without them. */
function closeBounds({ price, year }: ListingQuery): Pick<ListingQuery, 'price' | 'year'> | undefined {
  if (price?.min === undefined || price.max === undefined) return undefined;
  if (year?.min === undefined || year.max === undefined) return undefined;
  return {
    price: {
      min: Math.round(price.min / PRICE_TOLERANCE),
      max: Math.round(price.max * PRICE_TOLERANCE),
    },
    year: { min: year.min - YEARS_AROUND, max: year.max + YEARS_AROUND },
  };
}

/**
 * The search with fewer and fewer criteria: same model with any trim, same make, same body style. Around one vehicle
 * (with bounds of price and year), those of about its price and age come first.
 */
async function similarQueries(
  index: ListingIndex,
  query: ListingQuery,
  criteria: SimilarCriteria,
): Promise<ListingQuery[]> {
  const { vehicle = ANY_VEHICLE, facets, price } = query;
  const chosen = criteria.bodyStyles.length > 0 ? criteria.bodyStyles : (facets?.vehicleStyleCode ?? []);
  const styles = chosen.length > 0 ? chosen : await stylesOf(index, query);
  const where = {
    center: query.center,
    radius: query.radius,
    extendedDelivery: query.extendedDelivery,
    state: query.state,
    city: query.city,
    excludedIds: query.excludedIds,
    ...(price?.max !== undefined && { price: { max: Math.round(price.max * PRICE_TOLERANCE) } }),
  };
  const common = {
    listingType: facets?.listingType,
    dealType: facets?.dealType,
    vehicleUseType: facets?.vehicleUseType,
  };
  const styled = { ...common, ...(styles.length > 0 && { vehicleStyleCode: styles }) };
  const close = closeBounds(query);
  const steps = [
    ...(criteria.series.length > 0 ? [{ ...where, facets: { ...styled, seriesCode: criteria.series } }] : []),
    ...(vehicle.models.length > 0 ? [{ ...where, facets: common, vehicle: { ...vehicle, trims: [] } }] : []),
    ...(vehicle.makes.length > 0
      ? [{ ...where, facets: styled, vehicle: { ...ANY_VEHICLE, makes: vehicle.makes } }]
      : []),
    { ...where, facets: styled },
  ];
  return close ? [...steps.map((step) => ({ ...step, ...close })), ...steps] : steps;
}

/** Vehicles like those of the search, the most similar first, without those already shown. */
export async function findSimilar(
  index: ListingIndex,
  request: SearchRequest,
  criteria: SimilarCriteria,
): Promise<{ total: number; hits: Hit[] }> {
  const { first, size } = request.page;
  const queries = await similarQueries(index, request.query, criteria);
  const steps = queries.map((query) => ({ query, sort: 'relevance' as const }));
  const { total, hits } = await searchInTurn(index, steps, first + size);
  return { total, hits: hits.slice(first) };
}

/** Most listings that a wider search adds: six rows of three. */
const ADDED_AT_MOST = 18;

/** The same criteria at any distance; then only make or model, body style and condition. */
function widerQueries(query: ListingQuery): ListingQuery[] {
  const { vehicle = ANY_VEHICLE, facets, center, excludedIds } = query;
  const { listingType, vehicleStyleCode, vehicleUseType } = facets ?? {};
  return [
    { ...query, radius: undefined, state: undefined, city: undefined, area: undefined },
    {
      facets: { listingType, vehicleStyleCode, vehicleUseType },
      vehicle: { ...vehicle, trims: [] },
      center,
      excludedIds,
    },
  ];
}

/**
 * Supplemental listings: the `own` hits of the search, followed by
 * the nearest hits of a wider one. Undefined if the search fills the page.
 */
export async function findSupplemental(
  index: ListingIndex,
  { query, page: { sort, first, size } }: Pick<SearchRequest, 'query' | 'page'>,
  own: number,
): Promise<{ total: number; hits: Hit[] } | undefined> {
  if (own >= first + size) return undefined;
  const nearest = query.center ? 'distanceASC' : 'relevance';
  const steps: SearchStep[] = widerQueries(query).map((wider) => ({ query: wider, sort: nearest }));
  const count = Math.min(first + size, own + ADDED_AT_MOST);
  const { hits } = await searchInTurn(index, [{ query, sort }, ...steps], count);
  return { total: hits.length, hits: hits.slice(first) };
}

/** What to boost beside the makes of the search. */
export interface BoostCriteria {
  readonly models: readonly string[];
  readonly trims: readonly string[];
  readonly series: readonly string[];
}

/** Drops criteria that apply to used cars only: age, mileage, price and deal. */
function asNew({ query }: SearchRequest): ListingQuery {
  const { facets = {}, center, radius, state, city, extendedDelivery, excludedIds } = query;
  const { listingType: _, dealType: __, vehicleHistoryType: ___, ...rest } = facets;
  return {
    facets: { ...rest, listingType: ['NEW'] },
    center,
    radius,
    state,
    city,
    extendedDelivery,
    excludedIds,
  };
}

/**
 * New cars of the model whose used ones were searched: of the
 * requested trim or series if there are enough, then of the model, then of the
 * make. Empty without a make.
 */
export async function findNewCarBoosts(
  index: ListingIndex,
  request: SearchRequest,
  criteria: BoostCriteria,
): Promise<{ total: number; hits: Hit[] }> {
  const { makes } = request.query.vehicle ?? ANY_VEHICLE;
  const { first, size } = request.page;
  if (makes.length === 0) return { total: 0, hits: [] };
  const base = asNew(request);
  const { models, trims, series } = criteria;
  const steps: ListingQuery[] = [
    ...(trims.length > 0 ? [{ ...base, vehicle: { makes, models, trims } }] : []),
    ...(series.length > 0
      ? [{ ...base, vehicle: { ...ANY_VEHICLE, makes }, facets: { ...base.facets, seriesCode: series } }]
      : []),
    ...(models.length > 0 ? [{ ...base, vehicle: { makes, models, trims: [] } }] : []),
    { ...base, vehicle: { ...ANY_VEHICLE, makes } },
  ];
  const hits = new Map<string, Hit>();
  let total = 0;
  for (const query of steps) {
    if (hits.size >= first + size) break;
    const step = await index.search(query, { sort: 'relevance', first: 0, size: first + size });
    for (const hit of step.hits) if (!hits.has(hit.id)) hits.set(hit.id, hit);
    total = step.total;
  }
  return { total, hits: [...hits.values()].slice(first, first + size) };
}
