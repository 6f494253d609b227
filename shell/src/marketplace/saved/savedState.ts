import { normalizeUrl } from '@forecourt/search/decode';
import { encodeUrl, signInLink, storedSearchUrl } from '@forecourt/search/url';
import { EMPTY_SLUG_REFERENCE, type SearchCriteria, type SlugReference } from '@forecourt/search/criteria';
import type { SessionState } from '@forecourt/search/state';
import type { Bookmark } from '@forecourt/upstream/entities';
import type { CallContext, Gateway } from '../../engine/gateway/gateway.ts';

/** Saved items of an account that a results page shows. */
export interface AccountState {
  readonly session: Pick<SessionState, 'savedListingIds' | 'savedSearchCount'>;
  readonly bookmarks: readonly Bookmark[];
}

export const NO_ACCOUNT: AccountState = {
  session: { savedListingIds: [], savedSearchCount: 0 },
  bookmarks: [],
};

/**
 * Saved listings and searches of a signed-in visitor; empty where a call fails.
 */
export async function loadAccountState(
  gateway: Pick<Gateway, 'call'>,
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

/** The visitor's bookmark of this search, if it is saved. */
export function bookmarkOf(
  bookmarks: readonly Bookmark[],
  url: string,
  reference: SlugReference,
): Bookmark | undefined {
  return bookmarks.find(({ searchResultsURL }) => {
    const stored = storedSearchUrl(searchResultsURL);
    const normalized = stored === undefined ? undefined : normalizeUrl(stored, reference);
    return normalized?.kind === 'search' && normalized.canonicalUrl === url;
  });
}

/** Result of a bookmark id in the URL. */
type BookmarkVisit =
  | { readonly kind: 'none' }
  /** Path and query of the stored search. */
  | { readonly kind: 'found'; readonly url: string }
  | { readonly kind: 'notFound' };

/** Shown above the results of an unfiltered search. */
const BOOKMARK_NOT_FOUND = 'Bookmark not found';

/**
 * The stored search of the visitor's own bookmark (`searchBookmarkId`, with the id
 * token) or of a shared one (`bookmarkId`); the own one takes precedence (AMB-053).
 * A failed lookup counts as not found.
 */
async function visitBookmark(
  gateway: Pick<Gateway, 'call'>,
  { searchBookmarkId, bookmarkId }: Pick<SearchCriteria, 'searchBookmarkId' | 'bookmarkId'>,
  context: CallContext,
): Promise<BookmarkVisit> {
  if (searchBookmarkId) {
    const bookmark = await gateway.call('bookmark', { searchBookmarkId }, context);
    return toVisit(bookmark);
  }
  if (bookmarkId) {
    const { myAtcSearchViewBeans = [] } = await gateway.call('sharedBookmark', { bookmarkId }, context);
    return toVisit(myAtcSearchViewBeans[0]);
  }
  return { kind: 'none' };
}

/** The gateway's fallback has no stored search. */
function toVisit(bookmark: { readonly searchResultsURL?: string } | undefined): BookmarkVisit {
  const stored = bookmark?.searchResultsURL;
  const url = stored === undefined ? undefined : storedSearchUrl(stored);
  return url === undefined ? { kind: 'notFound' } : { kind: 'found', url };
}

/** The search without filters and bookmark, from its first page: shown when a bookmark is not found. */
function unfilteredSearch(criteria: SearchCriteria) {
  const { searchBookmarkId: _own, bookmarkId: _shared, ...rest } = criteria;
  const search: SearchCriteria = { ...rest, filters: {}, firstRecord: 0 };
  return { criteria: search, canonicalUrl: encodeUrl(search, EMPTY_SLUG_REFERENCE) };
}

/** URL of a bookmark without any filters. */
const bookmarkUrl = (criteria: SearchCriteria): string =>
  encodeUrl({ ...criteria, filters: {}, firstRecord: 0 }, EMPTY_SLUG_REFERENCE);

/** An account's own search needs its account (AMB-017): the link to sign in; undefined for other searches. */
export const signInForBookmark = (
  { criteria, canonicalUrl }: { readonly criteria: SearchCriteria; readonly canonicalUrl: string },
  { signedIn, signInPath }: SessionState,
): string | undefined =>
  criteria.searchBookmarkId && !signedIn ? signInLink(signInPath, canonicalUrl) : undefined;

interface ParsedSearch {
  readonly criteria: SearchCriteria;
  readonly canonicalUrl: string;
}

/**
 * Where a bookmark leads: to its search, or, if it is unknown, away from the address of a make or model, at which all
 * vehicles would be misleading. Undefined if the page is shown at this address.
 */
function bookmarkTarget(
  bookmark: Exclude<BookmarkVisit, { kind: 'none' }>,
  { criteria, canonicalUrl }: ParsedSearch,
  parse: (url: string) => ReturnType<typeof normalizeUrl>,
): string | undefined {
  const stored = bookmark.kind === 'found' ? parse(bookmark.url) : undefined;
  const target = stored?.kind === 'search' ? stored.canonicalUrl : bookmarkUrl(criteria);
  return target === canonicalUrl ? undefined : target;
}

/** What a parsed URL shows: its own search, or what its bookmark id leads to. */
export async function resolveBookmark(
  gateway: Pick<Gateway, 'call'>,
  parsed: ParsedSearch,
  context: CallContext,
  parse: (url: string) => ReturnType<typeof normalizeUrl>,
): Promise<
  | { readonly redirect: string }
  | {
      readonly redirect?: never;
      readonly criteria: SearchCriteria;
      readonly url: string;
      readonly notice: string | null;
    }
> {
  const bookmark = await visitBookmark(gateway, parsed.criteria, context);
  if (bookmark.kind === 'none') return { criteria: parsed.criteria, url: parsed.canonicalUrl, notice: null };
  const redirect = bookmarkTarget(bookmark, parsed, parse);
  if (redirect !== undefined) return { redirect };
  const { criteria, canonicalUrl } = unfilteredSearch(parsed.criteria);
  return { criteria, url: canonicalUrl, notice: BOOKMARK_NOT_FOUND };
}
