import { useCallback, useEffect, useRef, type FormEvent, type ReactNode, type RefObject } from 'react';
import { usePageState } from '@forecourt/shared-contracts/store';
import { Button } from '@forecourt/shared-contracts/ui';
import { formOf } from '../search/searchUrl.ts';
import { nextRecord } from '../search/searchUrl.ts';
import { useNextPages } from './useNextPages.ts';
import styles from './Paging.module.css';
import { selectSearch } from '../selectSearch.ts';

/** 'See More Results': the next page below the loaded ones; a page of its own without JavaScript. */
export function Paging({
  tileCount,
  isPending,
  isGrowing,
  isEndless,
  listRef,
  endRef,
}: {
  tileCount: number;
  /** Vehicles that have come are not on screen yet: the end of the list is not where it will be. */
  isPending: boolean;
  /** The placeholders of the next page stand above it. */
  isGrowing: boolean;
  /** The next page comes by scrolling. */
  isEndless: boolean;
  listRef: RefObject<HTMLElement | null>;
  /** What begins where the list ends. */
  endRef: RefObject<HTMLElement | null>;
}): ReactNode {
  const search = usePageState(selectSearch);
  const next = nextRecord(search);
  const ask = useNextPages(listRef, endRef, {
    hasMore: next !== undefined && !isPending,
    status: search.status,
    isEndless,
  });
  const { focusFirstNew, takeFocus, buttonRef } = useFocusFirstNew(tileCount, isGrowing, listRef);
  const { action, fields } = formOf(search.url, ['firstRecord']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    focusFirstNew();
    ask();
  };
  return (
    <>
      {/* While a page comes another element says so: had the button moved with the placeholders, that were a layout shift. */}
      {isGrowing && (
        <div className={styles['paging']}>
          <p ref={takeFocus} className={styles['loading']} role="status" tabIndex={-1}>
            Loading more results...
          </p>
        </div>
      )}
      {/* A failed search has no next page: its alert offers to try again. The form stays meanwhile: for each new one the browser looks through the whole page for fields to fill in. */}
      {next !== undefined && (
        <div className={styles['paging']} hidden={isGrowing || isEndless || search.status === 'failed'}>
          <form method="get" action={action} onSubmit={submit}>
            {fields.map(([name, value], index) => (
              <input key={`${index}${name}`} type="hidden" name={name} value={value} />
            ))}
            <input type="hidden" name="firstRecord" value={next} />
            <Button ref={buttonRef} type="submit" className={styles['more']}>
              See More Results
            </Button>
          </form>
        </div>
      )}
    </>
  );
}

/** The link of the first vehicle behind so many tiles; rows and tiles without a vehicle are passed by. */
function firstNewLink(list: HTMLElement | null, tiles: number): HTMLElement | null {
  const items = [...(list?.querySelectorAll(':scope > * > * > [data-tile]') ?? [])].filter(
    (item) => !item.matches('[data-tile=adRow], [data-tile=carousel]'),
  );
  for (const item of items.slice(tiles)) {
    const link = item.querySelector<HTMLElement>('[data-listing] h3 a');
    if (link) return link;
  }
  return null;
}

interface NextFocus {
  /** Asks that the focus goes on at the first vehicle which comes next. */
  readonly focusFirstNew: () => void;
  /** Ref of what stands in for the button meanwhile: it keeps the focus that the button had. */
  readonly takeFocus: (element: HTMLElement | null) => void;
  /** Ref of the button: it gets the focus back when nothing came. */
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
}

/**
 * Lets the focus go on at the first new vehicle, without a scroll: the button
 * that was used comes back below the new page.
 */
function useFocusFirstNew(
  tileCount: number,
  isGrowing: boolean,
  listRef: RefObject<HTMLElement | null>,
): NextFocus {
  const usedAt = useRef<number | null>(null);
  const standIn = useRef<HTMLElement | null>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const count = usedAt.current;
    if (count === null || (isGrowing && tileCount <= count)) return;
    usedAt.current = null;
    // Whoever went on to something else meanwhile is left there.
    const { activeElement } = document;
    if (activeElement !== standIn.current && activeElement !== document.body) return;
    const next = tileCount > count ? firstNewLink(listRef.current, count) : buttonRef.current;
    next?.focus({ preventScroll: true });
  }, [tileCount, isGrowing, listRef]);
  const takeFocus = useCallback((element: HTMLElement | null) => {
    standIn.current = element;
    if (element && usedAt.current !== null) element.focus({ preventScroll: true });
  }, []);
  return {
    focusFirstNew: () => {
      usedAt.current = tileCount;
    },
    takeFocus,
    buttonRef,
  };
}
