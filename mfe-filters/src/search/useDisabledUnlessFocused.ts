import { useRef, useLayoutEffect, useState } from 'react';

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
