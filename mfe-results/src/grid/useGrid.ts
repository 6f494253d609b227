import { useMemo, useState, type RefObject, useEffect, startTransition } from 'react';
import { BRANDS } from '@forecourt/search/brands';
import { selectSession, type SearchState } from '@forecourt/search/state';
import { usePageState } from '@forecourt/slots';
import type { Listing } from '@forecourt/upstream/entities';
import { selectSearch } from '../search/SearchLink.tsx';
import { paymentSnapshots } from '../listing/price.ts';
import { gridItems, type GridFeatures } from './gridItems.ts';
import { keyOf, type GridItem } from './tiles.ts';
import { promotedFilter } from './PromoCard.tsx';

/** The grid's content for one response. */
export interface GridContent {
  readonly items: readonly GridItem[];
  readonly owners: SearchState['owners'];
  /** The first match; the same object for all pages of one response. */
  readonly first: Listing | undefined;
  /** Number of completely shown pages. */
  readonly pageCount: number;
}

/**
 * Items that are appended one at a time, because the browser lays them out at once; the others follow in slices of
 * as many tiles.
 */
const NEAR_ITEMS = 6;

/** Zero-based index of the slice that appends an item. */
const sliceOf = ({ position }: GridItem): number => Math.floor(position / NEAR_ITEMS);

/** Number of shown items of a page that is not shown completely. */
export const partialPageItems = ({ items, pageCount }: GridContent): number =>
  items.length - items.findLastIndex(({ page }) => page < pageCount) - 1;

/** Whether `newest` appends a page to the shown content. */
const isGrown = (shownContent: GridContent, newest: GridContent): boolean =>
  newest.first === shownContent.first && newest.pageCount > shownContent.pageCount;

/**
 * The next step toward `newest`: a few more items of an appended page, or all of it when anything else
 * changed.
 */
export function nextSlice(shownContent: GridContent, newest: GridContent): GridContent {
  const { length } = shownContent.items;
  const [lastShown, newestAtSameIndex] = [shownContent.items[length - 1], newest.items[length - 1]];
  if (
    !isGrown(shownContent, newest) ||
    !lastShown ||
    !newestAtSameIndex ||
    keyOf(lastShown) !== keyOf(newestAtSameIndex)
  )
    return newest;
  const slice = sliceOf(newest.items[length] ?? lastShown);
  const isNear = partialPageItems(shownContent) < NEAR_ITEMS || slice === sliceOf(lastShown);
  const end = isNear
    ? length + 1
    : newest.items.findIndex((item, at) => at > length && sliceOf(item) !== slice);
  return end > 0 && end < newest.items.length
    ? { ...shownContent, items: newest.items.slice(0, end), owners: newest.owners }
    : newest;
}

/**
 * Follows the newest content without blocking interaction: changes render in transitions, and an appended page
 * comes in slices, one a frame. A shopper who has reached `listEnd` gets the whole page at once, because no
 * visible placeholder may move. The first render equals the server's.
 */
function useSlices(newest: GridContent, listEnd: RefObject<HTMLElement | null>): GridContent {
  const [shownContent, setShownContent] = useState(newest);
  useEffect(() => {
    if (shownContent === newest) return undefined;
    const show = (next: GridContent) => startTransition(() => setShownContent(next));
    if (!isGrown(shownContent, newest)) {
      show(newest);
      return undefined;
    }
    if (partialPageItems(shownContent) === 0) {
      // Inside a frame, where layout happens anyway.
      const frame = requestAnimationFrame(() => {
        const end = listEnd.current?.getBoundingClientRect().top ?? 0;
        show(end < window.innerHeight ? newest : nextSlice(shownContent, newest));
      });
      return () => cancelAnimationFrame(frame);
    }
    // After the frame of the previous slice: two in one frame would be a long task.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => show(nextSlice(shownContent, newest)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [shownContent, newest, listEnd]);
  return shownContent;
}

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
  const { sortBy, numRecords } = criteria;
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
        numRecords,
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
      numRecords,
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
