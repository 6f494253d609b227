import { type MouseEvent, type ReactNode, createContext, useContext } from 'react';
import {
  EMPTY_SLUG_REFERENCE,
  type FilterParam,
  type SearchCriteria,
} from '@forecourt/shared-contracts/criteria';
import { encodeUrl, filterPairs } from '@forecourt/shared-contracts/url';

/** URL of a search with codes in its query; the server redirects it once to the normalized path. */
export const searchHref = (criteria: SearchCriteria): string => encodeUrl(criteria, EMPTY_SLUG_REFERENCE);

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
  const state = new URLSearchParams(searchHref({ ...rest, filters: {}, firstRecord: 0 }).split('?')[1] ?? '');
  return [...filterPairs(criteria.filters, own), ...state];
}

/** False for clicks that open a new tab or window or start a download. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Hidden fields of a GET form. */
export function HiddenFields({ fields }: { fields: ReturnType<typeof filterPairs> }): ReactNode {
  return fields.map(([name, value]) => (
    <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
  ));
}

const NoScriptContext = createContext(false);

/** True inside `NoScript`. Controls that need JavaScript render nothing there. */
export const useIsNoScript = (): boolean => useContext(NoScriptContext);

/**
 * Content for browsers without JavaScript. With JavaScript it costs no elements and no hydration. Nested uses render
 * their children directly, because `noscript` elements can't be nested.
 */
export function NoScript({ children }: { children: ReactNode }): ReactNode {
  const isInside = useIsNoScript();
  if (isInside) return children;
  return (
    <noscript>
      <NoScriptContext value={true}>{children}</NoScriptContext>
    </noscript>
  );
}
