import { createContext, useCallback, useContext } from 'react';
import type { EventInput } from '@forecourt/shared-contracts/events';

type Tracked = EventInput<'page.tracked'>;

/** ms; impressions are batched so that scrolling stays smooth. */
const BATCH_MS = 250;
/** Share of a tile that must be in view to count. */
const VISIBLE_SHARE = 0.5;

/** Reports each watched element once, when half of it has come into view (AMB-177). Browser only. */
export class ImpressionTracker {
  private readonly pending = new Map<Element, Tracked>();
  private batch: Tracked[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private observer: IntersectionObserver | undefined;
  private readonly report: (impression: Tracked) => void;

  constructor(report: (impression: Tracked) => void) {
    this.report = report;
  }

  /** Returns a function that stops watching. */
  watch(element: Element, tracked: Tracked): () => void {
    this.observer ??= new IntersectionObserver((entries) => this.receive(entries), {
      threshold: VISIBLE_SHARE,
    });
    this.pending.set(element, tracked);
    this.observer.observe(element);
    return () => this.forget(element);
  }

  private forget(element: Element): void {
    this.pending.delete(element);
    this.observer?.unobserve(element);
  }

  private receive(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const tracked = isIntersecting ? this.pending.get(target) : undefined;
      if (!tracked) continue;
      this.batch.push(tracked);
      this.forget(target);
    }
    if (this.batch.length > 0) this.timer ??= setTimeout(() => this.flush(), BATCH_MS);
  }

  private flush(): void {
    const batch = this.batch;
    this.batch = [];
    this.timer = undefined;
    for (const tracked of batch) this.report(tracked);
  }
}

const TrackerContext = createContext<ImpressionTracker | null>(null);
export const TrackerProvider = TrackerContext.Provider;

/** Ref for a tile whose impression is reported. */
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
