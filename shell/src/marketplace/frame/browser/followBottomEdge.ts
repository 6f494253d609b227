import type { EventBus } from '@forecourt/slots/events';

/** Share of the viewport above which a covered bottom edge leaves no room for floating buttons on a small screen. */
const CROWDED_SHARE = 0.12;

/**
 * Exposes to CSS how much of the viewport's bottom edge is covered, so that toasts
 * and floating controls stay above it, and give way to it on small screens.
 */
export function followBottomEdge(bus: EventBus): void {
  const heights = new Map<string, number>();
  bus.on('page.bottomCovered').subscribe(({ by, height }) => {
    heights.set(by, height);
    const tallest = Math.max(...heights.values());
    const { style } = document.documentElement;
    style.setProperty('--fc-bottom-covered', `${tallest}px`);
    const isCrowded = tallest > window.innerHeight * CROWDED_SHARE;
    style.setProperty('--fc-floating', isCrowded ? 'hidden' : 'visible');
  });
}
