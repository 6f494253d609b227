import type { EventBus } from '@forecourt/shared-contracts/events';

/** Several changes in a row are said once, by their last result. */
const ANNOUNCE_AFTER_MS = 500;
/** The polite live region in the page's frame. */
const REGION_ID = 'fc-announcer';

/** Answers what says a message to screen readers, in the page's polite live region. */
export function createLiveRegion(): (message: string) => void {
  const region = document.getElementById(REGION_ID);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (message) => {
    if (!region) return;
    clearTimeout(timer);
    // Emptied first, or a message that equals the last one would not be said.
    region.textContent = '';
    timer = setTimeout(() => (region.textContent = message), ANNOUNCE_AFTER_MS);
  };
}

/**
 * Tells CSS how much of the viewport's bottom edge is covered, so that toasts
 * and floating controls stand above it: the tallest of what says so.
 */
export function followBottomEdge(bus: EventBus): void {
  const heights = new Map<string, number>();
  bus.on('page.bottomCovered').subscribe(({ by, height }) => {
    heights.set(by, height);
    const tallest = Math.max(...heights.values());
    document.documentElement.style.setProperty('--fc-bottom-covered', `${tallest}px`);
  });
}
