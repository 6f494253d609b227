import type { FocusEventHandler, ReactNode } from 'react';
import styles from './FieldPair.module.css';

/** Fields next to each other, below each other where there is no room. */
export function FieldPair(props: { onFocus?: FocusEventHandler; children: ReactNode }): ReactNode {
  return (
    <div className={styles['pair']} onFocus={props.onFocus}>
      {props.children}
    </div>
  );
}
