import type { ReactNode } from 'react';
import { filterCount, recoveries, type Chip } from '@forecourt/search/catalog';
import { clearFilters } from '@forecourt/search/criteria';
import { formatCount } from '@forecourt/search/format';
import { selectFlag } from '@forecourt/search/state';
import { usePageState } from '@forecourt/slots';
import { buttonClass } from '@forecourt/slots/ui';
import { SearchLink, selectSearch } from '../search/SearchLink.tsx';
import styles from './NoResults.module.css';

/** 'Remove “Purple” (18 matches)', or 'Search anywhere (18 matches)' for the location. */
function recoveryLabel(
  { name, label, count }: { readonly name: string; readonly label: string; readonly count: number },
  chips: readonly Chip[],
): string {
  const own = chips.filter(({ section }) => section === name).map((chip) => chip.label);
  const action = name === 'location' ? 'Search anywhere' : `Remove \u201c${own.join(', ') || label}\u201d`;
  return `${action} (${formatCount(count, 'match', 'matches')})`;
}

/**
 * Shown for an empty or invalid search: filters whose removal alone brings results,
 * best first.
 */
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
                focusesResults
                className={buttonClass('secondary')}
              >
                {recoveryLabel({ name, label, count }, chips)}
              </SearchLink>
            </li>
          ))}
        </ul>
      )}
      {filterCount(chips) > 0 && (
        <SearchLink
          criteria={clearFilters(criteria, { clearExperience })}
          cause="clearFilters"
          focusesResults
          className={buttonClass(links.length > 0 ? 'quiet' : 'secondary')}
        >
          Clear Filters
        </SearchLink>
      )}
    </div>
  );
}
