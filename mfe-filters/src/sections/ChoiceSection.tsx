import { useCallback, useMemo, type ReactNode } from 'react';
import { setValues, toggleValue, valuesOf } from '@forecourt/shared-contracts/search';
import { useFilter, usePanelData } from '../panel/panelData.tsx';
import { panelOptions, type PanelOption } from '../panel/panelOptions.ts';
import type { PanelSection } from '../panel/sectionRules.ts';
import { useChosen, useSearchEdits } from '../search/searchEdits.tsx';
import { OptionList } from './OptionList.tsx';
import { OptionRow } from './OptionRow.tsx';

/** The options of a section whose first parameter holds its values. */
export function useSectionOptions({ section }: PanelSection): readonly PanelOption[] {
  const { labelOf } = usePanelData();
  const filter = useFilter(section.name);
  const [param] = section.params;
  const chosen = useChosen(param);
  return useMemo(
    () => (param ? panelOptions(section, param, filter, chosen, labelOf) : []),
    [section, param, filter, chosen, labelOf],
  );
}

/** Groups of features are named as they are. */
const ownName = (group: string) => group;

/** Several values of one parameter; features stand under the headings of their groups (A3-FILTER-27). */
export function CheckboxSection(props: {
  panel: PanelSection;
  pictureOf?: (option: PanelOption) => ReactNode;
}): ReactNode {
  const { panel, pictureOf } = props;
  const { edit } = useSearchEdits();
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
      {...(panel.section.grouped && { headingOf: ownName })}
    />
  );
}

/** One value of one parameter, or any. */
export function RadioSection({ panel }: { panel: PanelSection }): ReactNode {
  const { edit } = useSearchEdits();
  const options = useSectionOptions(panel);
  const [param] = panel.section.params;
  const chosen = useChosen(param);
  const choose = useCallback(
    (value: string) =>
      param && edit((newest) => setValues(newest, param, value === '' ? [] : [value]), `filter:${param}`),
    [edit, param],
  );
  if (!param) return null;
  return (
    <>
      <OptionRow
        type="radio"
        name={param}
        value=""
        label="Any"
        isChosen={chosen.length === 0}
        isDisabled={false}
        onChoose={choose}
      />
      {options.map((option) => (
        <OptionRow
          key={option.value}
          type="radio"
          name={param}
          value={option.value}
          label={option.label}
          count={option.count}
          isChosen={option.isChosen}
          isDisabled={option.isDisabled}
          moreInfo={option.moreInfo}
          onChoose={choose}
        />
      ))}
    </>
  );
}

/** On or absent, as one checkbox with the section's own label. */
export function BooleanSection({ panel }: { panel: PanelSection }): ReactNode {
  const { edit } = useSearchEdits();
  const [option] = useFilter(panel.name)?.options ?? [];
  const [param] = panel.section.params;
  const isChosen = useChosen(param).length > 0;
  if (!param) return null;
  const value = option?.value ?? 'true';
  return (
    <OptionRow
      type="checkbox"
      name={param}
      value={value}
      label={panel.section.label}
      count={option?.count}
      isChosen={isChosen}
      isDisabled={!isChosen && option?.count === 0}
      onChoose={() =>
        edit(
          (newest) => setValues(newest, param, valuesOf(newest, param).length > 0 ? [] : [value]),
          `filter:${param}`,
        )
      }
    />
  );
}
