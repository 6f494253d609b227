import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { isZip, ZIP_LENGTH } from '@forecourt/shared-contracts/criteria';
import { usePendingField } from '../search/pendingFields.tsx';
import styles from '../sections/fields.later.module.css';
import { pastedZip } from './pastedZip.ts';
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
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(zip);
  const [shownZip, setShownZip] = useState(zip);
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  /** The look-up under way: leaving the field after Enter waits for the same. */
  const running = useRef<{ readonly zip: string; readonly isTaken: Promise<boolean> } | null>(null);
  if (shownZip !== zip) {
    setShownZip(zip);
    setTyped(zip);
    setError(undefined);
    setIsBusy(false);
  }
  useEffect(() => {
    running.current = null;
  }, [zip]);
  const lookUp = async (text: string) => {
    setIsBusy(true);
    const answer = await confirm(text);
    if (answer.kind === 'stale' || running.current?.zip !== text) return false;
    running.current = null;
    setIsBusy(false);
    setError(answer.kind === 'invalid' ? answer.message : undefined);
    if (answer.kind === 'valid') onCommit(text);
    return answer.kind === 'valid';
  };
  const commit = (): boolean | Promise<boolean> => {
    if (running.current?.zip === typed) return running.current.isTaken;
    if (typed !== '' && typed !== zip) {
      const isTaken = lookUp(typed);
      running.current = { zip: typed, isTaken };
      return isTaken;
    }
    setError(undefined);
    if (typed !== zip) onCommit('');
    return true;
  };
  const change = (text: string) => {
    setTyped(text);
    running.current = null;
    setIsBusy(false);
    if (text === '' || isZip(text)) setError(undefined);
  };
  usePendingField(async () => {
    const isTaken = await commit();
    if (!isTaken) input.current?.focus();
    return isTaken;
  });
  return (
    <div className={styles['field']}>
      <label className={styles['field']}>
        <span className={styles['fieldLabel']}>{label}</span>
        <input
          ref={input}
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
          onChange={(event) => change(event.target.value.trim())}
          onPaste={(event) => change(pastedZip(event))}
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
