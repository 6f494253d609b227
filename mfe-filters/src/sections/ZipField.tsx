import { useCallback, useEffect, useRef, type ClipboardEvent, useId, useState, type ReactNode } from 'react';
import { INVALID_ZIP, typedZipError, isZip, ZIP_LENGTH } from '@forecourt/shared-contracts/criteria';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePendingField } from '../search/pendingFields.tsx';
import styles from './fields.later.module.css';
/** `stale` = another ZIP was asked for meanwhile: nothing is to be done. */
export type ZipAnswer =
  | { readonly kind: 'valid' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'invalid'; readonly message: string };

const INVALID: ZipAnswer = { kind: 'invalid', message: INVALID_ZIP };

/**
 * A typed ZIP is right when it has five digits and the look-up knows it; a
 * look-up that says no, fails or takes too long does not confirm it (B5-ZIP-01,
 * B5-ZIP-02, AMB-005). Anything but five digits makes no look-up.
 */
export function useZipConfirmation(): (zip: string) => Promise<ZipAnswer> {
  const { call } = useSlotEnvironment();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return useCallback(
    async (zip) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      if (typedZipError(zip) !== undefined) return INVALID;
      const answer = await call('zipLookup', { zip }, { signal: controller.signal }).catch(() => undefined);
      if (controller.signal.aborted) return { kind: 'stale' };
      return answer?.success ? { kind: 'valid' } : INVALID;
    },
    [call],
  );
}

/**
 * What a ZIP field holds after a paste: all of it but the blanks around. The
 * browser alone would cut it to the field's `maxlength`, and what is left of a
 * ZIP+4 would be taken (AMB-005).
 */
export function pastedZip(event: ClipboardEvent<HTMLInputElement>): string {
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const pasted = event.clipboardData.getData('text').trim();
  return value.slice(0, selectionStart ?? 0) + pasted + value.slice(selectionEnd ?? value.length);
}

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
