import type { ReactNode } from 'react';
import styles from './room.module.css';

/** A short state in a color of its meaning; the text alone says it. */
export const Tag = ({
  look,
  children,
}: {
  readonly look: 'good' | 'bad' | 'attention' | 'plain';
  readonly children: ReactNode;
}): ReactNode => (
  <span className={styles['tag']} data-look={look}>
    {children}
  </span>
);
