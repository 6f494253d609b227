import { useId, type ReactNode } from 'react';
import { usePageState } from '@forecourt/shared-contracts/store';
import { formatCount } from '@forecourt/shared-contracts/rules';
import { SaveSearch } from '../toolbar/SaveSearch.tsx';
import { Chips } from '../toolbar/Chips.tsx';
import styles from './YourSearch.later.module.css';

/**
 * The 'Your Search' box: selected filters, number of matches, and saving (B2-BOX-01..03). Its height is constant, so
 * that the controls below don't move while the shopper clicks them.
 */
export function YourSearch(): ReactNode {
  const headingId = useId();
  const total = usePageState(({ search }) => search.totalResultCount);
  return (
    <section className={styles['box']} aria-labelledby={headingId}>
      <div className={styles['head']}>
        <h2 id={headingId} className={styles['heading']}>
          Your Search
        </h2>
        <SaveSearch />
      </div>
      <p className={styles['count']}>{matchesText(total)}</p>
      <div className={styles['chips']}>
        <Chips label="Your Search filters" emptyText="No filters selected yet." />
      </div>
    </section>
  );
}

/** '1 Match', '1,234 Matches' */
export const matchesText = (total: number): string => formatCount(total, 'Match', 'Matches');
