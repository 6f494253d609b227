import { useEffect, useRef, useState, type ReactNode } from 'react';
import { usePendingField } from '../search/pendingFields.tsx';
import styles from './fields.later.module.css';
import { type FilterParam, type SearchCriteria, valuesOf } from '@forecourt/shared-contracts/criteria';
import { useChosen } from '../search/searchEdits.tsx';

/** What became of a committed text. */
export interface CommittedBound {
  readonly isTaken: boolean;
  /** Stands in the field from now on. */
  readonly text: string;
}

interface BoundFieldProps {
  readonly label: string;
  readonly name: string;
  /** Digits of the bound that the search has; empty when it is open. */
  readonly value: string;
  readonly maxLength: number;
  /** What the browser alone lets a form send, and says of it. */
  readonly pattern: string;
  readonly hint: string;
  /** What may stand in the field while typing; anything else is not taken. */
  readonly accepts: (text: string) => boolean;
  /** Enter or leaving the changed field. */
  readonly onCommit: (text: string) => CommittedBound;
  readonly isInvalid?: boolean;
  readonly describedBy?: string;
}

/** One bound of a range, committed by Enter or by leaving it (B5-PINPUT-05). */
export function BoundField(props: BoundFieldProps): ReactNode {
  const { label, name, value, maxLength, pattern, hint, accepts, onCommit } = props;
  const { isInvalid = false, describedBy } = props;
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState({ value, isInvalid });
  const input = useRef<HTMLInputElement>(null);
  const isChanged = useRef(false);
  /** A text was refused, which nobody may have seen yet. */
  const isRefused = useRef(false);
  if (shown.value !== value || shown.isInvalid !== isInvalid) {
    setShown({ value, isInvalid });
    // Also when a refusal is over: the field that it emptied shows its bound again.
    if (shown.value !== value || !isInvalid) setTyped(value);
  }
  useEffect(() => {
    if (!isInvalid) isRefused.current = false;
  }, [isInvalid]);
  const commit = () => {
    isChanged.current = false;
    const { isTaken, text } = onCommit(typed);
    isRefused.current = !isTaken;
    setTyped(text);
  };
  usePendingField(() => {
    if (isChanged.current || (typed !== value && !isRefused.current)) commit();
    if (!isRefused.current) return true;
    // Once: whoever has seen it may leave the field as it is.
    isRefused.current = false;
    input.current?.focus();
    return false;
  });
  return (
    <label className={styles['field']}>
      <span className={styles['fieldLabel']}>{label}</span>
      <input
        ref={input}
        className={styles['input']}
        name={name}
        inputMode="numeric"
        autoComplete="off"
        maxLength={maxLength}
        pattern={pattern}
        title={hint}
        value={typed}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        onChange={(event) => {
          if (!accepts(event.target.value)) return;
          isChanged.current = true;
          setTyped(event.target.value);
        }}
        onBlur={() => isChanged.current && commit()}
        onKeyDown={(event) => {
          // A refusal emptied the field without a change: Enter removes its bound.
          if (event.key === 'Enter' && (isChanged.current || typed !== value)) commit();
        }}
      />
    </label>
  );
}

export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

const numberOf = (values: readonly string[]) => (values[0] === undefined ? undefined : Number(values[0]));

/** The bounds of a range in criteria; an open one is undefined. */
export const boundsOf = (criteria: SearchCriteria, lower: FilterParam, upper: FilterParam): Bounds => ({
  min: numberOf(valuesOf(criteria, lower)),
  max: numberOf(valuesOf(criteria, upper)),
});

/** The bounds of a range as its controls show them. */
export const useBounds = (lower: FilterParam, upper: FilterParam): Bounds => ({
  min: numberOf(useChosen(lower)),
  max: numberOf(useChosen(upper)),
});
