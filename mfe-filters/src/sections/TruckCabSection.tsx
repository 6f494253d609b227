import { type ReactNode, useState } from 'react';
import { setValues } from '../search/criteriaChanges.ts';
import { useEdit, useSelectedValues } from '../search/searchEdits.tsx';
import { PlainRow } from './OptionRow.tsx';
import type { Filter } from '@forecourt/upstream/entities';
import { useFilter } from '../search/panelData.tsx';

interface CabOption {
  readonly label: string;
  /** Values of bodyStyleSubtypeCode; empty for any cab. */
  readonly codes: readonly string[];
}

const CREW_CABS = ['CREWCAB', 'CREWMAX'];

/** Cabs by number of seats; 5 and 6 seats have the same codes. */
export const CAB_OPTIONS: readonly CabOption[] = [
  { label: 'Any', codes: [] },
  { label: '3 or less (regular cab)', codes: ['REGCAB'] },
  { label: '4 (extended cab)', codes: ['EXTCAB'] },
  { label: '5 (crew cab)', codes: CREW_CABS },
  { label: '6 (crew cab)', codes: CREW_CABS },
];

const isSame = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((code) => right.includes(code));

/**
 * The option for the selected codes. If several options have these codes: the one with the label `pickedLabel`, otherwise
 * the first. Undefined for a combination that is no option.
 */
export function cabOf(codes: readonly string[], pickedLabel?: string): CabOption | undefined {
  const matching = CAB_OPTIONS.filter((option) => isSame(option.codes, codes));
  return matching.find(({ label }) => label === pickedLabel) ?? matching[0];
}

/** Number of results of an option; undefined if the response has no counts for its codes. */
export function cabCount(option: CabOption, filter: Filter | undefined): number | undefined {
  const counts = (filter?.options ?? [])
    .filter(({ value }) => option.codes.includes(value))
    .map(({ count }) => count);
  if (counts.length === 0 || counts.includes(undefined)) return undefined;
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

const CAB_PARAM = 'bodyStyleSubtypeCode';

/** Truck cabs by number of seats. */
export function TruckCabSection(): ReactNode {
  const edit = useEdit();
  const filter = useFilter(CAB_PARAM);
  const [pickedLabel, setPicked] = useState<string>();
  const selected = cabOf(useSelectedValues(CAB_PARAM), pickedLabel);
  const choose = (option: CabOption) => {
    setPicked(option.label);
    edit((current) => setValues(current, CAB_PARAM, option.codes), `filter:${CAB_PARAM}`);
  };
  return CAB_OPTIONS.map((option) => {
    const count = cabCount(option, filter);
    return (
      <PlainRow
        key={option.label}
        type="radio"
        name={CAB_PARAM}
        option={{ value: option.codes.join(','), label: option.label, ...(count !== undefined && { count }) }}
        isChosen={option === selected}
        isUnavailable={count === 0}
        onChoose={() => choose(option)}
      />
    );
  });
}
