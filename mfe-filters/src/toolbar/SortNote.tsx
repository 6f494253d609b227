import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { useSlotEnvironment } from '@forecourt/slots';
import { isPlainClick } from '@forecourt/slots/ui';
import { focusResults } from '../search/focusResults.ts';
import { searchHref } from '../search/links.ts';
import { useDeferredCriteria, useEdit } from '../search/searchEdits.tsx';
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
export function SortNote(): ReactNode {
  const criteria = useDeferredCriteria();
  const edit = useEdit();
  const replacedSort = useReplacedSort(criteria);
  const labelOf = (sort: SortValue) => SORT_OPTIONS.find(({ value }) => value === sort)?.label ?? sort;
  if (replacedSort === undefined) return null;
  return (
    <p className={styles['note']} role="status">
      {`Sorted by \u201c${labelOf(criteria.sortBy)}\u201d, because keyword searches start with the highest price. `}
      <a
        href={searchHref(setSort(criteria, replacedSort))}
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          focusResults();
          edit((current) => setSort(current, replacedSort), 'sort');
        }}
      >
        {`Sort by \u201c${labelOf(replacedSort)}\u201d`}
      </a>
    </p>
  );
}
