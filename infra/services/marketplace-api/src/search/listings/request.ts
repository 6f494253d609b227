import { decodeQuery } from '@forecourt/search/decode';
import {
  type FilterValues,
  type SearchCriteria,
  normalizeFilters,
  withoutParams,
  type FilterParam,
  DEFAULT_SEARCH_RADIUS,
  PAGE_SIZE,
  readPaymentLimit,
  readMapArea,
} from '@forecourt/search/criteria';
import { HIGHLIGHT_INCREMENT, MAX_EXCLUDED_LISTING_IDS } from '@forecourt/search/query';
import { ApiError } from '../../http/middleware.ts';
import { FACET_NAMES, type ListingQuery, type PageRequest } from '../listingIndex/listingIndex.ts';
import { keywordsOf } from '../listingIndex/keyword.ts';
import type { Place, PlaceFinder } from '../../domain/places/index.ts';
import type { ListingStore } from '../../inventory/index.ts';

/** VINs per call; the browsing history is shorter. */
const MAX_VINS = 100;
const MAX_SPOTLIGHTS = 30;

/** A parsed search. */
export interface SearchRequest {
  readonly criteria: SearchCriteria;
  readonly query: ListingQuery;
  readonly page: PageRequest;
  /** Center of the search; undefined for a nationwide one. */
  readonly place?: Place;
  readonly vins: readonly string[];
  /** Omits filter options from the response. */
  readonly withoutOptions: boolean;
  /** Where few listings match, a wider search adds others; not for the other-markets call, which is wide by definition. */
  readonly isWidened: boolean;
  readonly numSpotlights?: number;
  readonly spotlightPage: number;
  /** First value of each query parameter. */
  readonly params: Readonly<Record<string, string>>;
}

const listOf = (params: URLSearchParams, name: string, max: number): string[] =>
  [
    ...new Set(
      params
        .getAll(name)
        .flatMap((value) => value.split(','))
        .map((value) => value.trim())
        .filter(Boolean),
    ),
  ].slice(0, max);

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

const isTrue = (params: URLSearchParams, name: string): boolean =>
  ['true', '1'].includes(params.get(name)?.toLowerCase() ?? '');

const numberOf = (filters: FilterValues, param: FilterParam): number | undefined => {
  const digits = /^\d+/.exec(filters[param]?.[0] ?? '')?.[0];
  return digits === undefined ? undefined : Number(digits);
};

/** Lowest of several bounds: '20-MPG,30-MPG' means 20 or more. */
const leastOf = (filters: FilterValues, param: FilterParam): number | undefined => {
  const numbers = (filters[param] ?? []).map((value) => Number.parseInt(value, 10)).filter(Number.isFinite);
  return numbers.length > 0 ? Math.min(...numbers) : undefined;
};

function rangeOf(filters: FilterValues, low: FilterParam, high: FilterParam) {
  const min = numberOf(filters, low);
  const max = numberOf(filters, high);
  if (min === undefined && max === undefined) return undefined;
  if (min !== undefined && max !== undefined && min > max)
    throw new ApiError(400, 'INVALID_PARAMETERS', `${low} ${min} is above ${high} ${max}`);
  return { min, max };
}

function electricRangeOf(filters: FilterValues): ListingQuery['electricRange'] {
  const isUnspecified = filters.electricMileRange?.[0]?.toUpperCase() === 'UNSPECIFIED';
  return isUnspecified ? 'UNSPECIFIED' : leastOf(filters, 'electricMileRange');
}

function centerOf(filters: FilterValues, places: PlaceFinder): Place | undefined {
  const zip = filters.zip?.[0];
  if (zip !== undefined) return places.byZip(zip);
  const city = filters.city?.[0];
  const state = filters.state?.[0];
  return city && state ? places.byCity(city, state) : undefined;
}

/** A city means the market around it; a ZIP without a radius only sets the origin of distances. */
const impliedRadius = (filters: FilterValues): number | undefined =>
  filters.zip === undefined ? DEFAULT_SEARCH_RADIUS : undefined;

/** Converts filters to the query of the index. */
export function toListingQuery(filters: FilterValues, places: PlaceFinder): ListingQuery {
  const place = centerOf(filters, places);
  const radius = numberOf(filters, 'searchRadius');
  const { makeCode = [], modelCode = [], trimCode = [] } = filters;
  const facets: ListingQuery['facets'] = Object.fromEntries(
    FACET_NAMES.flatMap((name) => (filters[name] ? [[name, filters[name]] as const] : [])),
  );
  return {
    facets,
    vehicle: { makes: makeCode, models: modelCode, trims: trimCode },
    year: rangeOf(filters, 'startYear', 'endYear'),
    price: rangeOf(filters, 'minPrice', 'maxPrice'),
    payment: readPaymentLimit(filters.monthlyPayment?.[0] ?? ''),
    maxMileage: numberOf(filters, 'mileage'),
    minMpg: leastOf(filters, 'mpgRange'),
    electricRange: electricRangeOf(filters),
    keywords: keywordsOf(filters.keyword?.[0] ?? ''),
    extendedDelivery: filters.marketExtension?.[0] === 'include',
    area: readMapArea(filters.area?.[0] ?? ''),
    ...(place
      ? {
          center: { latitude: place.latitude, longitude: place.longitude },
          radius: radius ?? impliedRadius(filters),
        }
      : { state: filters.state?.[0], city: filters.city?.[0] }),
  };
}

/** Filters of each page mode; the shopper's own filters take precedence. */
const EXPERIENCE_FILTERS = {
  commercial: { vehicleUseType: ['COMMERCIAL'] },
  'best-deals': { dealType: ['goodprice', 'greatprice'] },
} as const satisfies Record<NonNullable<SearchCriteria['experience']>, FilterValues>;

const withExperience = (
  filters: FilterValues,
  experience: NonNullable<SearchCriteria['experience']> | undefined,
): FilterValues => (experience === undefined ? filters : { ...EXPERIENCE_FILTERS[experience], ...filters });

/** The extra record of a page does not shift where pages begin. */
const stepOf = (size: number) => (size === PAGE_SIZE + HIGHLIGHT_INCREMENT ? PAGE_SIZE : size);

/**
 * Reads the query of any listing call. Malformed and unknown values are
 * dropped; throws ApiError only where the values exclude each
 * other (a minimum above its maximum).
 */
export function readSearchRequest(params: URLSearchParams, places: PlaceFinder): SearchRequest {
  const decoded = decodeQuery(params);
  const ignored = listOf(params, 'excludedFilter', 50) as FilterParam[];
  const requested = normalizeFilters(withoutParams(decoded.filters, ignored));
  const criteria = { ...decoded, filters: withExperience(requested, decoded.experience) };
  const query = toListingQuery(criteria.filters, places);
  const size = criteria.numRecords;
  const excludedIds = listOf(params, 'excludedListingId', MAX_EXCLUDED_LISTING_IDS);
  const isSponsored = criteria.isSponsorship && criteria.showcaseOwnerId !== undefined;
  return {
    criteria,
    query: {
      ...query,
      ...(excludedIds.length > 0 && { excludedIds }),
      ...(isSponsored && { ownerIds: [criteria.showcaseOwnerId!] }),
    },
    page: {
      sort: criteria.sortBy,
      first: wholeNumber(params.get('firstRecord')) ?? 0,
      size,
      step: stepOf(size),
    },
    place: centerOf(criteria.filters, places),
    vins: listOf(params, 'vin', MAX_VINS).map((vin) => vin.toUpperCase()),
    withoutOptions:
      isTrue(params, 'collapseFilters') || isTrue(params, 'hideFilters') || isTrue(params, 'supplemental'),
    isWidened: isTrue(params, 'supplemental') && !query.extendedDelivery,
    numSpotlights: clampSpotlights(wholeNumber(params.get('numSpotlights'))),
    spotlightPage: Math.max(1, wholeNumber(params.get('spotlightPage')) ?? 1),
    params: firstValues(params),
  };
}

const clampSpotlights = (count: number | undefined) =>
  count === undefined ? undefined : Math.min(count, MAX_SPOTLIGHTS);

const firstValues = (params: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...params].reverse().map(([name, value]) => [name, value]));

const VIN = /^[a-hj-npr-z0-9]{17}$/;
/** Words before a stock number: 'Stock # U-4711'. */
const STOCK_WORDS: ReadonlySet<string> = new Set(['stock', 'stk', 'number', 'no', 'nr']);
/** At least four characters with a digit; a year alone is a year. */
const STOCK_NUMBER = /^(?=.*\d)(?!(?:19|20)\d\d$).{4,20}$/;
/** Parts of a stock number between dashes. */
const MAX_STOCK_PARTS = 3;

/** Vehicles whose VIN or stock number the words of a keyword are; undefined when they are neither. */
export async function idsOfNumber(
  store: ListingStore,
  keywords: readonly string[],
): Promise<string[] | undefined> {
  const [first = ''] = keywords;
  if (keywords.length === 1 && VIN.test(first)) return store.idsOfVins([first.toUpperCase()]);
  const parts = keywords.filter((word) => !STOCK_WORDS.has(word));
  const number = parts.join('').toUpperCase();
  if (parts.length > MAX_STOCK_PARTS || !STOCK_NUMBER.test(number)) return undefined;
  const ids = await store.idsOfStockNumber(number);
  return ids.length > 0 ? ids : undefined;
}
