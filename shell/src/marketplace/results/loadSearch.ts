import { BRANDS } from '@forecourt/search/brands';
import { chipsOf, createLabels } from '@forecourt/search/catalog';
import {
  normalizeFilters,
  slugsOf,
  withMakeList,
  withoutParams,
  type SearchCriteria,
} from '@forecourt/search/criteria';
import { toApiQuery } from '@forecourt/search/query';
import type { SearchLoaded, SearchState, moreLoaded } from '@forecourt/search/state';
import { encodeUrl } from '@forecourt/search/url';
import type { Bookmark, Owner, SearchPageData, SearchResponse } from '@forecourt/upstream/entities';
import { type Completeness, worstOf } from '../../engine/compose/completeness.ts';
import { bookmarkOf, type AccountState } from '../saved/savedState.ts';
import {
  collectParts,
  HEAD_GRACE_MS,
  LATE_MS,
  loadSpotlights,
  NO_SPOTLIGHTS,
  startOptionalCalls,
  type OptionalParts,
} from './optionalParts.ts';
import {
  assertKnownMakes,
  assertPageStatus,
  pageOf,
  upstreamParams,
  type SearchLoader,
  type SearchRequest,
} from './searchRequest.ts';
import { breadcrumbsOf, crawlPathsOf } from './breadcrumbs.ts';
import { canonicalLinkOf, descriptionOf, headingOf, pageTitleOf } from './universal/pageTexts.ts';

const ownersById = (...lists: readonly (readonly Owner[])[]): Record<string, Owner> =>
  Object.fromEntries(lists.flat().map((owner) => [owner.id, owner]));

/**
 * Beyond the end of the results the upstream returns the last page (AMB-029);
 * the criteria must match it, or the link to the previous page would be wrong.
 */
function withinResults(criteria: SearchCriteria, total: number): SearchCriteria {
  const { firstRecord, numRecords } = criteria;
  if (firstRecord < total) return criteria;
  return { ...criteria, firstRecord: Math.floor(Math.max(0, total - 1) / numRecords) * numRecords };
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

/**
 * The request without a ZIP that no place has, so that nothing on the page names a place that the results are not from,
 * and a sentence about it, if the search itself names it (AMB-005).
 */
function withoutUnknownZip(request: SearchRequest, given: SearchCriteria, { unknownZip }: SearchPageData) {
  if (unknownZip === undefined) return { request, unknown: undefined };
  const filters = withoutParams(request.criteria.filters, ['zip', 'searchRadius', 'marketExtension']);
  return {
    request: { ...request, criteria: { ...request.criteria, filters } },
    unknown: given.filters.zip && `We can’t find ZIP Code ${unknownZip}. Showing results without it.`,
  };
}

/** Adds the bookmark's title if the visitor has saved the search. */
const withBookmark = (pageData: SearchPageData, bookmark: Bookmark | undefined): SearchPageData =>
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

/** Shown above older results, while the upstream does not answer the search. */
const STALE_RESULTS = 'We can’t refresh these results right now. Prices and availability may have changed.';

export interface LoadedSearch {
  /** 'ready' by default. */
  readonly search: SearchLoaded & Partial<Pick<SearchState, 'status'>>;
  readonly account: AccountState;
  /** Parts are missing that come later, or the results are older ones. */
  readonly completeness: Completeness;
}

/** A search whose required call has succeeded. */
export interface StartedSearch {
  /** With the optional parts that are ready. */
  readonly first: LoadedSearch;
  /** With all parts but those that are too late. Rejects only when the client disconnects. */
  readonly complete: Promise<LoadedSearch>;
}

/**
 * Loads everything that a results page shows: the required listing call and, in
 * parallel, the optional ones. Rejects only with the required call's CallFailure
 * or with PageStatusError.
 */
export async function startSearch(loader: SearchLoader, given: SearchRequest): Promise<StartedSearch> {
  const { context, session } = given;
  const query = toApiQuery(given.criteria, {
    ...upstreamParams(loader, given),
    hasExtraRecord: true,
    // At most once per search.
    report: (code) => given.report?.({ code, message: 'a make is not a list', requestId: context.requestId }),
  });
  const filters = withMakeList(given.criteria.filters);
  const request = {
    ...given,
    criteria: withVisitorPlace({ ...given.criteria, filters }, session.visitorZip),
  };
  const search = loader.gateway.request('search', query, { ...context, acceptsStale: true });
  const found = search.then(({ data }) => data as SearchResponse);
  // It is awaited below.
  found.catch(() => {});
  const parts = startOptionalCalls(loader, request, { response: found, query });
  const { data, source } = await search;
  const response = data as SearchResponse;
  const results: Completeness = source === 'stale' ? 'stale' : 'full';
  assertPageStatus(response.pageData);
  assertKnownMakes(request.criteria, response.totalResultCount, loader.reference.current());
  const known = withoutUnknownZip(request, given.criteria, response.pageData);
  const notice = source === 'stale' ? STALE_RESULTS : undefined;
  const assemble = (completeness: Completeness): LoadedSearch => ({
    search: {
      ...assembleSearch(loader, known.request, response, parts.current()),
      notice: [known.unknown, notice].filter(Boolean).join(' ') || null,
    },
    account: parts.current().account,
    completeness: worstOf(results, completeness),
  });
  const isComplete = await parts.within(HEAD_GRACE_MS);
  // The head names the place.
  const head: Completeness = isComplete || parts.isReady('place') ? 'full' : 'late';
  const first = assemble(head);
  if (isComplete) return { first, complete: Promise.resolve(first) };
  const complete = parts
    .within(LATE_MS - HEAD_GRACE_MS)
    .then((isInTime) => assemble(isInTime ? head : 'late'));
  return { first, complete };
}

/** The search with all parts but those that are too late. Rejects as `startSearch` does. */
export async function loadSearch(loader: SearchLoader, request: SearchRequest): Promise<SearchLoaded> {
  const { complete } = await startSearch(loader, request);
  return (await complete).search;
}

/**
 * The page's listings. The one more than its size fills the last place beside a highlight with premium spotlights or
 * new-car boosts, and is left out otherwise (AMB-039, AMB-201).
 */
function shownListings(
  listings: SearchResponse['listings'],
  { numRecords }: SearchCriteria,
  { newCars, spots, highlight }: Pick<OptionalParts, 'newCars' | 'spots' | 'highlight'>,
): SearchResponse['listings'] {
  const hasPaid = spots.spotlights.premium.length > 0 || newCars.listings.length > 0;
  return highlight.listing && hasPaid ? listings : listings.slice(0, numRecords);
}

function assembleSearch(
  loader: SearchLoader,
  { criteria: requested, session }: SearchRequest,
  response: SearchResponse,
  { newCars, spots, highlight, account, place }: OptionalParts,
): SearchLoaded {
  const reference = loader.reference.current();
  const criteria: SearchCriteria = {
    ...withinResults(requested, response.totalResultCount),
    slugs: slugsOf(requested.filters, reference),
  };
  const url = encodeUrl(criteria, reference);
  const brand = BRANDS[session.brand];
  const labelOf = createLabels({ filters: response.filters, reference, chosen: criteria.filters });
  const listings = shownListings(response.listings, criteria, { newCars, spots, highlight });
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
  const query = toApiQuery(criteria, upstreamParams(loader, request));
  // The page already has options and counts (AMB-106).
  query.set('collapseFilters', 'true');
  const search = gateway.call('search', query, context) as Promise<SearchResponse>;
  const parts = collectParts(
    { spots: loadSpotlights(loader, request, { page: pageOf(criteria), isFurther: true }) },
    { spots: NO_SPOTLIGHTS },
  );
  const response = await search;
  assertPageStatus(response.pageData);
  await parts.within(LATE_MS);
  const { spotlights, owners } = parts.current().spots;
  return {
    listings: response.listings,
    owners: ownersById(response.owners, owners),
    spotlights,
    firstRecord: criteria.firstRecord,
    url: encodeUrl(criteria, reference.current()),
  };
}
