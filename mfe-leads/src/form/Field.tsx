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
  /** Gets the focus when the dialog opens. */
  readonly isFirst?: boolean;
  readonly hint?: string;
  /** Renders a select with these choices. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  readonly input?: Pick<
    InputHTMLAttributes<HTMLInputElement>,
    'type' | 'autoComplete' | 'inputMode' | 'maxLength'
  >;
}

/** A labeled input, text area or select, with its hint and error. */
export function Field(props: FieldProps): ReactNode {
  const { name, label, value, error, onChange, required, rows, isFirst, input, hint, options } = props;
  const id = useId();
  const descriptionIds = [hint && `${id}hint`, error && `${id}error`].filter(Boolean).join(' ');
  const shared = {
    id,
    name,
    value,
    className: styles['control'],
    'aria-required': required,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': descriptionIds || undefined,
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
          {options.map(([code, text]) => (
            <option key={code} value={code}>
              {text}
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
