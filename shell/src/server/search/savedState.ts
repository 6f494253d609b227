import type { Bookmark } from '@forecourt/shared-contracts/entities';
import { normalizeUrl, storedSearchUrl } from '@forecourt/shared-contracts/url';
import type { SlugReference, SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { SessionState } from '@forecourt/shared-contracts/store';
import type { CallContext, Gateway } from '../upstream/gateway.ts';

/** What an account keeps that a results page shows. */
export interface AccountState {
  readonly session: Pick<SessionState, 'savedListingIds' | 'savedSearchCount'>;
  readonly bookmarks: readonly Bookmark[];
}

export const NO_ACCOUNT: AccountState = {
  session: { savedListingIds: [], savedSearchCount: 0 },
  bookmarks: [],
};

/**
 * Saved listings and searches of a signed-in visitor. What cannot be had is
 * empty: the page does not wait for it any longer than the calls may take.
 */
export async function loadAccountState(
  gateway: Gateway,
  { signedIn }: Pick<SessionState, 'signedIn'>,
  context: CallContext,
): Promise<AccountState> {
  if (!signedIn) return NO_ACCOUNT;
  const [listings, searches] = await Promise.all([
    gateway.call('savedListings', {}, context),
    gateway.call('bookmarks', {}, context),
  ]);
  // Both may be the gateway's error object.
  const { savedListings = [] } = listings as Partial<typeof listings>;
  const { myAtcSearchViewBeans: bookmarks = [] } = searches as Partial<typeof searches>;
  return {
    session: {
      savedListingIds: savedListings.map(({ listingId }) => listingId),
      savedSearchCount: bookmarks.length,
    },
    bookmarks,
  };
}

/** The bookmark of this very search: its title says that the search is saved already (A4-SAVE-12). */
export function bookmarkOf(
  bookmarks: readonly Bookmark[],
  url: string,
  reference: SlugReference,
): Bookmark | undefined {
  return bookmarks.find(({ searchResultsURL }) => {
    const stored = storedSearchUrl(searchResultsURL);
    const normalised = stored === undefined ? undefined : normalizeUrl(stored, reference);
    return normalised?.kind === 'search' && normalised.canonicalUrl === url;
  });
}

/** What a bookmark's id in the URL leads to. */
export type BookmarkVisit =
  | { readonly kind: 'none' }
  /** Path and query of the stored search. */
  | { readonly kind: 'found'; readonly url: string }
  | { readonly kind: 'notFound' };

/** Shown above the results of an unfiltered search (A8-ERR-02, A8-ERR-03, AMB-170). */
export const BOOKMARK_NOT_FOUND = 'Bookmark not found';

/**
 * The stored search of an own bookmark (searchBookmarkId, with the visitor's id
 * token) or a shared one (bookmarkId); the own one wins (AMB-053). A lookup
 * that fails has found nothing.
 */
export async function visitBookmark(
  gateway: Gateway,
  { searchBookmarkId, bookmarkId }: Pick<SearchCriteria, 'searchBookmarkId' | 'bookmarkId'>,
  context: CallContext,
): Promise<BookmarkVisit> {
  if (searchBookmarkId) {
    const bookmark = await gateway.call('bookmark', { searchBookmarkId }, context);
    return foundBy(bookmark);
  }
  if (bookmarkId) {
    const { myAtcSearchViewBeans = [] } = await gateway.call('sharedBookmark', { bookmarkId }, context);
    return foundBy(myAtcSearchViewBeans[0]);
  }
  return { kind: 'none' };
}

/** An error object of the gateway has no stored search either. */
function foundBy(bookmark: { readonly searchResultsURL?: string } | undefined): BookmarkVisit {
  const url =
    bookmark?.searchResultsURL === undefined ? undefined : storedSearchUrl(bookmark.searchResultsURL);
  return url === undefined ? { kind: 'notFound' } : { kind: 'found', url };
}
