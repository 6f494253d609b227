import { useCallback, useEffect, type RefObject } from 'react';
import { useEmit } from '@forecourt/shared-contracts/slots';
import type { SearchStatus } from '@forecourt/shared-contracts/store';
import { whenNear } from '../loading/useNear.ts';
import { INFINITE_SCROLL_MARGIN } from '../constants.ts';

interface NextPages {
  readonly hasMore: boolean;
  readonly status: SearchStatus;
  /** The next page comes by scrolling. */
  readonly isEndless: boolean;
}

/**
 * Asks for the next page: on request, and in endless results by itself when the
 * end of the list comes near (B4-PAGING-02) or one of the placeholders behind it
 * is in sight. Nothing is asked for while a search or a page is under way
 * (B4-PAGING-03).
 */
export function useNextPages(
  list: RefObject<Element | null>,
  /** What begins where the list ends. */
  end: RefObject<Element | null>,
  { hasMore, status, isEndless }: NextPages,
): () => void {
  const emit = useEmit();
  const canAsk = hasMore && status === 'ready';
  const ask = useCallback(() => {
    if (canAsk) emit('search.moreRequested', {});
  }, [canAsk, emit]);
  useEffect(() => {
    if (!list.current || !end.current || !isEndless || !canAsk) return undefined;
    const placeholders =
      list.current.getBoundingClientRect().bottom - end.current.getBoundingClientRect().top;
    // Above the screen as far as the placeholders reach: with their last one the end is still in sight.
    return whenNear(end.current, ask, `${Math.round(placeholders)}px 0px ${INFINITE_SCROLL_MARGIN}px 0px`);
  }, [list, end, isEndless, canAsk, ask]);
  return ask;
}
