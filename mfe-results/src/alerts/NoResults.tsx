import type { ReactNode } from 'react';
import { recoveries } from '@forecourt/shared-contracts/search';
import { selectSearch, usePageState } from '@forecourt/shared-contracts/store';
import { buttonClass, formatNumber } from '@forecourt/shared-contracts/ui';
import { SearchLink } from '../SearchLink.tsx';
import styles from './NoResults.module.css';

/** An empty or invalid search (A4-FLOW-02, A4-FLOW-03), and the single filters whose removal helps, best first. */
export function NoResults(): ReactNode {
  const { criteria, suggestions } = usePageState(selectSearch);
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
                className={buttonClass('secondary')}
              >
                {`Without ${label}: ${formatNumber(count)} ${count === 1 ? 'match' : 'matches'}`}
              </SearchLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
