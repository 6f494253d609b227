import { storedSearchUrl } from '@forecourt/shared-contracts/url';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { CallContext, Gateway } from '../gateway/gateway.ts';

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
