import { EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { encodeUrl } from '@forecourt/shared-contracts/url';
import { map, merge, type Observable } from 'rxjs';
import type { SearchRequest, SearchSession } from './searchSession.ts';

/** Everything that starts a search: a changed filter, a retry, Back and Forward, and a followed link. */
export function searchRequests(session: SearchSession): Observable<SearchRequest> {
  const { store, bus, history, links } = session;
  const changes = bus.on('search.changeRequested').pipe(
    map(({ criteria, history: mode }: { criteria: SearchCriteria; history: 'push' | 'replace' }) => ({
      url: encodeUrl(criteria, EMPTY_SLUG_REFERENCE),
      criteria,
      history: mode,
      scroll: 'keep' as const,
    })),
  );
  const retries = bus
    .on('search.retryRequested')
    .pipe(map(() => ({ ...session.newest, history: 'none' as const })));
  const visits = history.visits.pipe(
    map((visit) => ({ ...visit, history: 'none' as const, scroll: visit.scrollY })),
  );
  // Only the server can parse a link's path: controls are updated with the response.
  const followedLinks = links.pipe(
    map((url) => {
      const { criteria } = store.getState().search;
      return { url, criteria, history: 'push' as const, scroll: 'results' as const };
    }),
  );
  return merge(changes, retries, visits, followedLinks);
}
