import type { SearchLoaded, SearchState } from '@forecourt/shared-contracts/store';
import { fetchJson } from './call.ts';

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

/** A press becomes a click within this time, or was none; ms. */
const PRESS_MS = 2_000;

interface Prefetched {
  readonly path: string;
  readonly at: number;
  readonly controller: AbortController;
  readonly response: Promise<unknown>;
}

/** Visitors who save data get nothing that they may not use. */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;

/** One response that is requested when a control is pressed, for the click that follows. */
export function createPrefetch() {
  let newest: Prefetched | undefined;
  return {
    start(path: string): void {
      if (savesData() || (newest?.path === path && performance.now() - newest.at < PRESS_MS)) return;
      newest?.controller.abort();
      const controller = new AbortController();
      const response = fetchJson(path, { signal: controller.signal });
      // Whoever takes the response handles its failure.
      response.catch(() => {});
      newest = { path, at: performance.now(), controller, response };
    },
    /** The response for a path, once. */
    take<T>(path: string): Promise<T> | undefined {
      const taken = newest;
      if (taken?.path !== path || performance.now() - taken.at >= PRESS_MS) return undefined;
      newest = undefined;
      return taken.response as Promise<T>;
    },
  };
}
