import { useCallback, type ReactNode } from 'react';
import { setValues } from '../search/criteriaChanges.ts';
import type { PanelSection } from './panelSections.ts';
import { useSelectedValues, useEdit } from '../search/searchEdits.tsx';
import { type ChangeTo, ChoiceRow, PlainRow } from './OptionRow.tsx';
import { useSectionOptions } from './useSectionOptions.ts';

const ANY = { value: '', label: 'Any' };

/** One value of one parameter, or 'Any'. */
export function RadioSection({ panel }: { panel: PanelSection }): ReactNode {
  const edit = useEdit();
  const options = useSectionOptions(panel);
  const [param] = panel.section.params;
  const isAny = useSelectedValues(param).length === 0;
  const choose = useCallback<ChangeTo>(
    (value) => (current) => (param ? setValues(current, param, [value]) : current),
    [param],
  );
  if (!param) return null;
  return (
    <>
      <PlainRow
        type="radio"
        name={param}
        option={ANY}
        isChosen={isAny}
        onChoose={() => edit((current) => setValues(current, param, []), `filter:${param}`)}
      />
      {options.map((option) => (
        <ChoiceRow key={option.value} type="radio" param={param} option={option} changeTo={choose} />
      ))}
    </>
  );
}
