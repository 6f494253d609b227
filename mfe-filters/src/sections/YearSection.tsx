import { useMemo, type ReactNode } from 'react';
import { yearText } from '@forecourt/shared-contracts/catalog';
import { selectCurrentYear, usePageState } from '@forecourt/shared-contracts/store';
import { useFilter } from '../search/panelData.tsx';
import { NoScript } from '../search/NoScript.tsx';
import { useChosen, useEdit } from '../search/searchEdits.tsx';
import { BoundField, type CommittedBound, boundsOf, useBounds } from './BoundField.tsx';
import { Histogram, RangeSliders } from './RangeGraph.tsx';
import styles from './fields.later.module.css';
import yearStyles from './YearSection.later.module.css';
import { newCarYears } from './newCarYears.ts';
import { setRange } from '../search/criteriaChanges.ts';

const YEAR_LENGTH = 4;
const CAUSE = 'filter:yearRange';

const useYears = () => useBounds('startYear', 'endYear');

/** Two years typed the wrong way round mean the range between them. */
export const inOrder = ({ min, max }: { min?: number | undefined; max?: number | undefined }) =>
  min !== undefined && max !== undefined && min > max ? { min: max, max: min } : { min, max };

const yearOf = (bound: number | undefined) => (bound === undefined ? '' : String(bound));
const isTypedYear = (text: string) => /^\d{0,4}$/.test(text);
const isYear = (text: string) => /^(19|20)\d{2}$/.test(text);

/** Model years: a range, or one of the newest for new cars (A3-FILTER-07, A5-RULE-08, AMB-079). */
export function YearSection(): ReactNode {
  const conditions = useChosen('listingType');
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
    (text: string): CommittedBound => {
      const before = yearOf({ min, max }[bound]);
      if (text !== '' && !isYear(text)) return { isTaken: false, text: before };
      // What applies already is no new search from the first page.
      if (text === before) return { isTaken: true, text };
      const typed = { [bound]: text === '' ? undefined : Number(text) };
      edit(
        (newest) =>
          setRange(newest, 'yearRange', inOrder({ ...boundsOf(newest, 'startYear', 'endYear'), ...typed })),
        CAUSE,
      );
      // Two years that change places: the field shows the one which it now stands for.
      return { isTaken: true, text: yearOf(inOrder({ min, max, ...typed })[bound]) };
    };
  const field = (bound: 'min' | 'max', label: string, name: string, value: number | undefined) => (
    <BoundField
      label={label}
      name={name}
      value={yearOf(value)}
      maxLength={YEAR_LENGTH}
      pattern="[0-9]*"
      hint="Digits only"
      accepts={isTypedYear}
      onCommit={commit(bound)}
    />
  );
  return (
    <>
      {histogram && (
        <>
          <Histogram histogram={histogram} min={min} max={max} format={String} label="Year" />
          <RangeSliders
            label="year"
            lowest={histogram.min}
            highest={histogram.max}
            step={1}
            min={min}
            max={max}
            format={String}
            onCommit={(bounds) => edit((newest) => setRange(newest, 'yearRange', bounds), CAUSE)}
          />
        </>
      )}
      <div className={styles['pair']}>
        {field('min', 'From Year', 'startYear', min)}
        {field('max', 'To Year', 'endYear', max)}
      </div>
    </>
  );
}

function NewCarYear(): ReactNode {
  const edit = useEdit();
  const currentYear = usePageState(selectCurrentYear);
  const years = useMemo(() => newCarYears(currentYear), [currentYear]);
  const { min, max } = useYears();
  const chosen = min !== undefined && min === max && years.includes(min) ? String(min) : undefined;
  const text = (year: number | undefined) => (year === undefined ? [] : [String(year)]);
  const other = chosen === undefined ? yearText({ startYear: text(min), endYear: text(max) }) : undefined;
  return (
    <label className={`${styles['field']} ${yearStyles['single']}`}>
      <span className={styles['fieldLabel']}>Year</span>
      <select
        className={styles['input']}
        value={chosen ?? other ?? ''}
        onChange={(event) => {
          const { value } = event.currentTarget;
          const year = value === '' ? undefined : Number(value);
          edit((newest) => setRange(newest, 'yearRange', { min: year, max: year }), CAUSE);
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
    </label>
  );
}
