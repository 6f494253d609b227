import type { ReactNode } from 'react';
import styles from './Badge.module.css';

/** How a price compares: green for a good one. */
export const Badge = ({
  isNeutral = false,
  children,
}: {
  isNeutral?: boolean;
  children: string;
}): ReactNode => (
  <span className={isNeutral ? `${styles['badge']} ${styles['neutral']}` : styles['badge']}>{children}</span>
);
