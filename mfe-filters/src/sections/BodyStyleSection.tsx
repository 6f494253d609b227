import { memo, useCallback, type ReactNode, useState } from 'react';
import { toggleValue, setValues } from '../search/criteriaChanges.ts';
import { formatNumber } from '@forecourt/shared-contracts/rules';
import type { PanelOption, PanelSection } from './panelSections.ts';
import { useEdit, useSelectedValues } from '../search/searchEdits.tsx';
import { useSectionOptions } from './ChoiceSection.tsx';
import { useChoice, PlainRow } from './OptionRow.tsx';
import styles from './BodyStyleSection.module.css';
import type { Filter } from '@forecourt/shared-contracts/entities';
import { useFilter } from '../search/panelData.tsx';

const PARAM = 'vehicleStyleCode';

const Tile = memo(function Tile(props: {
  option: PanelOption;
  onToggle: (value: string) => void;
}): ReactNode {
  const { option, onToggle } = props;
  const { value, label, count } = option;
  const { isChosen, isDisabled, input } = useChoice(PARAM, option);
  return (
    <label className={styles['tile']} data-disabled={isDisabled || undefined}>
      <input
        className={styles['input']}
        type="checkbox"
        name={PARAM}
        value={value}
        checked={isChosen}
        disabled={isDisabled}
        onChange={() => onToggle(value)}
        {...input}
      />
      <BodyStyleSilhouette code={value} />
      <span className={styles['label']}>{label}</span>
      {count !== undefined && <span className={styles['count']}>{formatNumber(count)}</span>}
    </label>
  );
});

/** Body styles as tiles with a silhouette. */
export function BodyStyleSection({ panel }: { panel: PanelSection }): ReactNode {
  const edit = useEdit();
  const options = useSectionOptions(panel);
  const toggle = useCallback(
    (value: string) => edit((current) => toggleValue(current, PARAM, value), `filter:${PARAM}`),
    [edit],
  );
  return (
    <div className={styles['tiles']}>
      {options.map((option) => (
        <Tile key={option.value} option={option} onToggle={toggle} />
      ))}
    </div>
  );
}

const SEDAN =
  'M3 20v-3.500q.6-3.200 6-3.900l8-1 6.500-5.200q1.800-1.400 5-1.400h8.500q4 0 7 2.200l5.500 4.400 7.500 1.500q4 1 4 4.900v2z';

/** Side views in a 64 by 28 viewBox, facing left; the wheels are at x = 16 and 48. */
const BODIES: Readonly<Record<string, string>> = {
  SEDAN,
  COUPE:
    'M3 20v-3q.8-3.200 6-3.900l11-1.500 7-4.600q3-1.900 8-1.500 9.500.9 17 6.500l6 1.500q3 .9 3 4.500v2z',
  HATCH:
    'M4 20v-4q.6-3.200 6-3.900l8-.9 6-5q2-1.500 6-1.500h14q5.500 0 8.500 4.300l4 4.200q3.500 1 3.500 4.800v2z',
  SUVCROSS:
    'M3 20v-5.500q.6-3.300 6-3.900l8-.9 6-5.200q2-1.500 6-1.500h20q4 0 6 3.800l3 4.400q3 1 3 4.800v4z',
  SUV: 'M3 20v-8q.6-2.200 5-2.500l10-.6 4-5.300q1-1.200 4-1.200h29q2.600 0 3.100 2.600l1.500 5q1.400 1 1.400 4v6z',
  TRUCKS: 'M3 20v-7q.5-2 5-2.400l7-.6 5-5.500q1.500-1.300 4-1.300h9q2.600 0 3.100 2.600l.6 4.200h24.300v10z',
  VANS: 'M3 20v-6q.4-3 4-4.200l7-5.800q2-1.800 6-1.800h37q4 0 4 3.800v14z',
  VANMV:
    'M3 20v-5q.4-2.400 5-3.600l10-5.800q3.200-1.900 8-2.100h24q5 .2 7.500 4.700l3 4.400q.5 1 .5 3.400v4z',
  CONVERT:
    'M3 20v-3.400q1-3 6-3.600l12-1.200 6.500-4.600 1.600.8-4.300 4.400h19.200q3-1.800 7-.8l7 1.600q3 .9 3 4.300v2.500z',
};

/** Decorative: the label is below it. */
function BodyStyleSilhouette({ code }: { code: string }): ReactNode {
  return (
    <svg width="64" height="28" viewBox="0 0 64 28" aria-hidden="true" focusable="false">
      <path d={BODIES[code] ?? SEDAN} fill="currentColor" opacity="0.8" />
      {[16, 48].map((x) => (
        <circle
          key={x}
          cx={x}
          cy="20.500"
          r="4.800"
          fill="currentColor"
          stroke="var(--fc-color-surface)"
          strokeWidth="1.500"
        />
      ))}
    </svg>
  );
}

export interface CabOption {
  readonly label: string;
  /** Values of bodyStyleSubtypeCode; empty for any cab. */
  readonly codes: readonly string[];
}

const CREW_CABS = ['CREWCAB', 'CREWMAX'];

/** Cabs by number of seats; 5 and 6 seats have the same codes (B5-CAB-01, B5-CAB-02, AMB-078). */
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
