import { startTransition, useEffect, useState, type RefObject } from 'react';
import type { Listing } from '@forecourt/shared-contracts/entities';
import type { SearchState } from '@forecourt/shared-contracts/store';
import { keyOf, segmentOf, type GridItem } from './tiles.ts';

/** What the grid shows of one answer. */
export interface GridContent {
  readonly items: readonly GridItem[];
  readonly owners: SearchState['owners'];
  /** The first match: the same object for all pages of one answer. */
  readonly first: Listing | undefined;
  /** Number of pages that are shown whole. */
  readonly pageCount: number;
}

/**
 * Items of a page that come one at a time: those next to what is on screen, which
 * the browser lays out and paints. The others come by the segment, which it
 * leaves alone until it comes near.
 */
const NEAR_ITEMS = 6;

/** Number of items that a page has which is not shown whole yet. */
export const arrivedItems = ({ items, pageCount }: GridContent): number =>
  items.length - items.findLastIndex(({ page }) => page < pageCount) - 1;

/** Is the next page of what is shown on its way into the grid? */
export const isGrown = (shown: GridContent, newest: GridContent): boolean =>
  newest.first === shown.first && newest.pageCount > shown.pageCount;

/**
 * What is to be shown next on the way to the newest content: the next few items
 * of an appended page, or all of it where something else has changed.
 */
export function nextSlice(shown: GridContent, newest: GridContent): GridContent {
  const { length } = shown.items;
  const [last, same] = [shown.items[length - 1], newest.items[length - 1]];
  if (!isGrown(shown, newest) || !last || !same || keyOf(last) !== keyOf(same)) return newest;
  const segment = segmentOf(newest.items[length] ?? last);
  const isNear = arrivedItems(shown) < NEAR_ITEMS || segment === segmentOf(last);
  const end = isNear
    ? length + 1
    : newest.items.findIndex((item, at) => at > length && segmentOf(item) !== segment);
  return end > 0 && end < newest.items.length
    ? { ...shown, items: newest.items.slice(0, end), owners: newest.owners }
    : newest;
}

/**
 * Follows the newest content without holding up the shopper: what changes is
 * prepared in interruptible pieces, and an appended page comes slice by slice, one
 * a frame. To whoever has reached the `listEnd` the page
 * comes at once: no placeholder in sight may move. The same on the server and at
 * first, so that both agree.
 */
export function useSlices(newest: GridContent, listEnd: RefObject<HTMLElement | null>): GridContent {
  const [shown, setShown] = useState(newest);
  useEffect(() => {
    if (shown === newest) return undefined;
    const show = (next: GridContent) => startTransition(() => setShown(next));
    if (!isGrown(shown, newest)) {
      show(newest);
      return undefined;
    }
    if (arrivedItems(shown) === 0) {
      // In a frame the page is laid out anyway; between two it would be once more.
      const frame = requestAnimationFrame(() => {
        const end = listEnd.current?.getBoundingClientRect().top ?? 0;
        show(end < window.innerHeight ? newest : nextSlice(shown, newest));
      });
      return () => cancelAnimationFrame(frame);
    }
    // Behind the frame of the slice before: two in one frame were one long task again.
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => show(nextSlice(shown, newest)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [shown, newest, listEnd]);
  return shown;
}
