import { useCallback, useEffect, type RefObject, useState } from 'react';
import { INFINITE_SCROLL_MARGIN } from '../constants.ts';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectFlag, usePageState, type SearchState } from '@forecourt/shared-contracts/store';
import { selectSearch } from '../selectSearch.ts';
import { whenNear } from '../browser/whenToLoad.ts';
import { nextRecord } from '../search/searchUrl.ts';

interface NextPages {
  readonly hasMore: boolean;
  readonly status: SearchState['status'];
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

/**
 * Do further pages come by scrolling? Only a click brings the second one; more
 * than one loaded page means that the shopper wants to scroll on (B4-PAGING-01,
 * B4-PAGING-02). A page that did not come waits for the shopper instead of being
 * tried again.
 */
export function useEndless(): boolean {
  const search = usePageState(selectSearch);
  const isOn = usePageState(selectFlag('infiniteScroll'));
  const { status, pageSizes } = search;
  const [first] = search.listings;
  const [tried, setTried] = useState({ first, pages: 0 });
  const pages = pageSizes.length;
  const isTried = tried.first === first && tried.pages === pages;
  if (status === 'loadingMore' && !isTried) setTried({ first, pages });
  const hasFailed = status === 'failed' || (status === 'ready' && isTried);
  return isOn && pages > 1 && !hasFailed && nextRecord(search) !== undefined;
}
