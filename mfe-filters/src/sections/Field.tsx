import type { ReactNode } from 'react';
import styles from './Field.module.css';

/** Class of the input or select in a `Field`. */
export const inputClass = styles['input'];

/** A label above an input or a select. */
export function Field(props: { label: string; className?: string; children: ReactNode }): ReactNode {
  const { label, className, children } = props;
  return (
    <label className={className === undefined ? styles['field'] : `${styles['field']} ${className}`}>
      <span className={styles['label']}>{label}</span>
      {children}
    </label>
  );
}
