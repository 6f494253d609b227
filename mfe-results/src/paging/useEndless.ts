import { useState } from 'react';
import { selectFlag, usePageState } from '@forecourt/shared-contracts/store';
import { nextRecord } from './pages.ts';
import { selectSearch } from '../selectSearch.ts';

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
