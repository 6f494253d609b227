import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { clearFilters } from '@forecourt/shared-contracts/criteria';
import { filterCount, recoveries, type Chip } from '@forecourt/shared-contracts/catalog';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { buttonClass, Button } from '@forecourt/shared-contracts/ui';
import { formatCount } from '@forecourt/shared-contracts/rules';
import { SearchLink, selectSearch } from '../search/SearchLink.tsx';
import styles from './NoResults.module.css';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { searchedMakeModel } from './ResultsHeader.tsx';
import alertStyles from './SearchAlerts.module.css';

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
 * Shown for an empty or invalid search (A4-FLOW-02, A4-FLOW-03): filters whose removal alone brings results,
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

/** Messages above the results: an expired vehicle, a notice, a failed search. */
export function SearchAlerts(): ReactNode {
  const search = usePageState(selectSearch);
  const { adjustment, criteria, notice, status } = search;
  return (
    <>
      {criteria.expiredListing && (
        <div className={alertStyles['alert']}>
          <p className={alertStyles['lead']}>
            {`We're sorry, the ${searchedMakeModel(search) ?? 'vehicle'} you were looking for is no longer available.`}
          </p>
          <p>Here are vehicles you may be interested in.</p>
        </div>
      )}
      {notice && (
        <p role="status" className={alertStyles['alert']}>
          {notice}
        </p>
      )}
      {adjustment && (
        <p role="status" className={alertStyles['alert']}>
          {adjustment.text} <a href={adjustment.undo.href}>{adjustment.undo.label}</a>
        </p>
      )}
      {status === 'failed' && <FailedSearch />}
    </>
  );
}

function followConnection(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}

/** Whether the browser has no network; false on the server. */
const useOffline = (): boolean =>
  useSyncExternalStore(
    followConnection,
    () => !navigator.onLine,
    () => false,
  );

/** Says why the vehicles below don't fit the filters, and searches again when the network is back. */
function FailedSearch(): ReactNode {
  const emit = useEmit();
  const isOffline = useOffline();
  useEffect(() => {
    const retry = () => emit('search.retryRequested', {});
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [emit]);
  return (
    <div role="alert" className={`${alertStyles['alert']} ${alertStyles['error']}`}>
      <div>
        <p className={alertStyles['lead']}>
          {isOffline
            ? 'You’re offline. We’ll search again when you’re back online.'
            : 'We are sorry. There was an issue with your last search.'}
        </p>
        <p>These vehicles are from your previous search.</p>
      </div>
      <Button onClick={() => emit('search.retryRequested', {})}>Please try again</Button>
    </div>
  );
}
