import { recognizeUrlShape } from '@forecourt/shared-contracts/url';
import type { SearchState } from '@forecourt/shared-contracts/store';

/** Kept out of the index, its links followed. */
const NOT_INDEXED = 'noindex, follow';

/** Filters that a page may have and be more than one of countless combinations. */
const MAX_OTHER_FILTERS = 2;

/**
 * What search engines may do with a results page; undefined = everything.
 * Pages of a recognised shape and those of at most two filters are listed
 * under their canonical link. Kept out: pages without vehicles, a sponsor's or
 * a gone vehicle's, and deeper combinations, which would be without number.
 */
export function robotsOf({ criteria, totalResultCount }: SearchState): string | undefined {
  const { filters, isSponsorship, showcaseOwnerId, expiredListing } = criteria;
  if (totalResultCount === 0 || isSponsorship || showcaseOwnerId || expiredListing) return NOT_INDEXED;
  const shape = recognizeUrlShape(filters);
  const params = Object.keys(filters).filter(
    (name) => !['zip', 'searchRadius', 'marketExtension'].includes(name),
  );
  // Make and model with several extras is 'make+model' too (AMB-047): its extras count.
  if (shape && shape !== 'make+model') return undefined;
  const extras = params.filter((name) => name !== 'makeCode' && name !== 'modelCode');
  const counted = shape === 'make+model' ? extras : params;
  return counted.length <= MAX_OTHER_FILTERS ? undefined : NOT_INDEXED;
}
