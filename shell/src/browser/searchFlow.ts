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

/** Answer of the shell's search call; anything but a page must be visited as a document. */
type SearchAnswer =
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
  /** Says something to screen readers. */
  readonly announce: (message: string) => void;
  /** Leaves for another document. */
  readonly leave: (url: string) => void;
}

/** '1,234 Matches' */
export const matchesText = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'Match' : 'Matches'}`;

const isPage = (answer: SearchAnswer): answer is SearchAnswer & { page: SearchLoaded; url: string } =>
  answer.kind === 'page';

const apiUrl = (path: string, url: string) => `/cars-for-sale/api/${path}?url=${encodeURIComponent(url)}`;

/** Fetches and hands over the answer; unsubscribing aborts, after which neither receiver is called. */
function asking<T>(
  url: string,
  receive: (answer: T) => void,
  fail: (error: unknown) => void,
): Observable<never> {
  return new Observable((subscriber) => {
    const controller = new AbortController();
    const { signal } = controller;
    void fetchJson<T>(url, { signal })
      .then(
        (answer) => {
          if (!signal.aborted) receive(answer);
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
 * The way of a click: an intent becomes a search, its URL and its results. A
 * newer search aborts the older one and its late answer is dropped; the next
 * page is asked for once at a time and given up when a search begins.
 */
export function startSearchFlow(parts: SearchFlowParts): void {
  const { store, bus, history } = parts;
  let count = 0;
  const nextId = () => `${parts.requestId}-${(count += 1)}`;
  const { criteria, url } = store.getState().search;
  let newest: SearchRequest = { url, criteria, history: 'replace', scroll: 'keep' };
  const started = new Subject<void>();
  // Browsers take their time over a history entry: the controls are painted first.
  const afterPaint = createAfterPaint();

  const search = (request: SearchRequest): Observable<never> => {
    newest = request;
    const requestId = nextId();
    started.next();
    // Whoever has gone back meanwhile is on another entry already.
    if (request.history === 'none') afterPaint.drop();
    else afterPaint.flush();
    const texts = expectedTexts(store.getState(), request.criteria);
    store.dispatch(
      searchStarted({ requestId, criteria: request.criteria, url: request.url, ...(texts && { texts }) }),
    );
    const { history: mode } = request;
    if (mode !== 'none') afterPaint.run(() => history.write(mode, request.url, request.criteria));
    return asking<SearchAnswer>(
      apiUrl('search', request.url),
      (answer) => {
        afterPaint.flush();
        if (!isPage(answer)) return parts.leave(request.url);
        store.dispatch(searchLoaded({ requestId, page: answer.page }));
        const settle = () => history.write('replace', answer.url, answer.page.criteria);
        // A visited entry keeps its offset only until the page has scrolled there.
        if (mode === 'none') settle();
        else afterPaint.run(settle);
        document.title = answer.page.texts.title;
        const { totalResultCount } = answer.page;
        bus.emit('search.completed', { requestId, totalResultCount }, 'shell');
        parts.announce(matchesText(totalResultCount));
        if (request.scroll === 'keep') history.arrive('keep');
        else whenListingsShown(() => history.arrive(newest === request ? request.scroll : 'keep'));
      },
      (error) => {
        afterPaint.flush();
        const { code, status } = error instanceof CallError ? error : { code: 'UNEXPECTED', status: 0 };
        // No such search: the document's answer says it best.
        if (status === 404) return parts.leave(request.url);
        const isInvalid = code === 'INVALID_PARAMETERS';
        store.dispatch(searchFailed({ requestId, status: isInvalid ? 'invalid' : 'failed' }));
        bus.emit('search.failed', { requestId, code }, 'shell');
        history.arrive('keep');
      },
    );
  };

  const more = (): Observable<never> => {
    const requestId = nextId();
    const { criteria: now } = store.getState().search;
    const next = { ...now, firstRecord: now.firstRecord + now.numRecords };
    store.dispatch(moreStarted({ requestId }));
    return asking<{ page: Parameters<typeof moreLoaded>[0]['page'] }>(
      apiUrl('search/more', encodeUrl(next, EMPTY_SLUG_REFERENCE)),
      ({ page }) => {
        store.dispatch(moreLoaded({ requestId, page }));
        const { criteria: loaded } = store.getState().search;
        // A reload or a shared link shows the page that was read last (B4-PAGING-08).
        afterPaint.run(() => history.write('replace', page.url, loaded));
        newest = { url: page.url, criteria: loaded, history: 'replace', scroll: 'keep' };
      },
      (error) => {
        store.dispatch(moreFailed({ requestId }));
        // Logged, and not told (B8-ERR-09).
        bus.emit('problem.reported', { code: 'MORE_NOT_LOADED', message: String(error) }, 'shell');
      },
    );
  };

  merge(
    bus.on('search.changeRequested').pipe(
      map((change): SearchRequest => {
        const changed: SearchCriteria = change.criteria;
        const changedUrl = encodeUrl(changed, EMPTY_SLUG_REFERENCE);
        return { url: changedUrl, criteria: changed, history: change.history, scroll: 'keep' };
      }),
    ),
    bus.on('search.retryRequested').pipe(map((): SearchRequest => ({ ...newest, history: 'none' }))),
    history.visits.pipe(
      map((visit): SearchRequest => ({ ...visit, history: 'none', scroll: visit.scrollY })),
    ),
    // What a link's path means only the server knows: controls follow with the answer.
    parts.links.pipe(
      map((link): SearchRequest => {
        const { criteria: shown } = store.getState().search;
        return { url: link, criteria: shown, history: 'push', scroll: 'results' };
      }),
    ),
  )
    .pipe(switchMap(search))
    .subscribe();

  bus
    .on('search.moreRequested')
    .pipe(
      filter(() => store.getState().search.status === 'ready'),
      exhaustMap(() => more().pipe(takeUntil(started))),
    )
    .subscribe();
}
