import {
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  type ClipboardEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
} from 'react';
import { INVALID_ZIP, typedZipError, isZip, ZIP_LENGTH } from '@forecourt/shared-contracts/criteria';
import { useSlotEnvironment } from '@forecourt/shared-contracts/slots';
import { usePendingField } from '../search/searchEdits.tsx';
import styles from './fields.module.css';

/** `stale`: superseded by a later lookup; ignore it. */
type ZipResult =
  | { readonly kind: 'valid' }
  | { readonly kind: 'stale' }
  | { readonly kind: 'invalid'; readonly message: string };

const INVALID: ZipResult = { kind: 'invalid', message: INVALID_ZIP };

/**
 * Validates a ZIP code: five digits that the lookup knows. A failed or timed-out lookup makes it invalid; other text
 * makes no lookup (B5-ZIP-01, B5-ZIP-02, AMB-005).
 */
export function useZipValidation(): (zip: string) => Promise<ZipResult> {
  const { call } = useSlotEnvironment();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return useCallback(
    async (zip) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      if (typedZipError(zip) !== undefined) return INVALID;
      const response = await call('zipLookup', { zip }, { signal: controller.signal }).catch(() => undefined);
      if (controller.signal.aborted) return { kind: 'stale' };
      return response?.success ? { kind: 'valid' } : INVALID;
    },
    [call],
  );
}

/**
 * A ZIP field's text after a paste, trimmed but not cut. The browser would cut it to `maxlength` and turn a ZIP+4 code
 * into a valid ZIP code (AMB-005).
 */
function pastedZip(event: ClipboardEvent<HTMLInputElement>): string {
  event.preventDefault();
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  const pasted = event.clipboardData.getData('text').trim();
  return value.slice(0, selectionStart ?? 0) + pasted + value.slice(selectionEnd ?? value.length);
}

type ZipInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'onPaste'> & {
  readonly ref: Ref<HTMLInputElement>;
  readonly label: string;
  /** Receives the trimmed text. */
  readonly onType: (text: string) => void;
};

/** A labeled ZIP input. */
export function ZipInput({ label, onType, ...rest }: ZipInputProps): ReactNode {
  return (
    <label className={styles['field']}>
      <span className={styles['fieldLabel']}>{label}</span>
      <input
        className={styles['input']}
        name="zip"
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={ZIP_LENGTH}
        {...rest}
        onChange={(event) => onType(event.target.value.trim())}
        onPaste={(event) => onType(pastedZip(event))}
      />
    </label>
  );
}

/** The text, error and lookup of a ZIP field that commits to `onCommit`. */
function useZipField(zip: string, onCommit: (zip: string) => void) {
  const validate = useZipValidation();
  const [typed, setTyped] = useState(zip);
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
    if (running.current?.zip === typed) return running.current.isAccepted;
    if (typed !== '' && typed !== zip) {
      const isAccepted = lookUp(typed);
      running.current = { zip: typed, isAccepted };
      return isAccepted;
    }
    setError(undefined);
    if (typed !== zip) onCommit('');
    return true;
  };
  const type = (text: string) => {
    setTyped(text);
    running.current = null;
    setIsBusy(false);
    if (text === '' || isZip(text)) setError(undefined);
  };
  return { typed, error, isBusy, type, commit };
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
      <p id={errorId} role="alert" className={error === undefined ? undefined : styles['error']}>
        {error}
      </p>
    </div>
  );
}
