import { type BrandCode, BRANDS } from '../brands/brands.ts';
import {
  DEFAULT_SEARCH_RADIUS,
  LEGACY_PAGE_SIZE,
  PAGE_SIZE,
  type SearchCriteria,
} from '../criteria/criteria.ts';
import { normalizeZip } from '../criteria/values.ts';
import { filterPairs } from '../url/encode.ts';
import { normalizeFilters } from '../criteria/filterValues.ts';

/** Request data besides the search itself. */
export interface QueryOptions {
  readonly brand: BrandCode;
  /** A campaign's channel; default: the brand's (AMB-164). */
  readonly channel?: string;
  /** The visitor's stored ZIP, the default center of a search without a place (AMB-031). */
  readonly visitorZip?: string;
  readonly pixallId?: string;
  /** Version of the relevance formula (AMB-138). */
  readonly relevanceConfig?: string;
  /** The page also asks for a highlight, with premium spotlights or new-car boosts (AMB-039, AMB-201). */
  readonly hasExtraRecord?: boolean;
  /** Called when a make is not a list, once per request. */
  readonly report?: (code: 'MAKE_NOT_A_LIST') => void;
}

/** Providers of vehicle history reports (AMB-165). */
const VHR_PROVIDERS = 'CARFAX,AUTOCHECK';

/** Filters that a page mode adds to the search (AMB-026). */
const EXPERIENCE_EXTRAS: Readonly<
  Record<NonNullable<SearchCriteria['experience']>, SearchCriteria['filters']>
> = {
  commercial: { vehicleUseType: ['COMMERCIAL'] },
  'best-deals': { dealType: ['goodprice', 'greatprice'] },
};

/** The filters that are sent: with center and radius, and the extra filters of the experience. */
function requestFilters(criteria: SearchCriteria, context: QueryOptions): SearchCriteria['filters'] {
  if (criteria.filters.makeCode !== undefined && !Array.isArray(criteria.filters.makeCode))
    context.report?.('MAKE_NOT_A_LIST');
  const filters = normalizeFilters(criteria.filters);
  const hasPlace = filters.zip !== undefined || filters.city !== undefined || filters.state !== undefined;
  const zip = hasPlace ? filters.zip?.[0] : normalizeZip(context.visitorZip);
  // Within best deals, a shopper may select great prices only.
  const isNarrower = criteria.experience === 'best-deals' && filters.dealType !== undefined;
  const extras = criteria.experience && !isNarrower && EXPERIENCE_EXTRAS[criteria.experience];
  return {
    ...filters,
    ...(zip && { zip: [zip] }),
    ...(zip && !filters.searchRadius && !filters.area && { searchRadius: [String(DEFAULT_SEARCH_RADIUS)] }),
    ...(extras || {}),
  };
}

/**
 * Filters, channel and experience of a search: common to all listing calls; `GET /rest/lsc/listing/count`
 * takes nothing else.
 */
export function toSearchQuery(criteria: SearchCriteria, context: QueryOptions): URLSearchParams {
  const params = new URLSearchParams(filterPairs(requestFilters(criteria, context)).map((pair) => [...pair]));
  params.set('channel', context.channel ?? BRANDS[context.brand].channel);
  if (criteria.experience) params.set('experience', criteria.experience);
  return params;
}

const isFordPage = (size: number, brand: BrandCode) => size === LEGACY_PAGE_SIZE && brand === 'oem';

/**
 * Query of `GET /rest/lsc/listing` for one page. A radius of 0 is sent unchanged
 * (AMB-008).
 */
export function toApiQuery(criteria: SearchCriteria, context: QueryOptions): URLSearchParams {
  const params = toSearchQuery(criteria, context);
  const size = isFordPage(criteria.numRecords, context.brand) ? PAGE_SIZE : criteria.numRecords;
  params.set('sortBy', criteria.sortBy);
  params.set('firstRecord', String(criteria.firstRecord));
  params.set('numRecords', String(size + (context.hasExtraRecord ? HIGHLIGHT_INCREMENT : 0)));
  params.set('stats', 'year,derivedprice');
  params.set('showStrongAttributes', 'true');
  params.set('includeSuggested', 'true');
  params.set('vhrProviders', VHR_PROVIDERS);
  if (criteria.sortBy === 'relevance')
    params.set('relevanceConfig', context.relevanceConfig ?? RELEVANCE_VERSION);
  if (context.pixallId) params.set('pixallId', context.pixallId);
  const { excludedFilter, ignoresPriority } = BRANDS[context.brand];
  if (excludedFilter) params.set('excludedFilter', excludedFilter);
  // A sponsor's own vehicles don't compete for places.
  if (ignoresPriority || criteria.isSponsorship) params.set('ignorePriority', 'true');
  if (criteria.isSponsorship) params.set('isSponsorship', 'true');
  for (const name of ['showcaseOwnerId', 'psid', 'siomid'] as const) {
    const value = criteria[name];
    if (value) params.set(name, value);
  }
  return params;
}

/** Version of the relevance formula sent with the relevance sort. */
const RELEVANCE_VERSION = 'relevance-v3';

/** Maximum number of excluded ids; with more, none are sent. */
export const MAX_EXCLUDED_LISTING_IDS = 25;

/**
 * Additional listings requested for a highlight next to a premium spotlight or boost.
 */
export const HIGHLIGHT_INCREMENT = 1;

/** Spotlights per request, by tier and use. */
export const NUM_SPOTLIGHTS = {
  premiumFirstPage: 3,
  premiumLoadMore: 2,
  premiumCarousel: 10,
  featured: 6,
  standard: 6,
} as const;
