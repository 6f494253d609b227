import { BRANDS } from '@forecourt/search/brands';
import type { SessionState } from '@forecourt/search/state';

/** More than this many have no room in the header. */
const MAX_SHOWN = 99;

/**
 * The number at the header's link to what is saved: of vehicles, on the manufacturer brand of the account's searches
 * (AMB-202). Empty for none, and for shared pages, whose visitor only the browser knows.
 */
export function savedCount({
  brand,
  signedIn,
  savedListingIds = [],
  savedSearchCount = 0,
}: Pick<SessionState, 'brand' | 'signedIn'> &
  Partial<Pick<SessionState, 'savedListingIds' | 'savedSearchCount'>>): string {
  const areSearches = BRANDS[brand].hasCertifiedProgram && signedIn;
  const count = areSearches ? savedSearchCount : savedListingIds.length;
  if (count === 0) return '';
  return count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count);
}
