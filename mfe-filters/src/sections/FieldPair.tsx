import type { ReactNode } from 'react';
import styles from './FieldPair.module.css';

/** Fields next to each other, below each other where there is no room. */
export const FieldPair = ({ children }: { children: ReactNode }): ReactNode => (
  <div className={styles['pair']}>{children}</div>
);
