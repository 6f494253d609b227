import { useCallback, useEffect, type RefObject, useState } from 'react';
import { INFINITE_SCROLL_MARGIN } from '../constants.ts';
import { useEmit } from '@forecourt/shared-contracts/slots';
import { selectFlag, usePageState, type SearchState } from '@forecourt/shared-contracts/store';
import { selectSearch } from '../selectSearch.ts';
import { whenNear } from '../browser/lazyLoading.ts';
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
  /** Marker at the end of the list. */
  end: RefObject<Element | null>,
  { hasMore, status, isEndless }: NextPages,
): () => void {
  const emit = useEmit();
  const canRequest = hasMore && status === 'ready';
  const requestNextPage = useCallback(() => {
    if (canRequest) emit('search.moreRequested', {});
  }, [canRequest, emit]);
  useEffect(() => {
    if (!list.current || !end.current || !isEndless || !canRequest) return undefined;
    const placeholders =
      list.current.getBoundingClientRect().bottom - end.current.getBoundingClientRect().top;
    // The margin includes the placeholders, so that scrolling to the last one still counts.
    return whenNear(
      end.current,
      requestNextPage,
      `${Math.round(placeholders)}px 0px ${INFINITE_SCROLL_MARGIN}px 0px`,
    );
  }, [list, end, isEndless, canRequest, requestNextPage]);
  return requestNextPage;
}

/**
 * Whether pages load by infinite scroll: the second page loads on click only; once more than one page is
 * loaded, the next ones load on scroll (B4-PAGING-01, B4-PAGING-02). A failed page is not retried
 * automatically.
 */
export function useEndless(): boolean {
  const search = usePageState(selectSearch);
  const isOn = usePageState(selectFlag('infiniteScroll'));
  const { status, pageSizes } = search;
  const [first] = search.listings;
  const [lastRequest, setTried] = useState({ first, pages: 0 });
  const pages = pageSizes.length;
  const isTried = lastRequest.first === first && lastRequest.pages === pages;
  if (status === 'loadingMore' && !isTried) setTried({ first, pages });
  const hasFailed = status === 'failed' || (status === 'ready' && isTried);
  return isOn && pages > 1 && !hasFailed && nextRecord(search) !== undefined;
}
