import {
  EMPTY_SLUG_REFERENCE,
  type FilterParam,
  type SearchCriteria,
} from '@forecourt/shared-contracts/criteria';
import { encodeUrl, filterPairs } from '@forecourt/shared-contracts/url';
import type { MouseEvent, ReactNode } from 'react';
/**
 * Link to a search, for those without JavaScript. Codes stand in the query;
 * the server redirects once to the normal form.
 */
export const searchHref = (criteria: SearchCriteria): string => encodeUrl(criteria, EMPTY_SLUG_REFERENCE);

/**
 * Fields which a GET form carries along beside its own controls. The category
 * is left out: its filter values are in the form, and a category would put
 * back a value that the shopper takes out.
 */
export function carriedFields(
  criteria: SearchCriteria,
  own: ReadonlySet<FilterParam>,
): ReturnType<typeof filterPairs> {
  const { categorySearch: _, expiredListing: __, defaultScreen: ___, refUrl: ____, ...rest } = criteria;
  const state = new URLSearchParams(searchHref({ ...rest, filters: {}, firstRecord: 0 }).split('?')[1] ?? '');
  return [...filterPairs(criteria.filters, own), ...state];
}

/** Does a click on a link ask for this page? With a modifier the browser opens a tab, a window or a download. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** What a GET form says beside its visible controls. */
export function HiddenFields({ fields }: { fields: ReturnType<typeof filterPairs> }): ReactNode {
  return fields.map(([name, value]) => (
    <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
  ));
}
