import { useLayoutEffect, useRef, useState } from 'react';
import type { FilterParam } from '@forecourt/shared-contracts/criteria';
import type { PanelOption } from '../panel/panelOptions.ts';
import { useIsChosen } from '../search/searchEdits.tsx';

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

/** One value of a parameter as a control. What is chosen can always be taken out. */
export function useChoice(param: FilterParam, { value, isOff }: Pick<PanelOption, 'value' | 'isOff'>) {
  const isChosen = useIsChosen(param, value);
  return { isChosen, ...useOff(isOff && !isChosen) };
}
