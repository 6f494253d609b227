import { type ReactNode, useId } from 'react';
import { formatCount } from '@forecourt/search/format';
import { usePageState } from '@forecourt/slots';
import { SaveSearch } from '../toolbar/SaveSearch.tsx';
import { Chips } from '../toolbar/Chips.tsx';
import boxStyles from './YourSearch.module.css';

/**
 * The 'Your Search' box: selected filters, number of matches, and saving. Its height is constant, so
 * that the controls below don't move while the shopper clicks them.
 */
export function YourSearch(): ReactNode {
  const headingId = useId();
  const total = usePageState(({ search }) => search.totalResultCount);
  return (
    <section className={boxStyles['box']} aria-labelledby={headingId}>
      <div className={boxStyles['head']}>
        <h2 id={headingId} className={boxStyles['heading']}>
          Your Search
        </h2>
        <SaveSearch />
      </div>
      <p className={boxStyles['count']}>{matchesText(total)}</p>
      <div className={boxStyles['chips']}>
        <Chips label="Your Search filters" emptyText="No filters selected yet." />
      </div>
    </section>
  );
}

/** '1 Match', '1,234 Matches' */
export const matchesText = (total: number): string => formatCount(total, 'Match', 'Matches');
