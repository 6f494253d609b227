import { useId, type InputHTMLAttributes, type ReactNode } from 'react';
import type { FieldName } from './drafts.ts';
import styles from './Field.module.css';

/** A labelled input or text area with its error beside it. */
export function Field(props: {
  name: FieldName;
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  required?: boolean;
  rows?: number;
  /** The first thing to fill in when the dialog opens. */
  isFirst?: boolean;
  input?: Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'autoComplete' | 'inputMode'>;
}): ReactNode {
  const { name, label, value, error, onChange, required, rows, isFirst, input } = props;
  const id = useId();
  const errorId = `${id}error`;
  const shared = {
    id,
    name,
    value,
    className: styles['control'],
    'aria-required': required,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': error ? errorId : undefined,
    'data-initial-focus': isFirst || undefined,
  };
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
        {!required && <span className={styles['optional']}> (optional)</span>}
      </label>
      {rows ? (
        <textarea {...shared} rows={rows} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input {...input} {...shared} onChange={(event) => onChange(event.target.value)} />
      )}
      {error && (
        <p id={errorId} className={styles['error']}>
          {error}
        </p>
      )}
    </div>
  );
}
