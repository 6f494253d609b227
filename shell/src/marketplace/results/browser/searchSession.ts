import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { EventBus } from '@forecourt/shared-contracts/events';
import type { AppStore, SearchLoaded, SearchState } from '@forecourt/shared-contracts/store';
import type { Observable } from 'rxjs';
import type { PageHistory, ScrollTarget } from './pageHistory.ts';
import { fetchJson } from '../../../engine/browser/call.ts';
import { createAfterPaint } from '../../../engine/browser/mountTiming.ts';

/** Searches of the page that Back and Forward show without a request. */
const MAX_LEFT_SEARCHES = 10;
/** As long as browsers keep a document for Back; ms. */
const LEFT_SEARCH_MS = 10 * 60_000;

/** The searches that the page has shown, with all their loaded pages, by URL. */
function createSearchMemory() {
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

/** An expected search begins within this time, or its results are requested again; ms. */
const EXPECTED_MS = 10_000;

interface Prefetched {
  readonly path: string;
  readonly at: number;
  readonly controller: AbortController;
  readonly response: Promise<unknown>;
}

/** Visitors who save data get nothing that they may not use. */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false;

/** One response that is requested when its search is expected, such as by the press before a click. */
function createPrefetch() {
  let newest: Prefetched | undefined;
  const held = (path: string) =>
    newest?.path === path && performance.now() - newest.at < EXPECTED_MS ? newest : undefined;
  return {
    start(path: string): void {
      if (savesData() || held(path)) return;
      newest?.controller.abort();
      const controller = new AbortController();
      const response = fetchJson(path, { signal: controller.signal });
      // The code that takes the response handles its failure.
      response.catch(() => {});
      newest = { path, at: performance.now(), controller, response };
    },
    /** The response for a path, once. */
    take<T>(path: string): Promise<T> | undefined {
      const taken = held(path);
      if (!taken) return undefined;
      newest = undefined;
      return taken.response as Promise<T>;
    },
  };
}

export interface SearchRequest {
  readonly url: string;
  readonly criteria: SearchCriteria;
  readonly history: 'push' | 'replace' | 'none';
  readonly scroll: ScrollTarget;
  /** Its results, if the page has shown them before. */
  readonly page?: SearchLoaded | undefined;
}

export interface SearchFlowParts {
  readonly store: AppStore;
  readonly bus: EventBus;
  readonly history: Pick<PageHistory, 'write' | 'visits' | 'arrive'>;
  /** URLs (path and query) of followed links that are searches. */
  readonly links: Observable<string>;
  /** URLs of those that are pressed. */
  readonly pressedLinks: Observable<string>;
  /** Request id of the page; ids of later searches start with it. */
  readonly requestId: string;
  /** Announces a message to screen readers. */
  readonly announce: (message: string) => void;
  /** Leaves for another document. */
  readonly leave: (url: string) => void;
}

/** Writes URLs of searches into the history. Browsers take long for that, so controls are painted first. */
function createUrlWriter({ write }: Pick<PageHistory, 'write'>) {
  const afterPaint = createAfterPaint();
  /** The URL of the current entry as it will be when pending writes are done; undefined if Back or Forward led there. */
  let written: string | undefined;
  const writeLater = (...args: Parameters<PageHistory['write']>) => {
    [, written] = args;
    afterPaint.run(() => write(...args));
  };
  return {
    /** Writes the URL of a search that begins, after that of the search before it. */
    begin({ history, url, criteria }: SearchRequest): void {
      // After Back, another history entry is current.
      if (history === 'none') {
        written = undefined;
        return afterPaint.drop();
      }
      afterPaint.flush();
      writeLater(history, url, criteria);
    },
    /** Completes pending writes. */
    flush: afterPaint.flush,
    /** Replaces the URL of a request by that of its response, if it is another one. */
    settle({ history, url, criteria }: Pick<SearchRequest, 'history' | 'url' | 'criteria'>): void {
      // A visited entry keeps its offset only until the page has scrolled there.
      if (history === 'none') write('replace', url, criteria);
      else if (url !== written) writeLater('replace', url, criteria);
    },
  };
}

/** The parts of a search flow and what its steps share. */
export interface SearchSession extends SearchFlowParts {
  /** The request of the current results; a retry repeats it. */
  newest: SearchRequest;
  /** URL of the results in the store. */
  shownUrl: string;
  readonly memory: ReturnType<typeof createSearchMemory>;
  readonly prefetch: ReturnType<typeof createPrefetch>;
  readonly nextRequestId: () => string;
  readonly urls: ReturnType<typeof createUrlWriter>;
}

export function createSearchSession(parts: SearchFlowParts): SearchSession {
  const { criteria, url } = parts.store.getState().search;
  let count = 0;
  return {
    ...parts,
    newest: { url, criteria, history: 'replace', scroll: 'keep' },
    shownUrl: url,
    memory: createSearchMemory(),
    prefetch: createPrefetch(),
    nextRequestId: () => `${parts.requestId}-${(count += 1)}`,
    urls: createUrlWriter(parts.history),
  };
}
