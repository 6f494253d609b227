import type { SearchState } from '@forecourt/shared-contracts/store';

type Paged = Pick<SearchState, 'criteria' | 'firstLoadedRecord' | 'totalResultCount'>;

/** Offset of the page after the loaded ones; undefined after the last. */
export function nextRecord({ criteria, totalResultCount }: Paged): number | undefined {
  const next = criteria.firstRecord + criteria.numRecords;
  return next < totalResultCount ? next : undefined;
}

/** Offset of the page before the loaded ones; undefined before the first. */
export function previousRecord({ criteria, firstLoadedRecord }: Paged): number | undefined {
  return firstLoadedRecord > 0 ? Math.max(0, firstLoadedRecord - criteria.numRecords) : undefined;
}
