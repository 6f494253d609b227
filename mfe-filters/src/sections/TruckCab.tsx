import type { Filter } from '@forecourt/shared-contracts/entities';
import { useState, type ReactNode } from 'react';
import { setValues } from '../search/criteriaChanges.ts';
import { useFilter } from '../search/panelData.tsx';
import { useChosen, useEdit } from '../search/searchEdits.tsx';
import { PlainRow } from './OptionRow.tsx';
export interface CabOption {
  readonly label: string;
  /** Codes of bodyStyleSubtypeCode; none = any cab. */
  readonly codes: readonly string[];
}

const CREW_CABS = ['CREWCAB', 'CREWMAX'];

/** Seats of a truck's cab, in order; 5 and 6 mean the same cabs (B5-CAB-01, B5-CAB-02, AMB-078). */
export const CAB_OPTIONS: readonly CabOption[] = [
  { label: 'Any', codes: [] },
  { label: '3 or less', codes: ['REGCAB'] },
  { label: '4', codes: ['EXTCAB'] },
  { label: '5', codes: CREW_CABS },
  { label: '6', codes: CREW_CABS },
];

const isSame = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((code) => right.includes(code));

/**
 * The option which stands for the chosen codes: the one just picked when
 * several mean the same, else the first; undefined for a mixture which none names.
 */
export function cabOf(codes: readonly string[], picked?: string): CabOption | undefined {
  const fitting = CAB_OPTIONS.filter((option) => isSame(option.codes, codes));
  return fitting.find(({ label }) => label === picked) ?? fitting[0];
}

/** Results of an option; undefined where the answer does not count its codes. */
export function cabCount(option: CabOption, filter: Filter | undefined): number | undefined {
  const counts = (filter?.options ?? [])
    .filter(({ value }) => option.codes.includes(value))
    .map(({ count }) => count);
  if (counts.length === 0 || counts.includes(undefined)) return undefined;
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

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
