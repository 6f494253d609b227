import type { EventBus } from '@forecourt/shared-contracts/events';
import { normalizeZip, type FilterParam, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { sessionChanged, type AppStore } from '@forecourt/shared-contracts/store';
import { ZIP_COOKIE } from '../both/zipCookie.ts';

/** s; a year, as the browser's id. */
const KEPT_SECONDS = 365 * 24 * 3600;

function write(zip: string | null): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${ZIP_COOKIE}=${zip ?? ''}; Path=/; Max-Age=${zip ? KEPT_SECONDS : 0}; SameSite=Lax${secure}`;
}

const PLACE: readonly FilterParam[] = ['zip', 'searchRadius', 'city', 'state'];
const paramsOf = ({ filters }: SearchCriteria) => Object.keys(filters) as FilterParam[];

/** Clear Filters leaves the radius alone, also from a dialog where it was one of several changes. */
const isCleared = (before: SearchCriteria, after: SearchCriteria, cause: string): boolean =>
  cause === 'clearFilters' ||
  (paramsOf(after).join() === 'searchRadius' && paramsOf(before).some((param) => !PLACE.includes(param)));

/** The ZIP to keep after a change of the search; null forgets it. */
function zipAfter(
  before: SearchCriteria,
  after: SearchCriteria,
  { cause, kept }: { readonly cause: string; readonly kept: string | null },
): string | null {
  const [had, has] = [before, after].map(({ filters }) => normalizeZip(filters.zip?.[0]));
  if (has) return has === had ? kept : has;
  if (!had || after.filters.city || after.filters.state) return kept;
  // A radius that is left has the cleared ZIP as its centre; who empties the ZIP wants none.
  return isCleared(before, after, cause) && after.filters.searchRadius ? (kept ?? had) : null;
}

/**
 * Keeps the ZIP that a visitor chooses, in the cookie of which the server makes
 * the centre of a search without a place (AMB-031). The ZIP of a link that was
 * followed is not the visitor's. Comes before the search itself, which is sent
 * with the cookie.
 */
export function rememberZip(store: AppStore, bus: EventBus): void {
  bus.on('search.changeRequested').subscribe(({ criteria, cause }) => {
    const { search, session } = store.getState();
    const visitorZip = zipAfter(search.criteria, criteria, { cause, kept: session.visitorZip });
    if (visitorZip === session.visitorZip) return;
    write(visitorZip);
    store.dispatch(sessionChanged({ visitorZip }));
  });
}
