import type { ReactNode } from 'react';
import styles from './CardSkeleton.later.module.css';

/** Placeholder of a loading card: a single element, because a whole page of them mounts at once. */
export const CardSkeleton = (): ReactNode => <div className={styles['card']} />;
