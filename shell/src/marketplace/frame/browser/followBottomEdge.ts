import type { EventBus } from '@forecourt/slots/events';

/** Exposes to CSS how much of the viewport's bottom edge is covered, so that toasts and focused controls stay above it. */
export function followBottomEdge(bus: EventBus): void {
  const heights = new Map<string, number>();
  bus.on('page.bottomCovered').subscribe(({ by, height }) => {
    heights.set(by, height);
    document.documentElement.style.setProperty('--fc-bottom-covered', `${Math.max(...heights.values())}px`);
  });
}
