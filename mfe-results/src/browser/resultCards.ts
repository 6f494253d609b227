import type { EventInput } from '@forecourt/slots/events';
import { storedValue } from '@forecourt/slots/storage';
import { useEmit } from '@forecourt/slots';
import { createContext, useCallback, useContext, useEffect, useState } from 'react';

/** Moves the focus to the heading of the results, for controls that disappear when used. */
export const focusResults = (): void =>
  document.getElementById('results-heading')?.focus({ preventScroll: true });

export const cardElement = (listingId: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`#listings [data-listing="${CSS.escape(listingId)}"]`);

/** Why a card is remembered: it was opened, or it was the first card in view. */
export type CardMemory = 'openedCard' | 'cardInSight';

/** The card at which the shopper left the results. */
export interface RememberedCard {
  /** Path and query of the results. */
  readonly url: string;
  readonly listingId: string;
  /** Offset of its page of results. */
  readonly firstRecord: number;
  /** px from the top of the viewport. */
  readonly top: number;
}

const currentUrl = () => window.location.pathname + window.location.search;

function parseCard(raw: unknown): RememberedCard | undefined {
  const { url, listingId, firstRecord, top } = (raw ?? {}) as Partial<RememberedCard>;
  return typeof url === 'string' &&
    typeof listingId === 'string' &&
    typeof firstRecord === 'number' &&
    typeof top === 'number'
    ? { url, listingId, firstRecord, top }
    : undefined;
}

type StoredValue<Value> = ReturnType<typeof storedValue<Value>>;

const storedCards: Readonly<Record<CardMemory, StoredValue<RememberedCard | undefined>>> = {
  openedCard: storedValue('session', 'openedCard', parseCard),
  cardInSight: storedValue('session', 'cardInSight', parseCard),
};

export function rememberCard(memory: CardMemory, listingId: string, firstRecord: number): void {
  const top = cardElement(listingId)?.getBoundingClientRect().top ?? 0;
  storedCards[memory].write({ url: currentUrl(), listingId, firstRecord, top });
}

/** The card remembered for the current URL. */
export function readCard(memory: CardMemory): RememberedCard | undefined {
  const card = storedCards[memory].read();
  return card?.url === currentUrl() ? card : undefined;
}

export const forgetCard = (memory: CardMemory): void => storedCards[memory].write(undefined);

/** Moves an id to the front of a stored list. */
export function moveToFront(list: StoredValue<readonly string[]>, id: string): void {
  list.write([id, ...list.read().filter((other) => other !== id)]);
}

type Tracked = EventInput<'page.tracked'>;

/** ms; impressions are batched so that scrolling stays smooth. */
const BATCH_MS = 250;
/** Share of a tile that must be in view to count. */
const VISIBLE_SHARE = 0.5;

/** Reports each watched element once, when half of it has come into view. Browser only. */
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

  /** Reports at once what has come into view. */
  flush(): void {
    clearTimeout(this.timer);
    const batch = this.batch;
    this.batch = [];
    this.timer = undefined;
    for (const tracked of batch) this.report(tracked);
  }
}

/** The tracker of a component, which reports the rest when the component goes. */
export function useImpressionTracker(): ImpressionTracker {
  const emit = useEmit();
  const [tracker] = useState(() => new ImpressionTracker((impression) => emit('page.tracked', impression)));
  useEffect(() => () => tracker.flush(), [tracker]);
  return tracker;
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
