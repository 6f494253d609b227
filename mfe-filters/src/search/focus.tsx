import { useRef, type ReactNode, useLayoutEffect, useState } from 'react';
import { Toast, type ToastContent } from '@forecourt/shared-contracts/ui';
const RESULTS_HEADING = 'results-heading';

/** Where the focus goes when what had it is gone. */
export function focusResults(): void {
  const heading = document.getElementById(RESULTS_HEADING);
  if (!heading) return;
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus();
}

/** Are the results begun above the screen? */
export function isPastResults(): boolean {
  const heading = document.getElementById(RESULTS_HEADING);
  return heading !== null && heading.getBoundingClientRect().bottom < 0;
}

/** A toast whose buttons, when they go under the focus, hand it to the results. */
export function FocusKeepingToast(props: { toast: ToastContent | null; onGone: () => void }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place}>
      <Toast
        toast={props.toast}
        onGone={() => {
          if (place.current?.contains(document.activeElement)) focusResults();
          props.onGone();
        }}
      />
    </div>
  );
}

/**
 * A control that an answer may leave without results. While it has the focus it
 * stays usable, because a disabled control would lose the focus to the page.
 */
export function useOff(isOff: boolean) {
  const ref = useRef<HTMLInputElement>(null);
  const [isLeft, setIsLeft] = useState(isOff);
  if (!isOff && isLeft) setIsLeft(false);
  useLayoutEffect(() => {
    if (isOff) setIsLeft(document.activeElement !== ref.current);
  }, [isOff]);
  return { isDisabled: isOff && isLeft, input: { ref, onBlur: () => isOff && setIsLeft(true) } };
}
