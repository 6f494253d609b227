import { useMemo, useState } from 'react';
import { useFilter, usePanelData } from '../search/panelData.tsx';
import { panelOptions, type PanelOption, type PanelSection } from './panelSections.ts';
import { useDeferredSelectedValues } from '../search/searchEdits.tsx';

/** All values selected since mounting. Keeps an unlisted option from disappearing when it is deselected. */
export function useEverSelected(selected: readonly string[]): readonly string[] {
  const [once, setOnce] = useState(selected);
  if (selected.every((value) => once.includes(value))) return once;
  const all = [...new Set([...once, ...selected])];
  setOnce(all);
  return all;
}

/** The options of a section that has one parameter. */
export function useSectionOptions({ section }: PanelSection): readonly PanelOption[] {
  const { labelOf } = usePanelData();
  const filter = useFilter(section.name);
  const [param] = section.params;
  const selectedValues = useEverSelected(useDeferredSelectedValues(param));
  return useMemo(
    () => (param ? panelOptions(section, param, filter, selectedValues, labelOf) : []),
    [section, param, filter, selectedValues, labelOf],
  );
}
