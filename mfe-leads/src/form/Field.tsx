import { useId, type InputHTMLAttributes, type ReactNode } from 'react';
import styles from './Field.module.css';

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly required?: boolean;
  readonly rows?: number;
  /** The first thing to fill in when the dialog opens. */
  readonly isFirst?: boolean;
  /** Stands below the field. */
  readonly hint?: string;
  /** Value and words of a choice; makes it a select. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly input?: Pick<
    InputHTMLAttributes<HTMLInputElement>,
    'type' | 'autoComplete' | 'inputMode' | 'maxLength'
  >;
}

/** A labelled input, text area or select with its error beside it. */
export function Field(props: FieldProps): ReactNode {
  const { name, label, value, error, onChange, required, rows, isFirst, input, hint, options } = props;
  const id = useId();
  const described = [hint && `${id}hint`, error && `${id}error`].filter(Boolean).join(' ');
  const shared = {
    id,
    name,
    value,
    className: styles['control'],
    'aria-required': required,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': described || undefined,
    'data-initial-focus': isFirst || undefined,
  };
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
        {!required && <span className={styles['optional']}> (optional)</span>}
      </label>
      {options ? (
        <select {...shared} onChange={(event) => onChange(event.target.value)}>
          {options.map(([code, words]) => (
            <option key={code} value={code}>
              {words}
            </option>
          ))}
        </select>
      ) : rows ? (
        <textarea {...shared} rows={rows} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <input {...input} {...shared} onChange={(event) => onChange(event.target.value)} />
      )}
      {hint && (
        <p id={`${id}hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}error`} className={styles['error']}>
          {error}
        </p>
      )}
    </div>
  );
}
