import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { setValues, toggleValue } from '../search/criteriaChanges.ts';
import { valuesOf } from '@forecourt/shared-contracts/criteria';
import { useFilter, usePanelData } from '../search/panelData.tsx';
import { panelOptions, type PanelOption } from './panelOptions.ts';
import { useChosen, useEdit, useLaterChosen } from '../search/searchEdits.tsx';
import { OptionList } from './OptionList.tsx';
import { ChoiceRow, PlainRow } from './OptionRow.tsx';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { Button, Icon } from '@forecourt/shared-contracts/ui';
import styles from './FuelTypeSection.later.module.css';
import { type PanelSection } from './panelSections.ts';

/** Values that were chosen since the section is open: what the answer does not know must not vanish under a click. */
export function useOnceChosen(chosen: readonly string[]): readonly string[] {
  const [once, setOnce] = useState(chosen);
  if (chosen.every((value) => once.includes(value))) return once;
  const all = [...new Set([...once, ...chosen])];
  setOnce(all);
  return all;
}

/** The options of a section whose first parameter holds its values. */
export function useSectionOptions({ section }: PanelSection): readonly PanelOption[] {
  const { labelOf } = usePanelData();
  const filter = useFilter(section.name);
  const [param] = section.params;
  const listed = useOnceChosen(useLaterChosen(param));
  return useMemo(
    () => (param ? panelOptions(section, param, filter, listed, labelOf) : []),
    [section, param, filter, listed, labelOf],
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
      {...(panel.section.grouped && { headingOf: ownName })}
    />
  );
}

const ANY = { value: '', label: 'Any' };

/** One value of one parameter, or any. */
export function RadioSection({ panel }: { panel: PanelSection }): ReactNode {
  const edit = useEdit();
  const options = useSectionOptions(panel);
  const [param] = panel.section.params;
  const isAny = useChosen(param).length === 0;
  const choose = useCallback(
    (value: string) =>
      param && edit((newest) => setValues(newest, param, value === '' ? [] : [value]), `filter:${param}`),
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

/** On or absent, as one checkbox with the section's own label. */
export function BooleanSection({ panel }: { panel: PanelSection }): ReactNode {
  const edit = useEdit();
  const [option] = useFilter(panel.name)?.options ?? [];
  const [param] = panel.section.params;
  const isChosen = useChosen(param).length > 0;
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
      isOff={option?.count === 0}
      onChoose={() =>
        edit(
          (newest) => setValues(newest, param, valuesOf(newest, param).length > 0 ? [] : [value]),
          `filter:${param}`,
        )
      }
    />
  );
}

/** Fuels, and what tells the electric ones apart (B2-MODAL-10, AMB-089). */
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
