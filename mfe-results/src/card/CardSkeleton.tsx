import type { ReactNode } from 'react';
import styles from './CardSkeleton.module.css';

/** The shape of a card that is on its way: one element, since a whole page of them comes and goes at once. */
export const CardSkeleton = (): ReactNode => <div className={styles['card']} />;
