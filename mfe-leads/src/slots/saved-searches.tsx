import { formatDate } from '@forecourt/shared-contracts/rules';
import type { Bookmark } from '@forecourt/shared-contracts/entities';
import type { RootState } from '@forecourt/shared-contracts/store';
import { storedSearchUrl } from '@forecourt/shared-contracts/url';
import { defineSlot } from '@forecourt/shared-contracts/slots';
import { queryOf, savedPageHead } from '../savedPages/SavedPage.tsx';
import { SAVED_SEARCHES_PATH } from '../savedSearch/savedSearch.ts';
import {
  SAVED_SEARCHES_TITLE,
  SavedSearches,
  type SavedSearch,
  type SavedSearchesData,
} from '../savedPages/SavedSearches.tsx';

/** '2026/06/5 10:00:00' → 'June 5, 2026'; empty for anything else. */
function savedOn(lastExecuted: string): string {
  const [, year, month, day] = /^(\d{4})\/(\d{2})\/(\d{1,2}) /.exec(lastExecuted) ?? [];
  if (year === undefined) return '';
  return formatDate(`${year}-${month}-${day?.padStart(2, '0')}`);
}

const toSavedSearch = (bookmark: Bookmark): SavedSearch => ({
  bookmarkId: bookmark.bookmarkId,
  title: bookmark.bookmarkTitle,
  url:
    storedSearchUrl(bookmark.searchResultsURL) ??
    `/cars-for-sale/all-cars?searchBookmarkId=${bookmark.bookmarkId}`,
  savedOn: savedOn(bookmark.lastExecuted),
});

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
  const { errorsOf } = await import('../form/checks.ts');
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
  needs: ['page', 'session'],
  async load({ state, call, signal }) {
    const pendingAlerts = call('emailAlerts', {}, { signal }).catch(() => ({ alerts: [] }));
    const [bookmarks, refused] = await Promise.all([call('bookmarks', {}, { signal }), refusedRename(state)]);
    if (!('myAtcSearchViewBeans' in bookmarks)) return null;
    const emailAlerts = await inTime(pendingAlerts);
    const alerts = emailAlerts && 'alerts' in emailAlerts ? emailAlerts.alerts : [];
    return {
      searches: bookmarks.myAtcSearchViewBeans.map(toSavedSearch),
      alerts: alerts.map(({ alertId, title, search, emailAddress }) => ({
        alertId,
        title,
        url: `/cars-for-sale/all-cars?${search}`,
        emailAddress,
      })),
      refused,
      isPartial: emailAlerts === undefined,
    };
  },
  isComplete: (data) => !data?.isPartial,
  page: ({ data }) => savedPageHead(SAVED_SEARCHES_TITLE, SAVED_SEARCHES_PATH, data !== null),
  view: SavedSearches,
});
