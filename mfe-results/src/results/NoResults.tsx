import type { ReactNode } from 'react';
import { clearFilters } from '@forecourt/shared-contracts/criteria';
import { filterCount, recoveries, type Chip } from '@forecourt/shared-contracts/catalog';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { buttonClass, formatNumber } from '@forecourt/shared-contracts/ui';
import { SearchLink } from '../search/SearchLink.tsx';
import styles from './NoResults.module.css';
import { selectSearch } from '../selectSearch.ts';

/** What is left out, in the shopper's own words: 'Without Purple'; a place as 'Anywhere'. */
function wayOut(name: string, label: string, chips: readonly Chip[]): string {
  if (name === 'location') return 'Anywhere';
  const own = chips.filter(({ section }) => section === name).map((chip) => chip.label);
  return `Without ${own.join(', ') || label}`;
}

/** An empty or invalid search (A4-FLOW-02, A4-FLOW-03), and the single filters whose removal helps, best first. */
export function NoResults(): ReactNode {
  const { criteria, suggestions, chips } = usePageState(selectSearch);
  const clearExperience = usePageState(selectFlag('clearExperience'));
  const links = [...recoveries(suggestions.nearMisses, criteria)].sort(
    (left, right) => right.count - left.count,
  );
  return (
    <div className={styles['empty']}>
      <p className={styles['message']}>Update filter criteria to see more results</p>
      {links.length > 0 && (
        <ul className={styles['links']}>
          {links.map(({ name, label, count, apply }) => (
            <li key={name}>
              <SearchLink
                criteria={apply(criteria)}
                cause={`nearMiss:${name}`}
                vanishes
                className={buttonClass('secondary')}
              >
                {`${wayOut(name, label, chips)}: ${formatNumber(count)} ${count === 1 ? 'match' : 'matches'}`}
              </SearchLink>
            </li>
          ))}
        </ul>
      )}
      {filterCount(chips) > 0 && (
        <SearchLink
          criteria={clearFilters(criteria, { clearExperience })}
          cause="clearFilters"
          vanishes
          className={buttonClass(links.length > 0 ? 'quiet' : 'secondary')}
        >
          Clear Filters
        </SearchLink>
      )}
    </div>
  );
}
