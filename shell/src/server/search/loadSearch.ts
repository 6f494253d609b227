import { BRANDS } from '@forecourt/shared-contracts/brands';
import type {
  Bookmark,
  Listing,
  Owner,
  PageData,
  SearchResponse,
} from '@forecourt/shared-contracts/entities';
import { chipsOf, createLabels } from '@forecourt/shared-contracts/catalog';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import { toApiQuery, type RequestContext } from '@forecourt/shared-contracts/query';
import { normalizeFilters, slugsOf, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { SearchLoaded, SearchState, SessionState, moreLoaded } from '@forecourt/shared-contracts/store';
import type { CallContext, Gateway } from '../upstream/gateway.ts';
import { bookmarkOf, NO_ACCOUNT, type AccountState } from './savedState.ts';
import { loadNewCarBoosts } from './newCarBoosts.ts';
import { assertKnownMakes, assertPageStatus } from './pageStatus.ts';
import type { PlaceLookup } from './placeLookup.ts';
import { breadcrumbsOf } from './breadcrumbs.ts';
import { canonicalLinkOf, descriptionOf, headingOf, pageTitleOf } from '../../both/pageTexts.ts';
import { crawlPathsOf } from './crawlPaths.ts';
import type { SlugReferenceKeeper } from './slugReference.ts';
import { toHighlightQuery, toPremiumSpotlightQuery, toSpotlightQuery } from './upstreamQueries.ts';

/** A failure for operators to investigate. */
interface Report {
  /** Stable; the troubleshooting page lists it. */
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}
export type Reporter = (report: Report) => void;

export interface SearchLoader {
  readonly gateway: Gateway;
  readonly placeOf: PlaceLookup;
  readonly reference: Pick<SlugReferenceKeeper, 'current'>;
}

export interface SearchRequest {
  readonly criteria: SearchCriteria;
  readonly session: SessionState;
  /** Of a campaign; the brand's own otherwise (AMB-163, AMB-164). */
  readonly channel?: string | undefined;
  readonly pixallId?: string | undefined;
  /** Saved items of the signed-in visitor. */
  readonly account?: Promise<AccountState>;
  readonly context: CallContext;
  readonly report?: Reporter;
}

const ownersById = (...lists: readonly (readonly Owner[])[]): Record<string, Owner> =>
  Object.fromEntries(lists.flat().map((owner) => [owner.id, owner]));

export const requestContext = ({ session, channel, pixallId }: SearchRequest): RequestContext => ({
  brand: session.brand,
  ...(channel ? { channel } : {}),
  ...(pixallId ? { pixallId } : {}),
  ...(session.visitorZip ? { visitorZip: session.visitorZip } : {}),
});

/** Page number, from 1. */
const pageOf = ({ firstRecord, numRecords }: SearchCriteria): number =>
  1 + Math.floor(firstRecord / numRecords);

/**
 * Beyond the end of the results the upstream returns the last page (AMB-029);
 * the criteria must match it, or the link to the previous page would be wrong.
 */
function withinResults(criteria: SearchCriteria, total: number): SearchCriteria {
  const { firstRecord, numRecords } = criteria;
  if (firstRecord < total) return criteria;
  return { ...criteria, firstRecord: Math.floor(Math.max(0, total - 1) / numRecords) * numRecords };
}

interface LoadedSpotlights {
  readonly spotlights: SearchState['spotlights'][number];
  readonly owners: readonly Owner[];
}

/** Optional: failed calls yield no listings. `page` counts from 1; further pages have no carousel (AMB-007, AMB-135). */
async function loadSpotlights(
  gateway: Gateway,
  request: SearchRequest,
  { page, isFurther }: { readonly page: number; readonly isFurther: boolean },
): Promise<LoadedSpotlights> {
  const { criteria, session, context } = request;
  const upstream = requestContext(request);
  const isCarousel = !isFurther && session.flags['spotlightCarousel'] === true;
  const [premium, featured, standard] = await Promise.all([
    gateway.call(
      'premiumSpotlights',
      toPremiumSpotlightQuery(criteria, { ...upstream, page, isCarousel }),
      context,
    ),
    gateway.call('spotlights', toSpotlightQuery(criteria, { ...upstream, tier: 'featured', page }), context),
    gateway.call('spotlights', toSpotlightQuery(criteria, { ...upstream, tier: 'standard', page }), context),
  ]);
  return {
    spotlights: {
      premium: premium.listings,
      featured: featured.listings,
      standard: standard.listings,
      fourthTier: [],
    },
    owners: [...premium.owners, ...featured.owners, ...standard.owners],
  };
}

async function loadHighlight(
  gateway: Gateway,
  request: SearchRequest,
): Promise<{ listing: Listing | null; owners: readonly Owner[] }> {
  const { listings, owners } = await gateway.call(
    'vehicleHighlight',
    toHighlightQuery(request.criteria, requestContext(request)),
    request.context,
  );
  return { listing: listings[0] ?? null, owners };
}

/**
 * Names the visitor's ZIP, the center of a search without a place, so that heading, chips, fields and links show it
 * (AMB-031).
 */
function withVisitorPlace(criteria: SearchCriteria, visitorZip: string | null): SearchCriteria {
  const { zip, city, state } = criteria.filters;
  if (visitorZip === null || zip || city || state) return criteria;
  return { ...criteria, filters: normalizeFilters({ ...criteria.filters, zip: [visitorZip] }) };
}

/** Adds the bookmark's title if the visitor has saved the search. */
const withBookmark = (pageData: PageData, bookmark: Bookmark | undefined): PageData =>
  bookmark
    ? {
        ...pageData,
        saveSearchData: {
          saveSearchString: bookmark.searchName,
          title: bookmark.bookmarkTitle,
          searchBookmarkDate: bookmark.lastExecuted,
          textModalDisclaimer: bookmark.textModalDisclaimer,
          saveSearchInstrText: bookmark.saveSearchInstrText,
          subscribed: true,
        },
      }
    : pageData;

const suggestionsOf = (response: SearchResponse): SearchLoaded['suggestions'] => ({
  filters: response.suggestedFilters,
  strongAttributes: response.strongAttributesFilters,
  nearMisses: response.nearMisses,
  models: response.pageData.suggestedModels,
});

const editorialOf = (response: SearchResponse): SearchLoaded['editorial'] => ({
  editorialContent: response.editorialContent,
  editorialReviews: response.editorialReviews,
  makeSummaryData: response.makeSummaryData,
});

/**
 * Loads everything that a results page shows: the required listing call and, in
 * parallel, the optional ones. Rejects only with the required call's CallFailure
 * or with PageStatusError.
 */
export async function loadSearch(loader: SearchLoader, request: SearchRequest): Promise<SearchLoaded> {
  const { gateway } = loader;
  const { session, context } = request;
  const requested = withVisitorPlace(request.criteria, session.visitorZip);
  const reference = loader.reference.current();
  const zip = requested.filters.zip?.[0];
  const { requestId } = context;
  const query = toApiQuery(requested, {
    ...requestContext(request),
    // At most once per search (B8-ERR-11).
    report: (code) => request.report?.({ code, message: 'a make is not a list', requestId }),
  });
  const search = gateway.call('search', query, context) as Promise<SearchResponse>;
  const [response, newCars, spots, highlight, account, place] = await Promise.all([
    search,
    loadNewCarBoosts(
      gateway,
      { response: search, query },
      { criteria: requested, session, upstream: requestContext(request), context },
    ),
    loadSpotlights(gateway, request, { page: pageOf(requested), isFurther: false }),
    loadHighlight(gateway, request),
    request.account ?? NO_ACCOUNT,
    // Listings do not contain the city of the ZIP.
    zip ? loader.placeOf(zip, context) : undefined,
  ]);
  assertPageStatus(response.pageData);
  assertKnownMakes(requested, response.totalResultCount, reference);
  const criteria: SearchCriteria = {
    ...withinResults(requested, response.totalResultCount),
    slugs: slugsOf(requested.filters, reference),
  };
  const url = encodeUrl(criteria, reference);
  const brand = BRANDS[session.brand];
  const labelOf = createLabels({ filters: response.filters, reference, chosen: criteria.filters });
  const { listings } = response;
  const owners = ownersById(
    response.owners,
    newCars.owners,
    spots.owners,
    highlight.owners,
    response.alpha ? [response.alpha.ownerBean] : [],
  );
  const ownerName = criteria.showcaseOwnerId ? owners[criteria.showcaseOwnerId]?.name : undefined;
  const labels = { brand, labelOf, ...(place && { place }) };
  return {
    criteria,
    url,
    listings,
    spotlights: [spots.spotlights],
    pageSizes: [listings.length],
    owners,
    totalResultCount: response.totalResultCount,
    firstLoadedRecord: criteria.firstRecord,
    filters: response.filters,
    filterGroups: response.filterGroups,
    stats: response.stats,
    chips: chipsOf(criteria, { ...labels, ...(ownerName && { ownerName }) }),
    breadcrumbs: breadcrumbsOf(criteria, { ...labels, reference }),
    crawlPaths: crawlPathsOf(criteria, { filters: response.filters, reference, labelOf }),
    texts: {
      heading: headingOf(criteria, labels),
      title: pageTitleOf(criteria, labels),
      description: descriptionOf(criteria, { ...labels, totalResultCount: response.totalResultCount }),
      canonicalUrl: canonicalLinkOf(criteria, reference),
    },
    suggestions: suggestionsOf(response),
    vehicleHighlight: highlight.listing,
    // New cars first (AMB-024).
    boost: [...newCars.listings, ...response.boost],
    alpha: response.alpha ?? null,
    pageData: withBookmark(response.pageData, bookmarkOf(account.bookmarks, url, reference)),
    editorial: editorialOf(response),
    notice: null,
    adjustment: null,
    requestParams: response.requestParams,
  };
}

/** The next page below the loaded ones: listings and spotlights only. Rejects as `loadSearch` does. */
export async function loadMore(
  loader: SearchLoader,
  request: SearchRequest,
): Promise<Parameters<typeof moreLoaded>[0]['page']> {
  const { gateway, reference } = loader;
  const { criteria, context } = request;
  const query = toApiQuery(criteria, requestContext(request));
  // The page already has options and counts (AMB-106).
  query.set('collapseFilters', 'true');
  const [response, { spotlights, owners }] = await Promise.all([
    gateway.call('search', query, context) as Promise<SearchResponse>,
    loadSpotlights(gateway, request, { page: pageOf(criteria), isFurther: true }),
  ]);
  assertPageStatus(response.pageData);
  return {
    listings: response.listings,
    owners: ownersById(response.owners, owners),
    spotlights,
    firstRecord: criteria.firstRecord,
    url: encodeUrl(criteria, reference.current()),
  };
}
