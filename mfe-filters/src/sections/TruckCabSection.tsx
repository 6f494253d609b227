import { useState, type ReactNode } from 'react';
import { useFilter } from '../panel/panelData.tsx';
import { CAB_OPTIONS, cabCount, cabOf, type CabOption } from '../panel/truckCab.ts';
import { useChosen, useEdit } from '../search/searchEdits.tsx';
import { PlainRow } from './OptionRow.tsx';
import { setValues } from '../search/changes.ts';

const PARAM = 'bodyStyleSubtypeCode';

/** Truck cabs by their seats (B5-CAB-01, B5-CAB-02). */
export function TruckCabSection(): ReactNode {
  const edit = useEdit();
  const filter = useFilter(PARAM);
  const [picked, setPicked] = useState<string>();
  const chosen = cabOf(useChosen(PARAM), picked);
  const choose = (option: CabOption) => {
    setPicked(option.label);
    edit((newest) => setValues(newest, PARAM, option.codes), `filter:${PARAM}`);
  };
  return CAB_OPTIONS.map((option) => {
    const count = cabCount(option, filter);
    return (
      <PlainRow
        key={option.label}
        type="radio"
        name={PARAM}
        option={{ value: option.codes.join(','), label: option.label, ...(count !== undefined && { count }) }}
        isChosen={option === chosen}
        isOff={count === 0}
        onChoose={() => choose(option)}
      />
    );
  });
}
