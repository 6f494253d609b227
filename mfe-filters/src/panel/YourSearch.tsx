import { useId, type ReactNode } from 'react';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Chips } from '../toolbar/Chips.tsx';
import { matchesText } from '../toolbar/matchesText.ts';
import styles from './YourSearch.module.css';

/** The box 'Your Search': what is chosen and how much it finds (B2-BOX-01..03). */
export function YourSearch(): ReactNode {
  const headingId = useId();
  const total = usePageState(({ search }) => search.totalResultCount);
  return (
    <section className={styles['box']} aria-labelledby={headingId}>
      <h2 id={headingId} className={styles['heading']}>
        Your Search
      </h2>
      <p className={styles['count']}>{matchesText(total)}</p>
      <Chips label="Your Search filters" />
    </section>
  );
}
