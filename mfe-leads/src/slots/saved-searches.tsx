import { storedSearchUrl } from '@forecourt/search/url';
import { EMPTY_SLUG_REFERENCE } from '@forecourt/search/criteria';
import { formatDate } from '@forecourt/search/format';
import { toApiQuery } from '@forecourt/search/query';
import type { RootState } from '@forecourt/search/state';
import { defineSlot, type LoadContext } from '@forecourt/slots';
import type { Bookmark, Listing } from '@forecourt/upstream/entities';
import { queryOf, savedPageHead } from '../savedPages/SavedPage.tsx';
import { SAVED_SEARCHES_PATH } from '../savedSearch/savedSearch.ts';
import {
  SAVED_SEARCHES_TITLE,
  SavedSearches,
  type SavedSearch,
  type SearchMatches,
  type SavedSearchesData,
} from '../savedPages/SavedSearches.tsx';

/** '2026/06/5 10:00:00' → 'June 5, 2026'; empty for anything else. */
function savedOn(lastExecuted: string): string {
  const [, year, month, day] = /^(\d{4})\/(\d{2})\/(\d{1,2}) /.exec(lastExecuted) ?? [];
  if (year === undefined) return '';
  return formatDate(`${year}-${month}-${day?.padStart(2, '0')}`);
}

const urlOf = (bookmark: Bookmark): string =>
  storedSearchUrl(bookmark.searchResultsURL) ??
  `/cars-for-sale/all-cars?searchBookmarkId=${bookmark.bookmarkId}`;

/** How a search is shown, not what it finds. */
const VIEW_PARAMS: readonly string[] = ['sortBy', 'numRecords', 'firstRecord'];

/** Equal for URLs with the same parameters in any order. */
const searchKey = (url: string): string =>
  [...new URLSearchParams(url.split('?')[1])]
    .filter(([name]) => !VIEW_PARAMS.includes(name))
    .map((pair) => pair.join('='))
    .toSorted()
    .join('&');

/** Listings that one search returns: more new ones than these are not counted. */
const COUNTED_LISTINGS = 30;
const MS_PER_DAY = 86_400_000;

/** Days since a bookmark was opened, or else saved; undefined when the date cannot be parsed. */
function daysSince({ openedAt, lastExecuted }: Bookmark, now: number): number | undefined {
  const savedAt = Date.parse(`${lastExecuted.split(' ')[0]?.replaceAll('/', '-')} UTC`);
  const at = openedAt === undefined ? savedAt : Math.floor(openedAt / MS_PER_DAY) * MS_PER_DAY;
  return Number.isNaN(at) ? undefined : Math.floor((now - at) / MS_PER_DAY);
}

/** Those that the account service has counted; otherwise the listings of later days than the last one that was looked at. */
function newMatchesOf(
  bookmark: Bookmark,
  listings: readonly Listing[],
): Pick<SearchMatches, 'newCount' | 'isAtLeast'> {
  const { newMatches } = bookmark;
  if (newMatches) return { newCount: newMatches.count, isAtLeast: newMatches.isAtLeast };
  const days = daysSince(bookmark, Date.now());
  if (days === undefined) return { newCount: undefined, isAtLeast: false };
  const newCount = listings.filter(({ daysListed = Infinity }) => daysListed < days).length;
  return { newCount, isAtLeast: newCount === COUNTED_LISTINGS };
}

/** The matches of a saved search, newest first; undefined when the search fails. */
async function matchesOf(
  bookmark: Bookmark,
  { state, call, signal }: LoadContext,
): Promise<SearchMatches | undefined> {
  // Browsers have the data of a page that loads completely, and never decode.
  const { normalizeUrl } = await import(/* webpackChunkName: "decode" */ '@forecourt/search/decode');
  const storedSearch = normalizeUrl(urlOf(bookmark), EMPTY_SLUG_REFERENCE);
  if (storedSearch?.kind !== 'search') return undefined;
  const criteria = {
    ...storedSearch.criteria,
    sortBy: 'datelistedDESC' as const,
    numRecords: COUNTED_LISTINGS,
  };
  const query = Object.fromEntries(toApiQuery(criteria, { brand: state.session.brand }));
  const response = await call('search', { ...query, collapseFilters: 'true' }, { signal }).catch(
    () => undefined,
  );
  if (!response) return undefined;
  return {
    total: response.totalResultCount,
    since: bookmark.openedAt === undefined ? 'saved' : 'opened',
    ...newMatchesOf(bookmark, response.listings),
  };
}

/** The searches, each with its matches if they come in time. */
async function savedSearches(
  bookmarks: readonly Bookmark[],
  alerts: SavedSearchesData['alerts'],
  context: LoadContext,
): Promise<readonly SavedSearch[]> {
  const matches = await inTime(Promise.all(bookmarks.map((bookmark) => matchesOf(bookmark, context))));
  const alertsBySearch = new Map(alerts.map((alert) => [searchKey(alert.url), alert]));
  return bookmarks.map((bookmark, index) => ({
    bookmarkId: bookmark.bookmarkId,
    title: bookmark.bookmarkTitle,
    url: urlOf(bookmark),
    stored: bookmark.searchResultsURL,
    savedOn: savedOn(bookmark.lastExecuted),
    matches: matches?.[index],
    alert: alertsBySearch.get(searchKey(urlOf(bookmark))),
  }));
}

/**
 * The refused rename that the redirect names in `refused` and `title`. The
 * title is validated again: the page must not show a message from its URL.
 */
async function refusedRename(state: RootState): Promise<SavedSearchesData['refused']> {
  const query = queryOf(state);
  const bookmarkId = query.get('refused');
  if (bookmarkId === null) return null;
  const title = query.get('title') ?? '';
  // Imported here so that browsers never download the schema library for this page.
  const { errorsOf } = await import(/* webpackChunkName: "form-checks" */ '../form/checks.ts');
  const { bookmarkTitle: reason } = errorsOf('renameBookmark', { bookmarkTitle: title });
  return reason === undefined ? null : { bookmarkId, title, reason };
}

/** ms; the page of the server waits so long for email alerts after it has the searches. */
const LATE_MS = 400;

/** The response; on the server `undefined` if it is late. */
async function inTime<T>(response: Promise<T>): Promise<T | undefined> {
  if (typeof document !== 'undefined') return response;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LATE_MS);
  });
  return Promise.race([response, timeout]).finally(() => clearTimeout(timer));
}

/** Main slot of `/account/saved-searches`; data is null when the account service is unavailable. */
export default defineSlot<SavedSearchesData | null>({
  reads: ['page', 'session'],
  async load(context) {
    const { state, call, signal } = context;
    const pendingAlerts = call('emailAlerts', {}, { signal }).catch(() => ({ alerts: [] }));
    const [bookmarks, refused] = await Promise.all([
      call('bookmarks', { countNew: 'true' }, { signal }),
      refusedRename(state),
    ]);
    if (!('myAtcSearchViewBeans' in bookmarks)) return null;
    const emailAlerts = await inTime(pendingAlerts);
    const alerts = (emailAlerts && 'alerts' in emailAlerts ? emailAlerts.alerts : []).map(
      ({ alertId, title, search, emailAddress, frequency }) => ({
        alertId,
        title,
        url: `/cars-for-sale/all-cars?${search}`,
        emailAddress,
        frequency,
      }),
    );
    const searches = await savedSearches(bookmarks.myAtcSearchViewBeans, alerts, context);
    return {
      searches,
      alerts: alerts.filter((alert) => searches.every((search) => search.alert !== alert)),
      refused,
      isPartial: emailAlerts === undefined,
    };
  },
  isComplete: (data) => !data?.isPartial,
  page: ({ data }) => savedPageHead(SAVED_SEARCHES_TITLE, SAVED_SEARCHES_PATH, data !== null),
  view: SavedSearches,
});
