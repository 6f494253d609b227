import { EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { moreLoaded, SearchLoaded, SearchState } from '@forecourt/shared-contracts/store';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import { fetchJson, PermanentError } from '../../../engine/browser/call.ts';
import type { SearchRequest, SearchSession } from './searchSession.ts';

/** Everything that starts a search: a changed filter, a retry, Back and Forward, and a followed link. */
export function onSearchRequest(session: SearchSession, start: (request: SearchRequest) => void): void {
  const { store, bus, history, links, memory } = session;
  bus.on('search.changeRequested').subscribe(({ criteria, history: mode }) => {
    const url = encodeUrl(criteria, EMPTY_SLUG_REFERENCE);
    start({ url, criteria, history: mode, scroll: 'keep' });
  });
  bus.on('search.retryRequested').subscribe(() => start({ ...session.newest, history: 'none' }));
  history.visits.subscribe((visit) =>
    start({ ...visit, history: 'none', scroll: visit.scrollY, page: memory.recall(visit.url) }),
  );
  // Only the server can parse a link's path: controls are updated with the response.
  links.subscribe((url) => {
    const { criteria } = store.getState().search;
    start({ url, criteria, history: 'push', scroll: 'results' });
  });
}

/** Result of the shell's search call; anything but a page must be visited as a document. */
export type SearchResult =
  | { readonly kind: 'page'; readonly page: SearchLoaded; readonly url: string }
  | { readonly kind: 'document' };

type MoreResult = Pick<Parameters<typeof moreLoaded>[0], 'page'>;

interface Receiver<T> {
  readonly onResult: (result: T) => void;
  readonly onError: (error: unknown) => void;
}

/** Waits for one response. After an abort the receiver is not called. */
async function receive<T>(
  response: Promise<T>,
  signal: AbortSignal,
  { onResult, onError }: Receiver<T>,
): Promise<void> {
  const ifWanted =
    <V>(handle: (value: V) => void) =>
    (value: V) => {
      if (!signal.aborted) handle(value);
    };
  await response.then(ifWanted(onResult), ifWanted(onError));
}

const pathOf = (call: 'search' | 'search/more', url: string): string =>
  `/cars-for-sale/api/${call}?url=${encodeURIComponent(url)}`;

/** The search of the page's URL as it is now. */
export async function loadShownSearch(): Promise<SearchState> {
  const result = await fetchJson<SearchResult>(pathOf('search', location.pathname + location.search));
  if (result.kind !== 'page') throw new PermanentError('the URL of the page is no search');
  return { ...result.page, status: 'ready', requestId: '' };
}

/** Requests an expected search: a control is pressed, or a draft's count is shown. */
export const expectSearch = ({ prefetch }: Pick<SearchSession, 'prefetch'>, url: string): void =>
  prefetch.start(pathOf('search', url));

export function fetchSearch(
  { prefetch }: Pick<SearchSession, 'prefetch'>,
  url: string,
  signal: AbortSignal,
  receiver: Receiver<SearchResult>,
): Promise<void> {
  const path = pathOf('search', url);
  return receive(
    prefetch.take<SearchResult>(path) ?? fetchJson<SearchResult>(path, { signal }),
    signal,
    receiver,
  );
}

/** Fetches the listings after the loaded ones. */
export function fetchMore(
  loaded: SearchCriteria,
  signal: AbortSignal,
  receiver: Receiver<MoreResult>,
): Promise<void> {
  const next = { ...loaded, firstRecord: loaded.firstRecord + loaded.numRecords };
  const path = pathOf('search/more', encodeUrl(next, EMPTY_SLUG_REFERENCE));
  return receive(fetchJson<MoreResult>(path, { signal }), signal, receiver);
}
