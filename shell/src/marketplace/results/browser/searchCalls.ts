import { EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/search/criteria';
import type { moreLoaded, SearchLoaded, SearchState } from '@forecourt/search/state';
import { encodeUrl } from '@forecourt/search/url';
import { fetchJson, PermanentError } from '../../../engine/browser/call.ts';

/** Result of the shell's search call; anything but a page must be visited as a document. */
export type SearchResult =
  | { readonly kind: 'page'; readonly page: SearchLoaded; readonly url: string }
  | { readonly kind: 'document' };

export type MoreResult = Pick<Parameters<typeof moreLoaded>[0], 'page'>;

const pathOf = (call: 'search' | 'search/more', url: string): string =>
  `/cars-for-sale/api/${call}?url=${encodeURIComponent(url)}`;

/** The request for the search at a URL. */
export const searchPath = (url: string): string => pathOf('search', url);

/** The search of the page's URL as it is now. */
export async function loadShownSearch(): Promise<SearchState> {
  const result = await fetchJson<SearchResult>(searchPath(location.pathname + location.search));
  if (result.kind !== 'page') throw new PermanentError('the URL of the page is no search');
  return { ...result.page, status: 'ready', requestId: '' };
}

/** Fetches the listings after the loaded ones. */
export function fetchMore(loaded: SearchCriteria, signal: AbortSignal): Promise<MoreResult> {
  const next = { ...loaded, firstRecord: loaded.firstRecord + loaded.numRecords };
  return fetchJson<MoreResult>(pathOf('search/more', encodeUrl(next, EMPTY_SLUG_REFERENCE)), { signal });
}
