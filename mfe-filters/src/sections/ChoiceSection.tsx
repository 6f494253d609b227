import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { setValues, toggleValue } from '../search/criteriaChanges.ts';
import { valuesOf } from '@forecourt/shared-contracts/criteria';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { Button, Icon } from '@forecourt/shared-contracts/ui';
import { useFilter, usePanelData } from '../search/panelData.tsx';
import { panelOptions, type PanelOption, type PanelSection } from './panelSections.ts';
import { useSelectedValues, useEdit, useDeferredSelectedValues } from '../search/searchEdits.tsx';
import { OptionList } from './OptionList.tsx';
import { ChoiceRow, PlainRow } from './OptionRow.tsx';
import styles from './FuelTypeSection.module.css';

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

const groupName = (group: string) => group;

/** Multiple values of one parameter, under group headings where the catalog says so (A3-FILTER-27). */
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

const ANY = { value: '', label: 'Any' };

/** One value of one parameter, or 'Any'. */
export function RadioSection({ panel }: { panel: PanelSection }): ReactNode {
  const edit = useEdit();
  const options = useSectionOptions(panel);
  const [param] = panel.section.params;
  const isAny = useSelectedValues(param).length === 0;
  const choose = useCallback(
    (value: string) =>
      param && edit((current) => setValues(current, param, value === '' ? [] : [value]), `filter:${param}`),
    [edit, param],
  );
  if (!param) return null;
  return (
    <>
      <PlainRow type="radio" name={param} option={ANY} isChosen={isAny} onChoose={() => choose('')} />
      {options.map((option) => (
        <ChoiceRow key={option.value} type="radio" param={param} option={option} onChoose={choose} />
      ))}
    </>
  );
}

/** A single checkbox with the section's label. */
export function BooleanSection({ panel }: { panel: PanelSection }): ReactNode {
  const edit = useEdit();
  const [option] = useFilter(panel.name)?.options ?? [];
  const [param] = panel.section.params;
  const isChosen = useSelectedValues(param).length > 0;
  if (!param) return null;
  const value = option?.value ?? 'true';
  return (
    <PlainRow
      type="checkbox"
      name={param}
      option={{
        value,
        label: panel.section.label,
        ...(option?.count !== undefined && { count: option.count }),
      }}
      isChosen={isChosen}
      isUnavailable={option?.count === 0}
      onChoose={() =>
        edit(
          (current) => setValues(current, param, valuesOf(current, param).length > 0 ? [] : [value]),
          `filter:${param}`,
        )
      }
    />
  );
}

/** Fuels, and a dialog that explains electric vehicle types (B2-MODAL-10, AMB-089). */
export function FuelTypeSection({ panel }: { panel: PanelSection }): ReactNode {
  const emit = useEmit();
  return (
    <>
      <CheckboxSection panel={panel} />
      <Button
        look="quiet"
        className={styles['about']}
        aria-haspopup="dialog"
        onClick={() => emit('dialog.requested', { name: 'electricVehicles' })}
      >
        <Icon name="info" size={18} />
        Electric vehicle types
      </Button>
    </>
  );
}
