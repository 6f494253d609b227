import type { ClipboardEvent, InputHTMLAttributes, ReactNode, Ref } from 'react';
import { ZIP_LENGTH } from '@forecourt/search/criteria';
import { Field, inputClass } from './Field.tsx';

/**
 * A ZIP field's text after a paste, trimmed but not cut. The browser would cut it to `maxlength` and turn a ZIP+4 code
 * into a valid ZIP code.
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
    <Field label={label}>
      <input
        className={inputClass}
        name="zip"
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={ZIP_LENGTH}
        {...rest}
        onChange={(event) => onType(event.target.value.trim())}
        onPaste={(event) => onType(pastedZip(event))}
      />
    </Field>
  );
}
