import { normalizeUrl } from '@forecourt/shared-contracts/url';
import type { SearchCriteria, SlugReference } from '@forecourt/shared-contracts/criteria';
import { safeReturnUrl, HOME } from '../../accounts/returnUrl.ts';

/** Parameter that carries the search from one vehicle to the next. */
export const SEARCH_PARAM = 'search';

export interface SearchBefore {
  /** Normalised path and query. */
  readonly url: string;
  readonly criteria: SearchCriteria;
}

/**
 * The search from which a visitor came: the page's own parameter, else the page
 * before it. Undefined when neither is a search of this site. `origin` is the
 * visitor's.
 */
export function searchBefore(
  from: { readonly parameter: string | null; readonly referrer: string | undefined },
  origin: string,
  reference: SlugReference,
): SearchBefore | undefined {
  for (const given of [from.parameter, from.referrer]) {
    if (!given) continue;
    const url = safeReturnUrl(given, origin);
    // What is not ours has become the results without any filter; only who asked for those means them.
    if (url === HOME && !given.endsWith(HOME)) continue;
    const normalised = normalizeUrl(url, reference);
    if (normalised.kind !== 'search') continue;
    return { url: normalised.canonicalUrl, criteria: normalised.criteria };
  }
  return undefined;
}
