import { useMemo, useState, type RefObject, useEffect } from 'react';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import { selectSearch } from '../selectSearch.ts';
import { selectSession, usePageState, type SearchState } from '@forecourt/shared-contracts/store';
import { promotedFilter } from './PromoTile.tsx';
import { isGrown, useSlices, type GridContent } from './slices.ts';
import { gridItems, type GridFeatures } from './gridItems.ts';

interface GridContents {
  /** What the store holds. */
  readonly newest: GridContent;
  /** What is on screen: it follows the newest in slices, so that neither a click nor typing waits for cards. */
  readonly shown: GridContent;
  /** The next page is on its way, or has come and is not on screen yet. */
  readonly isGrowing: boolean;
}

/** What brand, flags and visitor let into the grid beside vehicles. */
function useFeatures({ suggestions, criteria }: Pick<SearchState, 'suggestions' | 'criteria'>): GridFeatures {
  const { flags, isBot, brand } = usePageState(selectSession);
  const hasPromo = promotedFilter(suggestions.filters, criteria) !== undefined;
  return useMemo(() => {
    const isOn = (flag: string) => flags[flag] ?? false;
    // Nobody reads an ad to a crawler.
    const hasAds = isOn('ads') && !isBot;
    return {
      hasPromo,
      hasAds,
      hasWallet: isOn('wallet'),
      fluidAds: isOn('fluidAds'),
      hasPeekaboo: hasAds && isOn('peekaboo'),
      peekabooPosition: BRANDS[brand].peekabooPosition,
      spotlightCarousel: isOn('spotlightCarousel'),
      hasCapture: true,
    };
  }, [flags, isBot, brand, hasPromo]);
}

/**
 * The content of the grid. A changed search empties the spotlights at once
 * while the old listings stay: until its answer the grid keeps what it showed,
 * so that nothing jumps twice.
 */
export function useGrid(listEnd: RefObject<HTMLElement | null>): GridContents {
  const search = usePageState(selectSearch);
  const isCurrent = search.status === 'ready' || search.status === 'loadingMore';
  const [kept, setKept] = useState(search);
  if (isCurrent && kept !== search) setKept(search);
  const answered = isCurrent ? search : kept;
  const features = useFeatures(answered);
  const { listings, pageSizes, spotlights, boost, vehicleHighlight, totalResultCount } = answered;
  const { criteria, owners, firstLoadedRecord } = answered;
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
  const shown = useSlices(newest, listEnd);
  const isGrowing = search.status === 'loadingMore' || (isCurrent && isGrown(shown, newest));
  return { newest, shown, isGrowing };
}

/** An answer within 100 ms dims nothing. */
const DIMS_AFTER_MS = 100;

/**
 * Are stale results to be dimmed? A timer instead of a delayed transition: the
 * browser would make a layer of the whole grid at once, within the very click
 * that began the search.
 */
export function useDimming(isStale: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isStale) return undefined;
    const timer = setTimeout(() => setIsLate(true), DIMS_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isStale]);
  return isStale && isLate;
}
