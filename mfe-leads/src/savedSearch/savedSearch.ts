import type { SearchState } from '@forecourt/search/state';
import { recentSearchesStorage } from '@forecourt/search/storage';
import { encodeStoredSearch } from '@forecourt/search/url';
import type { CallBodies } from '@forecourt/upstream/calls';
import { formatLastExecuted } from '@forecourt/upstream/entities';

type BookmarkForm = CallBodies['saveSearch'];

export const SAVED_SEARCHES_PATH = '/account/saved-searches';

const TITLE_LENGTH = 80;

/** Name of a search: its heading and the filters that it doesn't name, 'Ford F-150 in Atlanta, GA · Red · Under $30,000'. */
export function searchTitle({ texts, chips }: Pick<SearchState, 'texts' | 'chips'>): string {
  const heading = texts.heading
    .replace(/^(cars) for sale(?= )/i, '$1')
    .replace(/ ?cars for sale/i, '')
    .trim();
  const isNamed = (label: string) => heading.toLowerCase().includes(label.toLowerCase());
  const filters = chips.filter(({ kind, label }) => kind !== 'location' && !isNamed(label));
  const named = [heading, ...filters.map(({ label }) => label.trim())].filter((part) => part !== '');
  const parts = named.length > 0 ? named : [chips[0]?.label.trim() || 'All cars'];
  for (let count = parts.length; ; count -= 1) {
    const rest = parts.length - count;
    const title = [...parts.slice(0, count), ...(rest > 0 ? [`+ ${rest} more`] : [])].join(' · ');
    if (title.length <= TITLE_LENGTH) return title;
    if (count === 1) return `${parts[0]!.slice(0, TITLE_LENGTH - 1)}…`;
  }
}

/** Body of the save-search call for a new bookmark. */
export function bookmarkOf(
  search: Pick<SearchState, 'criteria' | 'texts' | 'chips'>,
  now: Date,
): BookmarkForm {
  const title = searchTitle(search);
  return {
    bookmarkId: '',
    bookmarkTitle: title,
    searchName: title,
    lastExecuted: formatLastExecuted(now),
    searchResultsURL: encodeStoredSearch(search.criteria),
  };
}

/** Maximum number of stored recent searches. */
const MAX_RECENT_SEARCHES = 20;

/** Has this browser subscribed to emails about the search? */
export const isSubscribedSearch = (url: string): boolean =>
  recentSearchesStorage.read().some((recent) => recent.url === url && recent.subscribed);

export function rememberSubscription(url: string): void {
  const otherSearches = recentSearchesStorage.read().filter((recent) => recent.url !== url);
  recentSearchesStorage.write([{ url, subscribed: true }, ...otherSearches].slice(0, MAX_RECENT_SEARCHES));
}

/**
 * What a click on save-search does: signed out, the
 * email-alerts dialog if that feature is on, otherwise the inline capture form,
 * once; signed in, save. In all other cases ask to sign in.
 */
export function decideSaveSearch({
  signedIn,
  hasSubscribeAlerts,
  isSubscribed,
  isInlineCaptureShown,
}: {
  readonly signedIn: boolean;
  readonly hasSubscribeAlerts: boolean;
  readonly isSubscribed: boolean;
  readonly isInlineCaptureShown: boolean;
}): 'emailAlerts' | 'inlineCapture' | 'save' | 'signIn' {
  if (signedIn) return 'save';
  if (hasSubscribeAlerts) return 'emailAlerts';
  return isSubscribed || isInlineCaptureShown ? 'signIn' : 'inlineCapture';
}

/** Does an email subscription also store the search as an alert? */
export const isAutoSaved = (visitor: {
  readonly signedIn: boolean;
  readonly title: string | undefined;
}): boolean => !visitor.signedIn && !visitor.title;
