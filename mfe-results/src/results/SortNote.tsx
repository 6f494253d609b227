import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { useSlotEnvironment } from '@forecourt/slots';
import { SearchLink } from '../search/SearchLink.tsx';
import styles from './SortNote.module.css';
import { setSort, SORT_OPTIONS, type SortValue } from './sorting.ts';

/** The order before a keyword search changed it by itself; undefined otherwise. */
function useReplacedSort({ sortBy }: SearchCriteria): SortValue | undefined {
  const { listen } = useSlotEnvironment();
  const shownSort = useRef(sortBy);
  const [replacedSort, setReplaced] = useState<SortValue>();
  useEffect(() => {
    shownSort.current = sortBy;
  }, [sortBy]);
  useEffect(
    () =>
      listen('search.changeRequested', ({ criteria, cause }) =>
        setReplaced(
          cause === 'keyword' && criteria.sortBy !== shownSort.current ? shownSort.current : undefined,
        ),
      ),
    [listen],
  );
  return replacedSort === sortBy ? undefined : replacedSort;
}

/** Says why a keyword search is sorted by price, with one click back. */
export function SortNote({ criteria }: { criteria: SearchCriteria }): ReactNode {
  const replacedSort = useReplacedSort(criteria);
  const labelOf = (sort: SortValue) => SORT_OPTIONS.find(({ value }) => value === sort)?.label ?? sort;
  if (replacedSort === undefined) return null;
  return (
    <p className={styles['note']} role="status">
      {`Sorted by \u201c${labelOf(criteria.sortBy)}\u201d, because keyword searches start with the highest price. `}
      <SearchLink criteria={setSort(criteria, replacedSort)} cause="sort" focusesResults>
        {`Sort by \u201c${labelOf(replacedSort)}\u201d`}
      </SearchLink>
    </p>
  );
}
