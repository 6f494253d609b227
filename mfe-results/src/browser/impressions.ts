import { createContext, useCallback, useContext } from 'react';
import type { EventInput } from '@forecourt/shared-contracts/events';

type Tracked = EventInput<'page.tracked'>;

/** ms for which seen tiles are gathered, so that scrolling is not interrupted by each. */
const GATHER_MS = 250;
/** Share of a tile that must be in view. */
const SEEN_SHARE = 0.5;

/** Reports each watched element once, when half of it has come into view (AMB-177). Browser only. */
export class ImpressionTracker {
  private readonly waiting = new Map<Element, Tracked>();
  private seen: Tracked[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private observer: IntersectionObserver | undefined;
  private readonly report: (seen: Tracked) => void;

  constructor(report: (seen: Tracked) => void) {
    this.report = report;
  }

  /** The answer stops watching. */
  watch(element: Element, tracked: Tracked): () => void {
    this.observer ??= new IntersectionObserver((entries) => this.receive(entries), { threshold: SEEN_SHARE });
    this.waiting.set(element, tracked);
    this.observer.observe(element);
    return () => this.forget(element);
  }

  private forget(element: Element): void {
    this.waiting.delete(element);
    this.observer?.unobserve(element);
  }

  private receive(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const tracked = isIntersecting ? this.waiting.get(target) : undefined;
      if (!tracked) continue;
      this.seen.push(tracked);
      this.forget(target);
    }
    if (this.seen.length > 0) this.timer ??= setTimeout(() => this.flush(), GATHER_MS);
  }

  private flush(): void {
    const batch = this.seen;
    this.seen = [];
    this.timer = undefined;
    for (const tracked of batch) this.report(tracked);
  }
}

const TrackerContext = createContext<ImpressionTracker | null>(null);
export const TrackerProvider = TrackerContext.Provider;

/** A ref for the element of a tile that is to be reported when seen. */
export function useImpression(tile: string, listingId: string, position: number) {
  const tracker = useContext(TrackerContext);
  return useCallback(
    (element: Element | null) =>
      element && tracker
        ? tracker.watch(element, { kind: 'impression', name: 'listing', listingId, tile, position })
        : undefined,
    [tracker, tile, listingId, position],
  );
}
