import { useCallback, useEffect, useRef, type RefObject } from 'react';
import { INFINITE_SCROLL_MARGIN } from '@forecourt/shared-contracts/rules';
import { useEmit } from '@forecourt/shared-contracts/slots';
import type { SearchStatus } from '@forecourt/shared-contracts/store';

interface NextPages {
  readonly hasMore: boolean;
  readonly status: SearchStatus;
  readonly loadedPages: number;
  /** Pages after the second come by scrolling. */
  readonly isEndless: boolean;
}

/**
 * Asks for the next page: on request, and by itself when the end of the list
 * comes near, once a second page was asked for (B4-PAGING-01, B4-PAGING-02).
 * Nothing is asked for while a search or a page is under way (B4-PAGING-03); a
 * page that did not come waits for the shopper instead of being tried again.
 */
export function useNextPages(
  sentinel: RefObject<Element | null>,
  { hasMore, status, loadedPages, isEndless }: NextPages,
): () => void {
  const emit = useEmit();
  const askedAt = useRef(0);
  const canAsk = hasMore && status === 'ready';
  const ask = useCallback(() => {
    if (!canAsk) return;
    askedAt.current = loadedPages;
    emit('search.moreRequested', {});
  }, [canAsk, emit, loadedPages]);
  useEffect(() => {
    const element = sentinel.current;
    // Only a click brings the second page: more than one loaded page means that the shopper wants to scroll on.
    if (!element || !isEndless || !canAsk || loadedPages < 2) return undefined;
    if (askedAt.current === loadedPages) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        ask();
      },
      { rootMargin: `0px 0px ${INFINITE_SCROLL_MARGIN}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [sentinel, isEndless, canAsk, loadedPages, ask]);
  return ask;
}
