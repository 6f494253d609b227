import { useState, type ReactNode } from 'react';
import { setValues, valuesOf } from '@forecourt/shared-contracts/search';
import { useFilter } from '../panel/panelData.tsx';
import { CAB_OPTIONS, cabCount, cabOf, type CabOption } from '../panel/truckCab.ts';
import { useSearchEdits } from '../search/searchEdits.tsx';
import { OptionRow } from './OptionRow.tsx';

const PARAM = 'bodyStyleSubtypeCode';

/** Truck cabs by their seats (B5-CAB-01, B5-CAB-02). */
export function TruckCabSection(): ReactNode {
  const { criteria, edit } = useSearchEdits();
  const filter = useFilter(PARAM);
  const [picked, setPicked] = useState<string>();
  const chosen = cabOf(valuesOf(criteria, PARAM), picked);
  const choose = (option: CabOption) => {
    setPicked(option.label);
    edit((newest) => setValues(newest, PARAM, option.codes), `filter:${PARAM}`);
  };
  return CAB_OPTIONS.map((option) => {
    const count = cabCount(option, filter);
    return (
      <OptionRow
        key={option.label}
        type="radio"
        name={PARAM}
        value={option.codes.join(',')}
        label={option.label}
        count={count}
        isChosen={option === chosen}
        isDisabled={option !== chosen && count === 0}
        onChoose={() => choose(option)}
      />
    );
  });
}
