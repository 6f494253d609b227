import { EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/search/criteria';
import { formatCount } from '@forecourt/search/format';
import {
  moreFailed,
  moreLoaded,
  moreStarted,
  type RootState,
  searchFailed,
  type SearchLoaded,
  searchLoaded,
  searchStarted,
} from '@forecourt/search/state';
import { encodeUrl } from '@forecourt/search/url';
import type { EventBus } from '@forecourt/slots/events';
import type { SlotStore } from '@forecourt/slots/state';
import type { Observable } from 'rxjs';
import { CallError, fetchJson } from '../../../engine/browser/call.ts';
import { expectedTexts } from './expectedTexts.ts';
import { createNewestLoad } from './newestLoad.ts';
import type { PageHistory, ScrollTarget } from './pageHistory.ts';
import { createPrefetch } from './prefetch.ts';
import { fetchMore, type MoreResult, searchPath, type SearchResult } from './searchCalls.ts';
import { createSearchMemory } from './searchMemory.ts';
import { createUrlWriter, type SearchUrl } from './urlWriter.ts';
import { whenListingsShown } from './whenListingsShown.ts';

export interface SearchFlowParts {
  readonly store: SlotStore;
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

/** A search that begins. */
interface SearchRequest extends SearchUrl {
  readonly scroll: ScrollTarget;
  /** Its results, if the page has shown them before. */
  readonly page?: SearchLoaded | undefined;
}

/** '1,234 Matches' */
export const matchesText = (count: number): string => formatCount(count, 'Match', 'Matches');

/**
 * The path of a click, in one direction: an intent becomes a request; the request changes the criteria, which the store alone
 * holds, and the URL; the results follow the response.
 */
class SearchFlow {
  readonly #parts: SearchFlowParts;
  readonly #load = createNewestLoad();
  readonly #memory = createSearchMemory();
  readonly #prefetch = createPrefetch();
  readonly #urls: ReturnType<typeof createUrlWriter>;
  /** URL of the results in the store. */
  #shownUrl: string;
  /** Where the newest results scroll to, in an object of their own for each change of the results. */
  #arrival: { readonly scroll: ScrollTarget } = { scroll: 'keep' };
  #count = 0;

  constructor(parts: SearchFlowParts) {
    this.#parts = parts;
    this.#urls = createUrlWriter(parts.history);
    this.#shownUrl = this.#shown.url;
    this.#listen();
  }

  get #shown(): RootState['search'] {
    return this.#parts.store.getState().search;
  }

  /** Everything that starts or expects a search: a changed filter, a retry, Back and Forward, and links. */
  #listen(): void {
    const { bus, history, links, pressedLinks } = this.#parts;
    const urlOf = (criteria: SearchCriteria) => encodeUrl(criteria, EMPTY_SLUG_REFERENCE);
    bus
      .on('search.changeRequested')
      .subscribe(({ criteria, history: mode }) =>
        this.#search({ url: urlOf(criteria), criteria, history: mode, scroll: 'keep' }),
      );
    // The store holds what failed.
    bus.on('search.retryRequested').subscribe(() => {
      const { url, criteria } = this.#shown;
      this.#search({ url, criteria, history: 'none', scroll: this.#arrival.scroll });
    });
    history.visits.subscribe(({ scrollY, ...visit }) =>
      this.#search({ ...visit, history: 'none', scroll: scrollY, page: this.#memory.recall(visit.url) }),
    );
    // Only the server can parse a link's path: controls are updated with the response.
    links.subscribe((url) =>
      this.#search({ url, criteria: this.#shown.criteria, history: 'push', scroll: 'results' }),
    );
    bus.on('search.moreRequested').subscribe(() => {
      if (this.#shown.status === 'ready') this.#loadMore();
    });
    const expect = (url: string) => this.#prefetch.start(searchPath(url));
    bus.on('search.changeExpected').subscribe(({ criteria }) => expect(urlOf(criteria)));
    pressedLinks.subscribe(expect);
  }

  #nextRequestId(): string {
    this.#count += 1;
    return `${this.#parts.requestId}-${this.#count}`;
  }

  #search(request: SearchRequest): void {
    const requestId = this.#nextRequestId();
    const { page, url } = request;
    const path = searchPath(url);
    this.#load<SearchResult>({
      begin: () => this.#begin(request, requestId),
      known: page && { kind: 'page', page, url },
      fetch: (signal) => this.#prefetch.take<SearchResult>(path) ?? fetchJson<SearchResult>(path, { signal }),
      show: (result) => this.#show(request, requestId, result),
      fail: (error) => this.#fail(request, requestId, error),
    });
  }

  /** Shows the new search's controls and URL before its results are there. */
  #begin(request: SearchRequest, requestId: string): void {
    const { store } = this.#parts;
    const { criteria, url } = request;
    this.#memory.remember(this.#shownUrl, this.#shown);
    this.#arrival = request;
    this.#urls.begin(request);
    const texts = expectedTexts(store.getState(), criteria);
    store.dispatch(searchStarted({ requestId, criteria, url, ...(texts && { texts }) }));
  }

  #show(request: SearchRequest, requestId: string, result: SearchResult): void {
    const { store, bus, history, announce, leave } = this.#parts;
    this.#urls.flush();
    if (result.kind !== 'page') return leave(request.url);
    const { page, url } = result;
    store.dispatch(searchLoaded({ requestId, page }));
    this.#shownUrl = url;
    this.#urls.settle({ history: request.history, url, criteria: page.criteria });
    document.title = page.texts.title;
    const { totalResultCount } = page;
    bus.emit('search.completed', { requestId, totalResultCount }, 'shell');
    announce(matchesText(totalResultCount));
    if (request.scroll === 'keep') history.arrive('keep');
    else whenListingsShown(() => history.arrive(this.#arrival === request ? request.scroll : 'keep'));
  }

  #fail(request: SearchRequest, requestId: string, error: unknown): void {
    const { store, bus, history, leave } = this.#parts;
    this.#urls.flush();
    const { code, status } = error instanceof CallError ? error : { code: 'UNEXPECTED', status: 0 };
    // The document shows the error page.
    if (status === 404) return leave(request.url);
    const isInvalid = code === 'INVALID_PARAMETERS';
    store.dispatch(searchFailed({ requestId, status: isInvalid ? 'invalid' : 'failed' }));
    bus.emit('search.failed', { requestId, code }, 'shell');
    history.arrive('keep');
  }

  /** Loads the listings after the loaded ones; once at a time, as the status says. */
  #loadMore(): void {
    const { store, bus } = this.#parts;
    const requestId = this.#nextRequestId();
    const loaded = this.#shown.criteria;
    this.#load<MoreResult>({
      begin: () => store.dispatch(moreStarted({ requestId })),
      fetch: (signal) => fetchMore(loaded, signal),
      show: ({ page }) => {
        store.dispatch(moreLoaded({ requestId, page }));
        // A reload or a shared link shows the page that was read last.
        const { url } = page;
        this.#arrival = { scroll: 'keep' };
        this.#shownUrl = url;
        this.#urls.settle({ url, criteria: this.#shown.criteria, history: 'replace' });
      },
      fail: (error) => {
        store.dispatch(moreFailed({ requestId }));
        // Logged but not shown.
        bus.emit('problem.reported', { code: 'MORE_NOT_LOADED', message: String(error) }, 'shell');
      },
    });
  }
}

export function startSearchFlow(parts: SearchFlowParts): void {
  new SearchFlow(parts);
}
