import { useCallback, type ReactNode } from 'react';
import { toggleValue } from '../search/criteriaChanges.ts';
import type { PanelOption, PanelSection } from './panelSections.ts';
import { useEdit } from '../search/searchEdits.tsx';
import { OptionList } from './OptionList.tsx';
import { useSectionOptions } from './useSectionOptions.ts';

const groupName = (group: string) => group;

/** Multiple values of one parameter, under group headings where the catalog says so. */
export function CheckboxSection(props: {
  panel: PanelSection;
  pictureOf?: (option: PanelOption) => ReactNode;
}): ReactNode {
  const { panel, pictureOf } = props;
  const edit = useEdit();
  const options = useSectionOptions(panel);
  const [param] = panel.section.params;
  const toggle = useCallback(
    (value: string) => param && edit((criteria) => toggleValue(criteria, param, value), `filter:${param}`),
    [edit, param],
  );
  if (!param) return null;
  return (
    <OptionList
      label={panel.label}
      param={param}
      options={options}
      onToggle={toggle}
      {...(pictureOf && { pictureOf })}
      {...(panel.section.grouped && { headingOf: groupName })}
    />
  );
}
