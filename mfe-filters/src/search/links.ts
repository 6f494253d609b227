import type { MouseEvent } from 'react';
import { EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/search/criteria';
import { encodeUrl } from '@forecourt/search/url';

/** URL of a search with codes in its query; the server redirects it once to the normalized path. */
export const searchHref = (criteria: SearchCriteria): string => encodeUrl(criteria, EMPTY_SLUG_REFERENCE);

/** False for clicks that open a new tab or window or start a download. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
