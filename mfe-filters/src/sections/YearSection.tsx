import { useMemo, type ReactNode } from 'react';
import { yearText } from '@forecourt/search/catalog';
import { selectCurrentYear } from '@forecourt/search/state';
import { usePageState } from '@forecourt/slots';
import { useFilter } from '../search/panelData.tsx';
import { useSelectedValues, useEdit } from '../search/searchEdits.tsx';
import { RangeGraph } from './RangeGraph.tsx';
import { Field, inputClass } from './Field.tsx';
import { FieldPair } from './FieldPair.tsx';
import styles from './YearSection.later.module.css';
import { setRange } from '../search/criteriaChanges.ts';
import { NoScript } from '../search/NoScript.tsx';
import { BoundField, type CommitResult } from './BoundField.tsx';
import { boundsOf, useBounds } from './useBounds.ts';

/** Model years offered for new cars besides 'Any'. */
const NEW_CAR_YEAR_OPTIONS = 4;

/** Years by which the oldest new-car model year precedes the current one. */
const NEW_CAR_YEARS_BACK = 2;

const YEAR_LENGTH = 4;
const CAUSE = 'filter:yearRange';

const useYears = () => useBounds('startYear', 'endYear');

/** Swaps reversed bounds. */
export const orderedBounds = ({ min, max }: { min?: number | undefined; max?: number | undefined }) =>
  min !== undefined && max !== undefined && min > max ? { min: max, max: min } : { min, max };

const yearOf = (bound: number | undefined) => (bound === undefined ? '' : String(bound));
const isYear = (text: string) => /^(19|20)\d{2}$/.test(text);

/** Model years: a range, or a single recent year for new cars. */
export function YearSection(): ReactNode {
  const conditions = useSelectedValues('listingType');
  const isNewOnly = conditions.length === 1 && conditions[0] === 'NEW';
  if (!isNewOnly) return <YearRange />;
  return (
    <>
      <NewCarYear />
      <NoScript>
        <YearRange />
      </NoScript>
    </>
  );
}

function YearRange(): ReactNode {
  const edit = useEdit();
  const histogram = useFilter('yearRange')?.histogram;
  const { min, max } = useYears();
  const commit =
    (bound: 'min' | 'max') =>
    (text: string): CommitResult => {
      const before = yearOf({ min, max }[bound]);
      if (text !== '' && !isYear(text)) return { isAccepted: false, text: before };
      // An unchanged bound must not restart the search at its first page.
      if (text === before) return { isAccepted: true, text };
      const typedBound = { [bound]: text === '' ? undefined : Number(text) };
      edit(
        (current) =>
          setRange(
            current,
            'yearRange',
            orderedBounds({ ...boundsOf(current, 'startYear', 'endYear'), ...typedBound }),
          ),
        CAUSE,
      );
      // After a swap, the field shows its new bound.
      return { isAccepted: true, text: yearOf(orderedBounds({ min, max, ...typedBound })[bound]) };
    };
  const field = (bound: 'min' | 'max', label: string, name: string, value: number | undefined) => (
    <BoundField
      label={label}
      name={name}
      value={yearOf(value)}
      maxLength={YEAR_LENGTH}
      pattern="[0-9]*"
      hint="Digits only"
      onCommit={commit(bound)}
    />
  );
  return (
    <>
      {histogram && (
        <RangeGraph
          label="Year"
          histogram={histogram}
          step={1}
          min={min}
          max={max}
          format={String}
          onCommit={(bounds) => edit((current) => setRange(current, 'yearRange', bounds), CAUSE)}
        />
      )}
      <FieldPair>
        {field('min', 'From Year', 'startYear', min)}
        {field('max', 'To Year', 'endYear', max)}
      </FieldPair>
    </>
  );
}

function NewCarYear(): ReactNode {
  const edit = useEdit();
  const currentYear = usePageState(selectCurrentYear);
  const years = useMemo(() => newCarYears(currentYear), [currentYear]);
  const { min, max } = useYears();
  const selected = min !== undefined && min === max && years.includes(min) ? String(min) : undefined;
  const text = (year: number | undefined) => (year === undefined ? [] : [String(year)]);
  const other = selected === undefined ? yearText({ startYear: text(min), endYear: text(max) }) : undefined;
  return (
    <Field label="Year" className={styles['single']}>
      <select
        className={inputClass}
        value={selected ?? other ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          const year = value === '' ? undefined : Number(value);
          edit((current) => setRange(current, 'yearRange', { min: year, max: year }), CAUSE);
        }}
      >
        <option value="">Any</option>
        {years.map((year) => (
          <option key={year} value={year}>
            {year}
          </option>
        ))}
        {other !== undefined && (
          <option value={other} disabled>
            {other}
          </option>
        )}
      </select>
    </Field>
  );
}

/**
 * Model years offered for new cars, newest first: for the current year 2024 these are 2025, 2024, 2023, 2022
 *. The control adds 'Any' before them.
 */
export function newCarYears(currentYear: number): readonly number[] {
  const oldest = currentYear - NEW_CAR_YEARS_BACK;
  return Array.from(
    { length: NEW_CAR_YEAR_OPTIONS },
    (_, index) => oldest + NEW_CAR_YEAR_OPTIONS - 1 - index,
  );
}
