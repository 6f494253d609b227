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
  /** Infinite scroll is on. */
  readonly isEndless: boolean;
}

/**
 * Requests the next page: on demand, and with infinite scroll when the end of the list comes near
 * (B4-PAGING-02) or a placeholder after it is in view. Never while a search or page is loading (B4-PAGING-03).
 */
export function useNextPages(
  list: RefObject<Element | null>,
  /** Marker where the list ends. */
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
    // The margin covers the placeholders, so that scrolling to the last one still counts.
    return whenNear(end.current, ask, `${Math.round(placeholders)}px 0px ${INFINITE_SCROLL_MARGIN}px 0px`);
  }, [list, end, isEndless, canAsk, ask]);
  return ask;
}

/**
 * Whether pages load by infinite scroll: only a click loads the second one, and more than one loaded page
 * means the shopper scrolls on (B4-PAGING-01, B4-PAGING-02). A failed page is not retried automatically.
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
