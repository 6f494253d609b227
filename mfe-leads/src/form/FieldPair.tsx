import type { ReactNode } from 'react';
import styles from './FieldPair.module.css';

/** Two fields next to each other where the form is wide enough, otherwise below each other. */
export function FieldPair({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles['pair']}>{children}</div>;
}
