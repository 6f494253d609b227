import { useCallback, useEffect, type RefObject } from 'react';
import { INFINITE_SCROLL_MARGIN } from '@forecourt/shared-contracts/rules';
import { useEmit } from '@forecourt/shared-contracts/slots';
import type { SearchStatus } from '@forecourt/shared-contracts/store';

interface NextPages {
  readonly hasMore: boolean;
  readonly status: SearchStatus;
  /** The next page comes by scrolling. */
  readonly isEndless: boolean;
}

/**
 * Asks for the next page: on request, and in endless results by itself when the
 * end of the list comes near (B4-PAGING-02). Nothing is asked for while a search
 * or a page is under way (B4-PAGING-03).
 *
 * @param end what begins where the list ends
 */
export function useNextPages(
  end: RefObject<Element | null>,
  { hasMore, status, isEndless }: NextPages,
): () => void {
  const emit = useEmit();
  const canAsk = hasMore && status === 'ready';
  const ask = useCallback(() => {
    if (canAsk) emit('search.moreRequested', {});
  }, [canAsk, emit]);
  useEffect(() => {
    const element = end.current;
    if (!element || !isEndless || !canAsk) return undefined;
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
  }, [end, isEndless, canAsk, ask]);
  return ask;
}
