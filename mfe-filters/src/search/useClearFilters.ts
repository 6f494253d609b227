import { clearFilters, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { isSameSearch } from './sameSearch.ts';

/** Clear Filters (B4-CLEAR-01..03); offered only where it changes the search: a radius alone stays. */
export function useClearFilters(criteria: SearchCriteria) {
  const clearExperience = usePageState(selectFlag('clearExperience'));
  const clear = (newest: SearchCriteria) => clearFilters(newest, { clearExperience });
  return { clear, isOffered: !isSameSearch(criteria, clear(criteria)) };
}
