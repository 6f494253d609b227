import { BRANDS } from '@forecourt/search/brands';
import type { SessionState } from '@forecourt/search/state';

/** The header's link to what is saved; on the manufacturer brand with the number of saved searches (AMB-202). */
export function savedText({
  brand,
  signedIn,
  savedSearchCount = 0,
}: Pick<SessionState, 'brand' | 'signedIn'> & Partial<Pick<SessionState, 'savedSearchCount'>>): string {
  const isCounted = BRANDS[brand].hasCertifiedProgram && signedIn && savedSearchCount > 0;
  return isCounted ? `Saved · ${savedSearchCount}` : 'Saved';
}
