import { useCallback, type ReactNode } from 'react';
import { toggleValue } from '../search/criteriaChanges.ts';
import type { PanelOption, PanelSection } from './panelSections.ts';
import { OptionList } from './OptionList.tsx';
import type { ChangeTo } from './OptionRow.tsx';
import { useSectionOptions } from './useSectionOptions.ts';

const groupName = (group: string) => group;

/** Multiple values of one parameter, under group headings where the catalog says so. */
export function CheckboxSection(props: {
  panel: PanelSection;
  pictureOf?: (option: PanelOption) => ReactNode;
}): ReactNode {
  const { panel, pictureOf } = props;
  const options = useSectionOptions(panel);
  const [param] = panel.section.params;
  const toggle = useCallback<ChangeTo>(
    (value) => (current) => (param ? toggleValue(current, param, value) : current),
    [param],
  );
  if (!param) return null;
  return (
    <OptionList
      label={panel.label}
      param={param}
      options={options}
      changeTo={toggle}
      {...(pictureOf && { pictureOf })}
      {...(panel.section.grouped && { headingOf: groupName })}
    />
  );
}
