import type { SearchLoaded, SearchState } from '@forecourt/search/state';

/** Searches of the page that Back and Forward show without a request. */
const MAX_LEFT_SEARCHES = 10;
/** As long as browsers keep a document for Back; ms. */
const LEFT_SEARCH_MS = 10 * 60_000;

/** The searches that the page has shown, with all their loaded pages, by URL. */
export function createSearchMemory() {
  const searches = new Map<string, { readonly page: SearchLoaded; readonly leftAt: number }>();
  return {
    /** Remembers a complete search that is being left. */
    remember(url: string, { status, requestId: _, ...page }: SearchState): void {
      if (status !== 'ready') return;
      searches.delete(url);
      searches.set(url, { page, leftAt: performance.now() });
      const [oldest] = searches.keys();
      if (searches.size > MAX_LEFT_SEARCHES && oldest !== undefined) searches.delete(oldest);
    },
    recall(url: string): SearchLoaded | undefined {
      const search = searches.get(url);
      return search && performance.now() - search.leftAt < LEFT_SEARCH_MS ? search.page : undefined;
    },
  };
}
