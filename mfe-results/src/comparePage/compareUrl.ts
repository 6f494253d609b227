import { COMPARE_CAPACITY } from '@forecourt/shared-contracts/rules';

export const COMPARE_PATH = '/cars-for-sale/compare';
const LISTING_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Link to the comparison of these listings, at most five. */
export function compareUrl(ids: readonly string[]): string {
  const compared = ids.slice(0, COMPARE_CAPACITY);
  return compared.length === 0
    ? COMPARE_PATH
    : `${COMPARE_PATH}?listingIds=${compared.map(encodeURIComponent).join(',')}`;
}

/** The listing ids of a comparison's query: valid, distinct, at most five (A9-LIMIT-02). */
export function comparedIds(query: URLSearchParams): string[] {
  const ids = query.getAll('listingIds').flatMap((text) => text.split(','));
  return [...new Set(ids.map((id) => id.trim()))]
    .filter((id) => LISTING_ID.test(id))
    .slice(0, COMPARE_CAPACITY);
}
