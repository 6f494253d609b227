import { useEffect, useRef, type FormEvent, type ReactNode, type RefObject } from 'react';
import { selectFlag, selectSearch, usePageState } from '@forecourt/shared-contracts/store';
import { Button } from '@forecourt/shared-contracts/ui';
import { formOf } from '../searchUrl.ts';
import { nextRecord } from './pages.ts';
import { useNextPages } from './useNextPages.ts';
import styles from './Paging.module.css';

/** 'See More Results': the next page below the loaded ones; a page of its own without JavaScript. */
export function Paging({
  tileCount,
  isPending,
  listRef,
}: {
  tileCount: number;
  /** Vehicles that have come are not on screen yet: the end of the list is not where it will be. */
  isPending: boolean;
  listRef: RefObject<HTMLUListElement | null>;
}): ReactNode {
  const search = usePageState(selectSearch);
  const isEndless = usePageState(selectFlag('infiniteScroll'));
  const sentinel = useRef<HTMLDivElement>(null);
  const next = nextRecord(search);
  const isLoading = search.status === 'loadingMore';
  const ask = useNextPages(sentinel, {
    hasMore: next !== undefined && !isPending,
    status: search.status,
    loadedPages: search.pageSizes.length,
    isEndless,
  });
  const focusFirstNew = useFocusFirstNew(tileCount, listRef);
  const { action, fields } = formOf(search.url, ['firstRecord']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    focusFirstNew();
    ask();
  };
  return (
    <div ref={sentinel} className={styles['paging']}>
      {(next !== undefined || isLoading) && (
        <form method="get" action={action} onSubmit={submit}>
          {fields.map(([name, value], index) => (
            <input key={`${index}${name}`} type="hidden" name={name} value={value} />
          ))}
          <input type="hidden" name="firstRecord" value={next ?? 0} />
          {/* Not disabled while it loads: that would take the focus away. */}
          <Button type="submit" aria-disabled={isLoading} className={styles['more']}>
            {isLoading ? 'Loading more results...' : 'See More Results'}
          </Button>
        </form>
      )}
    </div>
  );
}

/** The link of the first vehicle behind so many tiles; rows and tiles without a vehicle are passed by. */
function firstNewLink(list: HTMLElement | null, tiles: number): HTMLElement | null {
  const items = [...(list?.children ?? [])].filter(
    (item) => !item.matches('[data-tile=adRow], [data-tile=carousel]'),
  );
  for (const item of items.slice(tiles)) {
    const link = item.querySelector<HTMLElement>('[data-listing] h3 a');
    if (link) return link;
  }
  return null;
}

/**
 * The answer asks that the focus goes on at the first vehicle which comes next,
 * without a scroll: the button that was used moves below the new page.
 */
function useFocusFirstNew(tileCount: number, listRef: RefObject<HTMLUListElement | null>): () => void {
  const used = useRef<{ readonly count: number; readonly button: Element | null } | null>(null);
  useEffect(() => {
    if (!used.current || tileCount <= used.current.count) return;
    const { count, button } = used.current;
    used.current = null;
    // Whoever went on to something else meanwhile is left there.
    const { activeElement } = document;
    if (activeElement !== button && activeElement !== document.body) return;
    firstNewLink(listRef.current, count)?.focus({ preventScroll: true });
  }, [tileCount, listRef]);
  return () => {
    used.current = { count: tileCount, button: document.activeElement };
  };
}
