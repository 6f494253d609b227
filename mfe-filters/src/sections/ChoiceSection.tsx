import type { ReactNode } from 'react';
import { setValues, toggleValue, valuesOf } from '@forecourt/shared-contracts/search';
import { useFilter, usePanelData } from '../panel/panelData.tsx';
import { panelOptions, type PanelOption } from '../panel/panelOptions.ts';
import type { PanelSection } from '../panel/sectionRules.ts';
import { useSearchEdits } from '../search/searchEdits.tsx';
import { OptionList } from './OptionList.tsx';
import { OptionRow } from './OptionRow.tsx';

/** The options of a section whose first parameter holds its values. */
export function useSectionOptions({ section }: PanelSection): readonly PanelOption[] {
  const { labelOf } = usePanelData();
  const { criteria } = useSearchEdits();
  const filter = useFilter(section.name);
  const [param] = section.params;
  return param ? panelOptions(section, param, filter, criteria, labelOf) : [];
}

/** Several values of one parameter; features stand under the headings of their groups (A3-FILTER-27). */
export function CheckboxSection(props: {
  panel: PanelSection;
  pictureOf?: (option: PanelOption) => ReactNode;
}): ReactNode {
  const { panel, pictureOf } = props;
  const { edit } = useSearchEdits();
  const options = useSectionOptions(panel);
  const [param] = panel.section.params;
  if (!param) return null;
  return (
    <OptionList
      label={panel.label}
      param={param}
      options={options}
      onToggle={(value) => edit((criteria) => toggleValue(criteria, param, value), `filter:${param}`)}
      {...(pictureOf && { pictureOf })}
      {...(panel.section.grouped && { headingOf: (group: string) => group })}
    />
  );
}

/** One value of one parameter, or any. */
export function RadioSection({ panel }: { panel: PanelSection }): ReactNode {
  const { criteria, edit } = useSearchEdits();
  const options = useSectionOptions(panel);
  const [param] = panel.section.params;
  if (!param) return null;
  const choose = (values: readonly string[]) =>
    edit((newest) => setValues(newest, param, values), `filter:${param}`);
  return (
    <>
      <OptionRow
        type="radio"
        name={param}
        value=""
        label="Any"
        isChosen={valuesOf(criteria, param).length === 0}
        isDisabled={false}
        onChange={() => choose([])}
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
          onChange={() => choose([option.value])}
        />
      ))}
    </>
  );
}

/** On or absent, as one checkbox with the section's own label. */
export function BooleanSection({ panel }: { panel: PanelSection }): ReactNode {
  const { criteria, edit } = useSearchEdits();
  const [option] = useFilter(panel.name)?.options ?? [];
  const [param] = panel.section.params;
  if (!param) return null;
  const value = option?.value ?? 'true';
  const isChosen = valuesOf(criteria, param).length > 0;
  return (
    <OptionRow
      type="checkbox"
      name={param}
      value={value}
      label={panel.section.label}
      count={option?.count}
      isChosen={isChosen}
      isDisabled={!isChosen && option?.count === 0}
      onChange={() =>
        edit(
          (newest) => setValues(newest, param, valuesOf(newest, param).length > 0 ? [] : [value]),
          `filter:${param}`,
        )
      }
    />
  );
}
