import {
  moreFailed,
  moreLoaded,
  moreStarted,
  searchFailed,
  searchLoaded,
  searchStarted,
} from '@forecourt/shared-contracts/store';
import { formatCount } from '@forecourt/shared-contracts/rules';
import { EMPTY_SLUG_REFERENCE } from '@forecourt/shared-contracts/criteria';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import {
  createSearchSession,
  type SearchFlowParts,
  type SearchRequest,
  type SearchSession,
} from './searchSession.ts';
import { expectedTexts } from './expectedTexts.ts';
import { whenListingsShown } from './whenListingsShown.ts';
import { CallError } from '../../../engine/browser/call.ts';
import { fetchMore, fetchSearch, onSearchRequest, type SearchResult, expectSearch } from './searchCalls.ts';

/**
 * The path of a click: an intent becomes a search, its URL and its results. A
 * newer search aborts the older one; more results are requested once at a time
 * and aborted when a search begins.
 */
export function startSearchFlow(parts: SearchFlowParts): void {
  const session = createSearchSession(parts);
  const { bus, store, pressedLinks } = session;
  let current = new AbortController();
  onSearchRequest(session, (request) => {
    current.abort();
    current = new AbortController();
    search(session, request, current.signal);
  });
  bus
    .on('search.changeExpected')
    .subscribe(({ criteria }) => expectSearch(session, encodeUrl(criteria, EMPTY_SLUG_REFERENCE)));
  pressedLinks.subscribe((url) => expectSearch(session, url));
  /** Of the search whose further results are in flight. */
  let loading: AbortSignal | undefined;
  bus.on('search.moreRequested').subscribe(() => {
    const { signal } = current;
    if (store.getState().search.status !== 'ready' || loading === signal) return;
    loading = signal;
    void loadMore(session, signal).finally(() => {
      if (loading === signal) loading = undefined;
    });
  });
}

function search(session: SearchSession, request: SearchRequest, signal: AbortSignal): void {
  const requestId = session.nextRequestId();
  session.memory.remember(session.shownUrl, session.store.getState().search);
  showRequest(session, request, requestId);
  const { page, url } = request;
  if (page) return showResult(session, { request, requestId, result: { kind: 'page', page, url } });
  void fetchSearch(session, url, signal, {
    onResult: (result) => showResult(session, { request, requestId, result }),
    onError: (error) => showFailure(session, { request, requestId, error }),
  });
}

/** Shows the new search's controls and URL before its results are there. */
function showRequest(session: SearchSession, request: SearchRequest, requestId: string): void {
  const { store, urls } = session;
  const { criteria, url } = request;
  session.newest = request;
  urls.begin(request);
  const texts = expectedTexts(store.getState(), criteria);
  store.dispatch(searchStarted({ requestId, criteria, url, ...(texts && { texts }) }));
}

/** '1,234 Matches' */
export const matchesText = (count: number): string => formatCount(count, 'Match', 'Matches');

function showResult(
  session: SearchSession,
  { request, requestId, result }: { request: SearchRequest; requestId: string; result: SearchResult },
): void {
  const { store, bus, history, urls, announce, leave } = session;
  urls.flush();
  if (result.kind !== 'page') return leave(request.url);
  const { page, url } = result;
  store.dispatch(searchLoaded({ requestId, page }));
  session.shownUrl = url;
  urls.settle({ history: request.history, url, criteria: page.criteria });
  document.title = page.texts.title;
  const { totalResultCount } = page;
  bus.emit('search.completed', { requestId, totalResultCount }, 'shell');
  announce(matchesText(totalResultCount));
  if (request.scroll === 'keep') history.arrive('keep');
  else whenListingsShown(() => history.arrive(session.newest === request ? request.scroll : 'keep'));
}

function showFailure(
  { store, bus, history, urls, leave }: SearchSession,
  { request, requestId, error }: { request: SearchRequest; requestId: string; error: unknown },
): void {
  urls.flush();
  const { code, status } = error instanceof CallError ? error : { code: 'UNEXPECTED', status: 0 };
  // The document shows the error page.
  if (status === 404) return leave(request.url);
  const isInvalid = code === 'INVALID_PARAMETERS';
  store.dispatch(searchFailed({ requestId, status: isInvalid ? 'invalid' : 'failed' }));
  bus.emit('search.failed', { requestId, code }, 'shell');
  history.arrive('keep');
}

function loadMore(session: SearchSession, signal: AbortSignal): Promise<void> {
  const { store, bus, urls } = session;
  const requestId = session.nextRequestId();
  const loaded = store.getState().search.criteria;
  store.dispatch(moreStarted({ requestId }));
  return fetchMore(loaded, signal, {
    onResult({ page }) {
      store.dispatch(moreLoaded({ requestId, page }));
      const { criteria } = store.getState().search;
      // A reload or a shared link shows the page that was read last (B4-PAGING-08).
      session.newest = { url: page.url, criteria, history: 'replace', scroll: 'keep' };
      session.shownUrl = page.url;
      urls.settle(session.newest);
    },
    onError(error) {
      store.dispatch(moreFailed({ requestId }));
      // Logged but not shown (B8-ERR-09).
      bus.emit('problem.reported', { code: 'MORE_NOT_LOADED', message: String(error) }, 'shell');
    },
  });
}
