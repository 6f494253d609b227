import { MAX_SEARCH_RADIUS, type SearchCriteria } from '@forecourt/search/criteria';
import { MAX_EXCLUDED_LISTING_IDS, type QueryOptions, toSearchQuery } from '@forecourt/search/query';
import type { Listing } from '@forecourt/upstream/entities';

/** Query of `GET /rest/lsc/listing/similar`. */
export function toSimilarQuery(
  criteria: SearchCriteria,
  context: QueryOptions & {
    /** Ids of the listings already shown. */
    readonly shownIds: readonly string[];
    /** Listings of the search: their body styles and series complete a search for a model that names none. */
    readonly listings?: readonly Pick<Listing, 'vehicleStyleCodes' | 'seriesCode'>[];
  },
): URLSearchParams {
  const params = toSearchQuery(criteria, context);
  const { modelCode, vehicleStyleCode, seriesCode } = criteria.filters;
  const alike = (modelCode && context.listings) || [];
  const styles = vehicleStyleCode ?? uniqueCodes(alike.flatMap((listing) => listing.vehicleStyleCodes));
  const series = seriesCode ?? uniqueCodes(alike.flatMap((listing) => listing.seriesCode ?? []));
  const excluded = excludedIds(context.shownIds);
  if (styles.length > 0) params.set('bodyStyleCode', styles.join(','));
  if (series.length > 0) params.set('classSeriesCode', series.join(','));
  params.set('searchRadius', String(similarRadius(Number(criteria.filters.searchRadius?.[0]))));
  params.set('numRecords', String(SIMILAR_NUM_RECORDS));
  params.set('firstRecord', '0');
  params.set('ignorePriority', 'true');
  params.set('includeVehicleHighlights', 'true');
  params.set('vhrProvider', VHR_PROVIDERS);
  if (excluded) params.set('excludedListingId', excluded);
  return params;
}

const uniqueCodes = (codes: readonly string[]): readonly string[] => [...new Set(codes)].sort();

/** Radius of a similar request: none, 0 and 100 or more become 100. Miles. */
export function similarRadius(radius: number | undefined): number {
  return !radius || radius < 0 || radius >= MAX_SEARCH_RADIUS ? MAX_SEARCH_RADIUS : radius;
}

/** 1 to 25 excluded ids; for more than 25 the parameter is omitted, not truncated. */
function excludedIds(ids: readonly string[]): string | undefined {
  const unique = [...new Set(ids)];
  return unique.length >= 1 && unique.length <= MAX_EXCLUDED_LISTING_IDS ? unique.join(',') : undefined;
}

/** Number of listings in a similar request. */
const SIMILAR_NUM_RECORDS = 20;

/** Providers of vehicle history reports. */
const VHR_PROVIDERS = 'CARFAX,AUTOCHECK';
