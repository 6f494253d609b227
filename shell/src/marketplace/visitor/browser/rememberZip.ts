import {
  type FilterParam,
  PLACE_PARAMS,
  type SearchCriteria,
  normalizeZip,
} from '@forecourt/search/criteria';
import { sessionChanged } from '@forecourt/search/state';
import type { EventBus } from '@forecourt/slots/events';
import type { SlotStore } from '@forecourt/slots/state';
import { ZIP_COOKIE } from '../universal/zipCookie.ts';

/** s; one year. */
const ZIP_COOKIE_SECONDS = 365 * 24 * 3600;

function writeZipCookie(zip: string | null): void {
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${ZIP_COOKIE}=${zip ?? ''}; Path=/; Max-Age=${zip ? ZIP_COOKIE_SECONDS : 0}; SameSite=Lax${secure}`;
}

const paramsOf = ({ filters }: SearchCriteria) => Object.keys(filters) as FilterParam[];

/** Clear Filters keeps the radius, also from a dialog that applies several changes at once. */
const isCleared = (before: SearchCriteria, after: SearchCriteria, cause: string): boolean =>
  cause === 'clearFilters' ||
  (paramsOf(after).join() === 'searchRadius' &&
    paramsOf(before).some((param) => !PLACE_PARAMS.includes(param)));

/** The stored ZIP after a change of the search; null removes it. */
function zipAfter(
  before: SearchCriteria,
  after: SearchCriteria,
  { cause, stored }: { readonly cause: string; readonly stored: string | null },
): string | null {
  const [oldZip, newZip] = [before, after].map(({ filters }) => normalizeZip(filters.zip?.[0]));
  if (newZip) return newZip === oldZip ? stored : newZip;
  if (!oldZip || after.filters.city || after.filters.state) return stored;
  // A remaining radius keeps the cleared ZIP as its center; emptying the ZIP field removes it.
  return isCleared(before, after, cause) && after.filters.searchRadius ? (stored ?? oldZip) : null;
}

/**
 * Stores the ZIP that a visitor chooses in a cookie, which the server uses as the
 * center of searches without a place. The ZIP of a followed link is
 * not stored. Must subscribe before the search flow, whose request sends the cookie.
 */
export function rememberZip(store: SlotStore, bus: EventBus): void {
  bus.on('search.changeRequested').subscribe(({ criteria, cause }) => {
    const { search, session } = store.getState();
    const visitorZip = zipAfter(search.criteria, criteria, { cause, stored: session.visitorZip });
    if (visitorZip === session.visitorZip) return;
    writeZipCookie(visitorZip);
    store.dispatch(sessionChanged({ visitorZip }));
  });
}
