import { useId, useRef, useState, type ReactNode } from 'react';
import { isZip, ZIP_LENGTH } from '@forecourt/shared-contracts/rules';
import styles from '../sections/fields.later.module.css';
import { useZipConfirmation } from './useZipConfirmation.ts';

interface ZipFieldProps {
  readonly label: string;
  /** The ZIP of the search; empty when it has none. */
  readonly zip: string;
  /** A confirmed ZIP, or '' when it was taken out. */
  readonly onCommit: (zip: string) => void;
}

/** The ZIP of the filter panel: Enter or leaving the field commits it, after its look-up. */
export function ZipField({ label, zip, onCommit }: ZipFieldProps): ReactNode {
  const confirm = useZipConfirmation();
  const errorId = useId();
  const [typed, setTyped] = useState(zip);
  const [shownZip, setShownZip] = useState(zip);
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const committed = useRef(zip);
  if (shownZip !== zip) {
    setShownZip(zip);
    setTyped(zip);
    setError(undefined);
  }
  const commit = async () => {
    const text = typed.trim();
    if (text === committed.current) return;
    committed.current = text;
    if (text === '') {
      setError(undefined);
      onCommit('');
      return;
    }
    setIsBusy(true);
    const answer = await confirm(text);
    if (answer.kind === 'stale') return;
    setIsBusy(false);
    setError(answer.kind === 'invalid' ? answer.message : undefined);
    if (answer.kind === 'valid') onCommit(text);
  };
  return (
    <div className={styles['field']}>
      <label className={styles['field']}>
        <span className={styles['fieldLabel']}>{label}</span>
        <input
          className={styles['input']}
          name="zip"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={ZIP_LENGTH}
          pattern="[0-9]{5}"
          value={typed}
          aria-invalid={error !== undefined}
          aria-describedby={errorId}
          aria-busy={isBusy}
          onChange={(event) => {
            const { value } = event.target;
            setTyped(value);
            committed.current = zip;
            if (value === '' || isZip(value)) setError(undefined);
          }}
          onBlur={() => void commit()}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void commit();
          }}
        />
      </label>
      <p id={errorId} role="alert" className={error === undefined ? undefined : styles['error']}>
        {error}
      </p>
    </div>
  );
}
