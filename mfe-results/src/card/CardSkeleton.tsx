import type { ReactNode } from 'react';
import { Skeleton } from '@forecourt/shared-contracts/ui';
import styles from './CardSkeleton.module.css';

/** The shape of a card that is on its way. */
export function CardSkeleton(): ReactNode {
  return (
    <div className={styles['card']}>
      <div className={styles['picture']} />
      <div className={styles['body']}>
        <Skeleton height="24px" width="80%" />
        <Skeleton height="30px" width="45%" />
        <Skeleton height="18px" width="92%" />
        <Skeleton height="42px" />
        <Skeleton height="44px" className={styles['contact']} />
        <Skeleton height="20px" width="40%" />
      </div>
    </div>
  );
}
