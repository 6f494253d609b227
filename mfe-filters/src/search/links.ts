import { EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/search/criteria';
import { encodeUrl } from '@forecourt/search/url';

/** URL of a search with codes in its query; the server redirects it once to the normalized path. */
export const searchHref = (criteria: SearchCriteria): string => encodeUrl(criteria, EMPTY_SLUG_REFERENCE);
