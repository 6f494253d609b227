import { useRef, useState, type ReactNode } from 'react';
import styles from './fields.later.module.css';

interface BoundFieldProps {
  readonly label: string;
  readonly name: string;
  /** Digits of the bound that the search has; empty when it is open. */
  readonly value: string;
  readonly maxLength: number;
  /** What may stand in the field while typing; anything else is not taken. */
  readonly accepts: (text: string) => boolean;
  /** Enter or leaving the changed field; answers the text to show instead of the typed one, if any. */
  readonly onCommit: (text: string) => string | undefined;
  readonly isInvalid?: boolean;
  readonly describedBy?: string;
}

/** One bound of a range, committed by Enter or by leaving it (B5-PINPUT-05). */
export function BoundField(props: BoundFieldProps): ReactNode {
  const { label, name, value, maxLength, accepts, onCommit, isInvalid = false, describedBy } = props;
  const [typed, setTyped] = useState(value);
  const [shownValue, setShownValue] = useState(value);
  const isChanged = useRef(false);
  if (shownValue !== value) {
    setShownValue(value);
    setTyped(value);
  }
  const commit = () => {
    if (!isChanged.current) return;
    isChanged.current = false;
    const corrected = onCommit(typed);
    if (corrected !== undefined) setTyped(corrected);
  };
  return (
    <label className={styles['field']}>
      <span className={styles['fieldLabel']}>{label}</span>
      <input
        className={styles['input']}
        name={name}
        inputMode="numeric"
        autoComplete="off"
        maxLength={maxLength}
        pattern="[0-9]*"
        title="Digits only"
        value={typed}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        onChange={(event) => {
          if (!accepts(event.target.value)) return;
          isChanged.current = true;
          setTyped(event.target.value);
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
      />
    </label>
  );
}
