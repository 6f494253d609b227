import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { isZip } from '@forecourt/search/criteria';
import { usePendingField } from '../search/pendingFields.tsx';
import { FieldError } from './FieldError.tsx';
import styles from './ZipField.module.css';
import { useZipValidation } from './useZipValidation.ts';
import { ZipInput } from './ZipInput.tsx';

/** The text, error and lookup of a ZIP field that commits to `onCommit`. */
function useZipField(zip: string, onCommit: (zip: string) => void) {
  const validate = useZipValidation();
  const [typedZip, setTyped] = useState(zip);
  const [shownZip, setShownZip] = useState(zip);
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  /** The lookup in flight: a blur after Enter waits for the same one. */
  const running = useRef<{ readonly zip: string; readonly isAccepted: Promise<boolean> } | null>(null);
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
    const result = await validate(text);
    if (result.kind === 'stale' || running.current?.zip !== text) return false;
    running.current = null;
    setIsBusy(false);
    setError(result.kind === 'invalid' ? result.message : undefined);
    if (result.kind === 'valid') onCommit(text);
    return result.kind === 'valid';
  };
  const commit = (): boolean | Promise<boolean> => {
    if (running.current?.zip === typedZip) return running.current.isAccepted;
    if (typedZip !== '' && typedZip !== zip) {
      const isAccepted = lookUp(typedZip);
      running.current = { zip: typedZip, isAccepted };
      return isAccepted;
    }
    setError(undefined);
    if (typedZip !== zip) onCommit('');
    return true;
  };
  const type = (text: string) => {
    setTyped(text);
    running.current = null;
    setIsBusy(false);
    if (text === '' || isZip(text)) setError(undefined);
  };
  return { typed: typedZip, error, isBusy, type, commit };
}

interface ZipFieldProps {
  readonly label: string;
  /** The search's ZIP code; empty when it has none. */
  readonly zip: string;
  /** Receives a validated ZIP code, or '' when it was removed. */
  readonly onCommit: (zip: string) => void;
}

/** The filter panel's ZIP field: committed on Enter or blur, after a lookup. */
export function ZipField({ label, zip, onCommit }: ZipFieldProps): ReactNode {
  const { typed, error, isBusy, type, commit } = useZipField(zip, onCommit);
  const errorId = useId();
  const input = useRef<HTMLInputElement>(null);
  usePendingField(async () => {
    const isAccepted = await commit();
    if (!isAccepted) input.current?.focus();
    return isAccepted;
  });
  return (
    <div className={styles['field']}>
      <ZipInput
        ref={input}
        label={label}
        pattern="[0-9]{5}"
        value={typed}
        aria-invalid={error !== undefined}
        aria-describedby={errorId}
        aria-busy={isBusy}
        onType={type}
        onBlur={() => void commit()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void commit();
        }}
      />
      <FieldError id={errorId} message={error} />
    </div>
  );
}
