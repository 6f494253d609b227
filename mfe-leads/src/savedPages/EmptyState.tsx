import type { ReactNode } from 'react';
import { buttonClass } from '@forecourt/slots/ui';
import styles from './EmptyState.module.css';

export function EmptyState({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className={styles['panel']}>
      <p>{children}</p>
      <p>
        <a className={buttonClass('primary')} href="/cars-for-sale/all-cars">
          See cars for sale
        </a>
      </p>
    </div>
  );
}
