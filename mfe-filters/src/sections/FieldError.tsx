import type { ReactNode } from 'react';
import styles from './FieldError.module.css';

/** The error of one or more fields, announced when it appears. Fields refer to it with `aria-describedby`. */
export function FieldError({ id, message }: { id: string; message: string | undefined }): ReactNode {
  return (
    <p id={id} role="alert" className={message && styles['error']}>
      {message}
    </p>
  );
}
