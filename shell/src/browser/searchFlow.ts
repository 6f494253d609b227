import { EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import type { EventBus } from '@forecourt/shared-contracts/events';
import {
  moreFailed,
  moreLoaded,
  moreStarted,
  searchFailed,
  searchLoaded,
  searchStarted,
  type AppStore,
  type SearchLoaded,
} from '@forecourt/shared-contracts/store';
import { exhaustMap, filter, map, merge, Observable, Subject, switchMap, takeUntil } from 'rxjs';
import { createAfterPaint, whenListingsShown } from './afterPaint.ts';
import { CallError, fetchJson } from './call.ts';
import { expectedTexts } from './expectedTexts.ts';
import type { PageHistory, ScrollTarget } from './pageHistory.ts';

/** Result of the shell's search call; anything but a page must be visited as a document. */
type SearchResult =
  { readonly kind: 'page'; readonly page: SearchLoaded; readonly url: string } | { readonly kind: string };

interface SearchRequest {
  readonly url: string;
  readonly criteria: SearchCriteria;
  readonly history: 'push' | 'replace' | 'none';
  readonly scroll: ScrollTarget;
}

export interface SearchFlowParts {
  readonly store: AppStore;
  readonly bus: EventBus;
  readonly history: Pick<PageHistory, 'write' | 'visits' | 'arrive'>;
  /** URLs (path and query) of followed links that are searches. */
  readonly links: Observable<string>;
  /** Request id of the page, the stem of those of its later searches. */
  readonly requestId: string;
  /** Announces a message to screen readers. */
  readonly announce: (message: string) => void;
  /** Leaves for another document. */
  readonly leave: (url: string) => void;
}

/** '1,234 Matches' */
export const matchesText = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'Match' : 'Matches'}`;

const isPage = (result: SearchResult): result is SearchResult & { page: SearchLoaded; url: string } =>
  result.kind === 'page';

const apiUrl = (path: string, url: string) => `/cars-for-sale/api/${path}?url=${encodeURIComponent(url)}`;

/** Fetches JSON; unsubscribing aborts, after which neither callback is called. */
function fetched<T>(
  url: string,
  receive: (result: T) => void,
  fail: (error: unknown) => void,
): Observable<never> {
  return new Observable((subscriber) => {
    const controller = new AbortController();
    const { signal } = controller;
    void fetchJson<T>(url, { signal })
      .then(
        (result) => {
          if (!signal.aborted) receive(result);
        },
        (error: unknown) => {
          if (!signal.aborted) fail(error);
        },
      )
      .finally(() => subscriber.complete());
    return () => controller.abort();
  });
}

/**
 * The path of a click: an intent becomes a search, its URL and its results. A
 * newer search aborts the older one; more results are requested once at a time
 * and aborted when a search begins.
 */
export function startSearchFlow(parts: SearchFlowParts): void {
  const { store, bus } = parts;
  const flow = new SearchFlow(parts);
  merge(flow.changes(), flow.retries(), flow.visits(), flow.followedLinks())
    .pipe(switchMap((request) => flow.search(request)))
    .subscribe();
  bus
    .on('search.moreRequested')
    .pipe(
      filter(() => store.getState().search.status === 'ready'),
      exhaustMap(() => flow.loadMore().pipe(takeUntil(flow.started))),
    )
    .subscribe();
}

class SearchFlow {
  /** Emits when a search begins. */
  readonly started = new Subject<void>();
  readonly #parts: SearchFlowParts;
  // History writes are slow in browsers: controls are painted first.
  readonly #afterPaint = createAfterPaint();
  #newest: SearchRequest;
  #count = 0;

  constructor(parts: SearchFlowParts) {
    this.#parts = parts;
    const { criteria, url } = parts.store.getState().search;
    this.#newest = { url, criteria, history: 'replace', scroll: 'keep' };
  }

  changes(): Observable<SearchRequest> {
    return this.#parts.bus.on('search.changeRequested').pipe(
      map(({ criteria, history }: { criteria: SearchCriteria; history: 'push' | 'replace' }) => ({
        url: encodeUrl(criteria, EMPTY_SLUG_REFERENCE),
        criteria,
        history,
        scroll: 'keep' as const,
      })),
    );
  }

  retries(): Observable<SearchRequest> {
    return this.#parts.bus
      .on('search.retryRequested')
      .pipe(map(() => ({ ...this.#newest, history: 'none' as const })));
  }

  visits(): Observable<SearchRequest> {
    return this.#parts.history.visits.pipe(
      map((visit) => ({ ...visit, history: 'none' as const, scroll: visit.scrollY })),
    );
  }

  /** Only the server can parse a link's path: controls are updated with the response. */
  followedLinks(): Observable<SearchRequest> {
    return this.#parts.links.pipe(
      map((url) => {
        const { criteria } = this.#parts.store.getState().search;
        return { url, criteria, history: 'push' as const, scroll: 'results' as const };
      }),
    );
  }

  search(request: SearchRequest): Observable<never> {
    const requestId = this.#begin(request);
    return fetched<SearchResult>(
      apiUrl('search', request.url),
      (result) => this.#complete(request, requestId, result),
      (error) => this.#fail(request, requestId, error),
    );
  }

  loadMore(): Observable<never> {
    const { store, bus, history } = this.#parts;
    const requestId = this.#nextId();
    const { criteria: current } = store.getState().search;
    const next = { ...current, firstRecord: current.firstRecord + current.numRecords };
    store.dispatch(moreStarted({ requestId }));
    return fetched<{ page: Parameters<typeof moreLoaded>[0]['page'] }>(
      apiUrl('search/more', encodeUrl(next, EMPTY_SLUG_REFERENCE)),
      ({ page }) => {
        store.dispatch(moreLoaded({ requestId, page }));
        const { criteria } = store.getState().search;
        // A reload or a shared link shows the page that was read last (B4-PAGING-08).
        this.#afterPaint.run(() => history.write('replace', page.url, criteria));
        this.#newest = { url: page.url, criteria, history: 'replace', scroll: 'keep' };
      },
      (error) => {
        store.dispatch(moreFailed({ requestId }));
        // Logged but not shown (B8-ERR-09).
        bus.emit('problem.reported', { code: 'MORE_NOT_LOADED', message: String(error) }, 'shell');
      },
    );
  }

  #nextId(): string {
    return `${this.#parts.requestId}-${(this.#count += 1)}`;
  }

  /** Shows the new search's controls and URL before its results are there. */
  #begin(request: SearchRequest): string {
    const { store, history } = this.#parts;
    const { criteria, url, history: mode } = request;
    this.#newest = request;
    const requestId = this.#nextId();
    this.started.next();
    // After Back, another history entry is current.
    if (mode === 'none') this.#afterPaint.drop();
    else this.#afterPaint.flush();
    const texts = expectedTexts(store.getState(), criteria);
    store.dispatch(searchStarted({ requestId, criteria, url, ...(texts && { texts }) }));
    if (mode !== 'none') this.#afterPaint.run(() => history.write(mode, url, criteria));
    return requestId;
  }

  #complete(request: SearchRequest, requestId: string, result: SearchResult): void {
    const { store, bus, history, announce, leave } = this.#parts;
    this.#afterPaint.flush();
    if (!isPage(result)) return leave(request.url);
    const { page, url } = result;
    store.dispatch(searchLoaded({ requestId, page }));
    const settle = () => history.write('replace', url, page.criteria);
    // A visited entry keeps its offset only until the page has scrolled there.
    if (request.history === 'none') settle();
    else this.#afterPaint.run(settle);
    document.title = page.texts.title;
    const { totalResultCount } = page;
    bus.emit('search.completed', { requestId, totalResultCount }, 'shell');
    announce(matchesText(totalResultCount));
    if (request.scroll === 'keep') history.arrive('keep');
    else whenListingsShown(() => history.arrive(this.#newest === request ? request.scroll : 'keep'));
  }

  #fail(request: SearchRequest, requestId: string, error: unknown): void {
    const { store, bus, history, leave } = this.#parts;
    this.#afterPaint.flush();
    const { code, status } = error instanceof CallError ? error : { code: 'UNEXPECTED', status: 0 };
    // The document shows the error page.
    if (status === 404) return leave(request.url);
    const isInvalid = code === 'INVALID_PARAMETERS';
    store.dispatch(searchFailed({ requestId, status: isInvalid ? 'invalid' : 'failed' }));
    bus.emit('search.failed', { requestId, code }, 'shell');
    history.arrive('keep');
  }
}
