import type { ReactNode } from 'react';
import type { MissingCriterion } from '@forecourt/shared-contracts/rules';
import styles from './MissingStrip.module.css';

/** Which selected criteria the showcased vehicle does not meet, struck through; empty when it meets all (B5-MISS-07). */
export function MissingStrip({ missing }: { missing: readonly MissingCriterion[] }): ReactNode {
  if (missing.length === 0) return null;
  return (
    <p className={styles['strip']}>
      <span className={styles['lead']}>Missing:</span>
      {missing.map(({ key, label }) => (
        <s key={key} className={styles['criterion']}>
          {label}
        </s>
      ))}
    </p>
  );
}
