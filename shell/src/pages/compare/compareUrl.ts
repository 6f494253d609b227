import { COMPARE_CAPACITY } from '@forecourt/shared-contracts/rules';

export const COMPARE_PATH = '/cars-for-sale/compare';
const LISTING_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Link to the comparison of these listings, at most five. */
export function compareUrl(ids: readonly string[]): string {
  const chosen = ids.slice(0, COMPARE_CAPACITY);
  return chosen.length === 0
    ? COMPARE_PATH
    : `${COMPARE_PATH}?listingIds=${chosen.map(encodeURIComponent).join(',')}`;
}

/** The listings that a comparison is about: at most five, each once, whatever else stands there left out (A9-LIMIT-02). */
export function comparedIds(query: URLSearchParams): string[] {
  const given = query.getAll('listingIds').flatMap((text) => text.split(','));
  return [...new Set(given.map((id) => id.trim()))]
    .filter((id) => LISTING_ID.test(id))
    .slice(0, COMPARE_CAPACITY);
}
