import { startTransition, useEffect, useState, type RefObject } from 'react';
import type { Listing } from '@forecourt/shared-contracts/entities';
import type { SearchState } from '@forecourt/shared-contracts/store';
import { keyOf, segmentOf, type GridItem } from './tiles.ts';

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
 * Items that are appended one at a time, because the browser lays them out at once; the others follow by
 * segment.
 */
const NEAR_ITEMS = 6;

/** Number of shown items of a page that is not shown completely. */
export const partialPageItems = ({ items, pageCount }: GridContent): number =>
  items.length - items.findLastIndex(({ page }) => page < pageCount) - 1;

/** Whether `newest` appends a page to the shown content. */
export const isGrown = (shownContent: GridContent, newest: GridContent): boolean =>
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
  const segment = segmentOf(newest.items[length] ?? lastShown);
  const isNear = partialPageItems(shownContent) < NEAR_ITEMS || segment === segmentOf(lastShown);
  const end = isNear
    ? length + 1
    : newest.items.findIndex((item, at) => at > length && segmentOf(item) !== segment);
  return end > 0 && end < newest.items.length
    ? { ...shownContent, items: newest.items.slice(0, end), owners: newest.owners }
    : newest;
}

/**
 * Follows the newest content without blocking interaction: changes render in transitions, and an appended page
 * comes in slices, one a frame. A shopper who has reached `listEnd` gets the whole page at once, because no
 * visible placeholder may move. The first render equals the server's.
 */
export function useSlices(newest: GridContent, listEnd: RefObject<HTMLElement | null>): GridContent {
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
