import { useMemo, useState, type RefObject, useEffect } from 'react';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { selectSearch } from '../selectSearch.ts';
import { selectSession, usePageState, type SearchState } from '@forecourt/shared-contracts/store';
import { paymentSnapshots } from '../listing/price.ts';
import { promotedFilter } from './PromoTile.tsx';
import { isGrown, useSlices, type GridContent } from './slices.ts';
import { gridItems, type GridFeatures } from './gridItems.ts';

interface GridContents {
  /** Content of the store. */
  readonly newest: GridContent;
  /** Content on screen: follows `newest` in slices, so that clicks and typing never wait for cards. */
  readonly shownContent: GridContent;
  /** The next page is loading, or loaded but not completely on screen. */
  readonly isGrowing: boolean;
}

/** Tiles that the grid may contain besides vehicles, by brand, flags and visitor. */
function useFeatures({
  listings,
  pageSizes,
  suggestions,
  criteria,
}: Pick<SearchState, 'listings' | 'pageSizes' | 'suggestions' | 'criteria'>): GridFeatures {
  const { flags, isBot, brand } = usePageState(selectSession);
  // Decided by the first page and the example budget, which server and browser know, so that no card moves.
  const firstPage = pageSizes[0] ?? 0;
  const hasAffordable = useMemo(
    () => paymentSnapshots(listings.slice(0, firstPage), null, 1).length > 0,
    [listings, firstPage],
  );
  const hasPromo = promotedFilter(suggestions.filters, criteria) !== undefined;
  return useMemo(() => {
    const isOn = (flag: string) => flags[flag] ?? false;
    // Crawlers get no ads.
    const hasAds = isOn('ads') && !isBot;
    return {
      hasPromo,
      hasAds,
      hasWallet: isOn('wallet') && hasAffordable,
      fluidAds: isOn('fluidAds'),
      hasPeekaboo: hasAds && isOn('peekaboo'),
      peekabooPosition: BRANDS[brand].peekabooPosition,
      spotlightCarousel: isOn('spotlightCarousel'),
      hasCapture: true,
    };
  }, [flags, isBot, brand, hasPromo, hasAffordable]);
}

/**
 * The content of the grid. A changed search clears the spotlights while the old listings stay, so the grid
 * keeps its content until the response arrives.
 */
export function useGrid(listEnd: RefObject<HTMLElement | null>): GridContents {
  const search = usePageState(selectSearch);
  const isCurrent = search.status === 'ready' || search.status === 'loadingMore';
  const [settledSearch, setSettledSearch] = useState(search);
  if (isCurrent && settledSearch !== search) setSettledSearch(search);
  const current = isCurrent ? search : settledSearch;
  const features = useFeatures(current);
  const { listings, pageSizes, spotlights, boost, vehicleHighlight, totalResultCount } = current;
  const { criteria, owners, firstLoadedRecord } = current;
  const { sortBy } = criteria;
  const items = useMemo(
    () =>
      gridItems({
        listings,
        pageSizes,
        spotlights,
        boost,
        vehicleHighlight,
        totalResultCount,
        firstLoadedRecord,
        sortBy,
        features,
      }),
    [
      listings,
      pageSizes,
      spotlights,
      boost,
      vehicleHighlight,
      totalResultCount,
      firstLoadedRecord,
      sortBy,
      features,
    ],
  );
  const pageCount = pageSizes.length;
  const [first] = listings;
  const newest = useMemo(() => ({ items, owners, first, pageCount }), [items, owners, first, pageCount]);
  const shownContent = useSlices(newest, listEnd);
  const isGrowing = search.status === 'loadingMore' || (isCurrent && isGrown(shownContent, newest));
  return { newest, shownContent, isGrowing };
}

/** Faster responses never dim the results. */
const DIM_DELAY_MS = 100;

/**
 * Whether to dim stale results. Uses a timer because a delayed CSS transition would create a layer for the
 * whole grid during the click.
 */
export function useDimming(isStale: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isStale) return undefined;
    const timer = setTimeout(() => setIsLate(true), DIM_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isStale]);
  return isStale && isLate;
}
