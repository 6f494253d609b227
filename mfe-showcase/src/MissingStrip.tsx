import type { ReactNode } from 'react';
import styles from './MissingStrip.module.css';
import type { missingCriteria } from '@forecourt/shared-contracts/rules';

/** Which selected criteria the showcased vehicle does not meet, struck through; empty when it meets all (B5-MISS-07). */
export function MissingStrip({
  missing,
}: {
  missing: readonly ReturnType<typeof missingCriteria>[number][];
}): ReactNode {
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
