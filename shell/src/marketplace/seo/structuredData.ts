import { recognizeUrlShape } from '@forecourt/search/decode';
import type { FilterParam, SearchCriteria } from '@forecourt/search/criteria';
import type { SearchState } from '@forecourt/search/state';
import type { Listing } from '@forecourt/upstream/entities';
import { jsonForScript } from '../../engine/compose/html.ts';

const VEHICLE_PATH = '/cars-for-sale/vehicle/';

/** Without click-tracking parameters. */
const pathOf = ({ id, vdpBaseUrl }: Listing) => vdpBaseUrl ?? VEHICLE_PATH + encodeURIComponent(id);

/**
 * The page's structured data: its breadcrumbs (BreadcrumbList) and its vehicles in
 * order (ItemList), as JSON-LD for a script element, with absolute URLs. A vehicle's
 * own page describes it (https://developers.google.com/search/docs/appearance/structured-data/carousel).
 */
export function structuredDataOf(search: SearchState, origin: string): string {
  const { breadcrumbs, listings, firstLoadedRecord, totalResultCount } = search;
  return jsonForScript({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'BreadcrumbList',
        itemListElement: breadcrumbs.map(({ label, href }, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name: label,
          item: new URL(href, origin).href,
        })),
      },
      {
        '@type': 'ItemList',
        numberOfItems: totalResultCount,
        itemListElement: listings.map((listing, index) => ({
          '@type': 'ListItem',
          position: firstLoadedRecord + index + 1,
          url: new URL(pathOf(listing), origin).href,
        })),
      },
    ],
  });
}

/** Not indexed, but links are followed. */
const NOT_INDEXED = 'noindex, follow';

/** Pages with more filters are not indexed: their combinations are countless. */
const MAX_OTHER_FILTERS = 2;

/**
 * What a filter means for the index; one that is not listed counts as one of the other filters.
 * - `place`: the page is the same content elsewhere; its canonical URL has no such filter.
 * - `never`: free text or endless values; a page with it is not indexed.
 */
const FACETS: Partial<Record<FilterParam, 'place' | 'never'>> = {
  zip: 'place',
  searchRadius: 'place',
  marketExtension: 'place',
  area: 'never',
  keyword: 'never',
  monthlyPayment: 'never',
};

/**
 * The robots directive of a results page; undefined allows everything. Pages of a
 * recognized shape or with at most two filters are indexed. Not indexed: pages
 * without vehicles, of a sponsor or an expired listing, and deeper combinations.
 */
export function robotsOf({ adjustment, criteria, totalResultCount }: SearchState): string | undefined {
  const { filters, isSponsorship, showcaseOwnerId, expiredListing } = criteria;
  if (adjustment || totalResultCount === 0 || isSponsorship || showcaseOwnerId || expiredListing)
    return NOT_INDEXED;
  const chosen = Object.keys(filters) as FilterParam[];
  if (chosen.some((param) => FACETS[param] === 'never')) return NOT_INDEXED;
  const shape = recognizeUrlShape(filters);
  const params = chosen.filter((param) => FACETS[param] === undefined);
  // 'make+model' allows extra filters (AMB-047), which count here.
  if (shape && shape !== 'make+model') return undefined;
  const extras = params.filter((name) => name !== 'makeCode' && name !== 'modelCode');
  const counted = shape === 'make+model' ? extras : params;
  return counted.length <= MAX_OTHER_FILTERS ? undefined : NOT_INDEXED;
}

/** The share picture of the search's make and model, with their numbers. */
export function shareImageOf({ filters }: SearchCriteria): string {
  const [make, ...otherMakes] = filters.makeCode ?? [];
  const [model, ...otherModels] = filters.modelCode ?? [];
  const codes = otherMakes.length > 0 ? [] : otherModels.length > 0 ? [make] : [make, model];
  const name = codes.filter(Boolean).join('.') || 'all';
  return `/pictures/share/searches/${encodeURIComponent(name)}.jpg`;
}
