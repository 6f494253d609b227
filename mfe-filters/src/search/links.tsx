import {
  type MouseEvent,
  type ReactNode,
  createContext,
  useContext,
  useRef,
  useLayoutEffect,
  useState,
} from 'react';
import {
  EMPTY_SLUG_REFERENCE,
  type FilterParam,
  type SearchCriteria,
} from '@forecourt/shared-contracts/criteria';
import { encodeUrl, filterPairs } from '@forecourt/shared-contracts/url';
import { Toast, type ToastContent } from '@forecourt/shared-contracts/ui';

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
  const state = new URLSearchParams(searchHref({ ...rest, filters: {}, firstRecord: 0 }).split('?')[1]);
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

const RESULTS_HEADING = 'results-heading';

/** Moves the focus to the results heading, for when the focused control goes away. */
export function focusResults(): void {
  const heading = document.getElementById(RESULTS_HEADING);
  if (!heading) return;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus();
}

/** True if the results heading is above the viewport. */
export function isPastResults(): boolean {
  const heading = document.getElementById(RESULTS_HEADING);
  return heading !== null && heading.getBoundingClientRect().bottom < 0;
}

/** A toast that moves the focus to the results when it closes while one of its buttons is focused. */
export function FocusKeepingToast(props: { toast: ToastContent | null; onGone: () => void }): ReactNode {
  const ref = useRef<HTMLDivElement>(null);
  return (
    <div ref={ref}>
      <Toast
        toast={props.toast}
        onGone={() => {
          if (ref.current?.contains(document.activeElement)) focusResults();
          props.onGone();
        }}
      />
    </div>
  );
}

/** Disables a control without results, but not while it is focused: disabling it would move the focus to the page. */
export function useDisabledUnlessFocused(isUnavailable: boolean) {
  const ref = useRef<HTMLInputElement>(null);
  const [hasLostFocus, setHasLostFocus] = useState(isUnavailable);
  if (!isUnavailable && hasLostFocus) setHasLostFocus(false);
  useLayoutEffect(() => {
    if (isUnavailable) setHasLostFocus(document.activeElement !== ref.current);
  }, [isUnavailable]);
  return {
    isDisabled: isUnavailable && hasLostFocus,
    input: { ref, onBlur: () => isUnavailable && setHasLostFocus(true) },
  };
}
