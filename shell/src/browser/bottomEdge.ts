import type { EventBus } from '@forecourt/shared-contracts/events';

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
