import { useRef, type ReactNode, useLayoutEffect, useState } from 'react';
import { Toast, type ToastContent } from '@forecourt/shared-contracts/ui';

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
