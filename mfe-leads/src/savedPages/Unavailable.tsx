import type { ReactNode } from 'react';
import { buttonClass } from '@forecourt/slots/ui';
import styles from './Unavailable.module.css';

/** Shown with status 503 when the account service does not respond. */
export function Unavailable({ title, path }: { title: string; path: string }): ReactNode {
  return (
    <div className={styles['unavailable']}>
      <h1 className={styles['title']}>{title} are temporarily unavailable</h1>
      <p>Don’t worry, nothing was lost. Please try again in a moment.</p>
      <p>
        <a className={buttonClass('primary')} href={path}>
          Try again
        </a>
      </p>
    </div>
  );
}
