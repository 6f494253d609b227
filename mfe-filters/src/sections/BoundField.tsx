import { useState, type ReactNode, useEffect, useRef } from 'react';
import { usePendingField } from '../search/pendingFields.tsx';
import { Field, inputClass } from './Field.tsx';

/** Result of committing a text. */
export interface CommitResult {
  readonly isAccepted: boolean;
  /** New text of the field. */
  readonly text: string;
}

interface BoundFieldProps {
  readonly label: string;
  readonly name: string;
  /** The search's bound as digits; empty when it is open. */
  readonly value: string;
  readonly maxLength: number;
  /** Validation without JavaScript: `pattern` and `title` of the input. */
  readonly pattern: string;
  readonly hint: string;
  /**
   * Whether a text is none: it stays as typed and is not committed. Leaving out only its wrong characters would make
   * another value of the others.
   */
  readonly refuses?: (text: string) => boolean;
  /** Called with whether the typed text is refused. */
  readonly onRefuse?: (isRefused: boolean) => void;
  /** Called on Enter, or on blur after a change. */
  readonly onCommit: (text: string) => CommitResult;
  readonly isInvalid?: boolean;
  readonly describedBy?: string;
}

/** One bound of a range, committed on Enter or blur. */
export function BoundField(props: BoundFieldProps): ReactNode {
  const { label, name, value, maxLength, pattern, hint, onRefuse, onCommit } = props;
  const { isInvalid = false, describedBy, refuses = () => false } = props;
  const [typedText, setTypedText] = useState(value);
  const [lastProps, setLastProps] = useState({ value, isInvalid });
  const input = useRef<HTMLInputElement>(null);
  const isChanged = useRef(false);
  /** The last text was rejected and the shopper may not have noticed yet. */
  const isRejected = useRef(false);
  if (lastProps.value !== value || lastProps.isInvalid !== isInvalid) {
    setLastProps({ value, isInvalid });
    // A rejection empties the field; once it is resolved, show the bound again.
    if (lastProps.value !== value || !isInvalid) setTypedText(value);
  }
  useEffect(() => {
    if (!isInvalid) isRejected.current = false;
  }, [isInvalid]);
  const commit = () => {
    isChanged.current = false;
    if (refuses(typedText)) {
      isRejected.current = true;
      return;
    }
    const { isAccepted, text } = onCommit(typedText);
    isRejected.current = !isAccepted;
    setTypedText(text);
  };
  usePendingField(() => {
    if (isChanged.current || (typedText !== value && !isRejected.current)) commit();
    if (!isRejected.current) return true;
    // Focus it only once: the shopper may leave the field as it is.
    isRejected.current = false;
    input.current?.focus();
    return false;
  });
  return (
    <Field label={label}>
      <input
        ref={input}
        className={inputClass}
        name={name}
        inputMode="numeric"
        autoComplete="off"
        maxLength={maxLength}
        pattern={pattern}
        title={hint}
        value={typedText}
        aria-invalid={isInvalid || refuses(typedText)}
        aria-describedby={describedBy}
        onChange={(event) => {
          const { value: text } = event.target;
          isChanged.current = true;
          setTypedText(text);
          onRefuse?.(refuses(text));
        }}
        onBlur={() => isChanged.current && commit()}
        onKeyDown={(event) => {
          // After a rejection the field is empty but unchanged: Enter removes the bound.
          if (event.key === 'Enter' && (isChanged.current || typedText !== value)) commit();
        }}
      />
    </Field>
  );
}
