import { useState } from 'react';
import type { FilterParam } from '@forecourt/shared-contracts/search';
import type { PanelOption } from '../panel/panelOptions.ts';
import { useIsChosen } from '../search/searchEdits.tsx';

/** What a control may still do with an option. A focused one stays usable: taking it away would lose the focus. */
export function useOff(isOff: boolean) {
  const [hasFocus, setHasFocus] = useState(false);
  return {
    isDisabled: isOff && !hasFocus,
    focusProps: { onFocus: () => setHasFocus(true), onBlur: () => setHasFocus(false) },
  };
}

/** One value of a parameter as a control. What is chosen can always be taken out. */
export function useChoice(param: FilterParam, { value, isOff }: Pick<PanelOption, 'value' | 'isOff'>) {
  const isChosen = useIsChosen(param, value);
  return { isChosen, ...useOff(isOff && !isChosen) };
}
