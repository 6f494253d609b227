import type { ReactNode } from 'react';
import type { FilterParam, SearchCriteria } from '@forecourt/search/criteria';
import { filterPairs } from '@forecourt/search/url';
import { searchHref } from './links.ts';

/**
 * Hidden fields of a GET form whose visible controls cover the parameters `own`. Excludes the category: its values are
 * in the form already, and sending it would restore values that the shopper removed.
 */
export function carriedFields(
  criteria: SearchCriteria,
  own: ReadonlySet<FilterParam>,
): ReturnType<typeof filterPairs> {
  const { categorySearch: _, expiredListing: __, defaultScreen: ___, refUrl: ____, ...others } = criteria;
  const { openSection: _____, ...rest } = others;
  const state = new URLSearchParams(searchHref({ ...rest, filters: {}, firstRecord: 0 }).split('?')[1]);
  return [...filterPairs(criteria.filters, own), ...state];
}

/** Hidden fields of a GET form. */
export function HiddenFields({ fields }: { fields: ReturnType<typeof filterPairs> }): ReactNode {
  return fields.map(([name, value]) => (
    <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
  ));
}
