import { afterPaint } from '@forecourt/slots';
import type { BootSlot } from '../universal/bootData.ts';
import type { BusEvent, EventBus, EventPayload, EventType } from '@forecourt/slots/events';
import type { SlotStore } from '@forecourt/slots/state';

const IDLE_WITHIN_MS = 2_000;
/** Loads slots before they scroll into view. */
const VISIBLE_MARGIN = '300px';

/** Runs when the browser is idle, at the latest after two seconds. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: IDLE_WITHIN_MS });
  else setTimeout(run, 200);
}

/** Delay after that; ms. */
const SETTLE_MS = 1_000;

/** A slot that cannot be loaded must not hold back the others for longer; ms after the load event. */
const FIRST_VIEW_WITHIN_MS = 10_000;

/** Runs when the loaded page is idle and its first view interactive, with which it would compete. */
export function afterFirstView(run: () => void, firstView: Promise<void>): void {
  const settle = async () => {
    await Promise.race([firstView, new Promise((resolve) => setTimeout(resolve, FIRST_VIEW_WITHIN_MS))]);
    setTimeout(() => whenIdle(run), SETTLE_MS);
  };
  if (document.readyState === 'complete') void settle();
  else window.addEventListener('load', () => void settle(), { once: true });
}

/** Runs once when the element comes near the viewport; the returned function cancels it. */
export function whenVisible(element: Element, run: () => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      run();
    },
    { rootMargin: VISIBLE_MARGIN },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

/** Runs at the slot's hydration time; `onEvent` waits for an event or an outlet instead. */
export function atHydrationTime(
  hydrate: Exclude<BootSlot['hydrate'], 'onEvent'>,
  element: Element,
  run: () => void,
  firstView: Promise<void>,
) {
  if (hydrate === 'load') run();
  else if (hydrate === 'idle') whenIdle(run);
  else if (hydrate === 'afterFirstView') afterFirstView(run, firstView);
  else whenVisible(element, run);
}

/**
 * The store for slots that no click waits for: they follow each change after the browser has painted it in the other slots.
 * Several changes before a paint are followed at once.
 */
export function followAfterPaint(store: SlotStore): SlotStore {
  const listeners = new Set<() => void>();
  let shown = store.getState();
  let isPending = false;
  const follow = () => {
    isPending = false;
    shown = store.getState();
    for (const listener of [...listeners]) listener();
  };
  store.subscribe(() => {
    if (isPending) return;
    isPending = true;
    afterPaint(follow);
  });
  return {
    ...store,
    getState: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Older events are dropped: visitors do not expect a dialog that opens this late. */
export const REPLAY_WITHIN_MS = 15_000;

export interface WakingEvents {
  /** Events emitted before the slot listened, in order. */
  readonly take: <T extends EventType>(type: T) => readonly EventPayload<T>[];
}

/** `wakes` lists event types ('dialog.requested') or types with a name ('dialog.requested:trims'). */
function isWaking(event: BusEvent, wakes: readonly string[]): boolean {
  const { name } = event.payload as { name?: unknown };
  return wakes.includes(event.type) || (typeof name === 'string' && wakes.includes(`${event.type}:${name}`));
}

/**
 * Buffers the intents that wake a slot until the slot listens to them. `wake` is
 * called for each.
 */
export function collectWakingEvents(bus: EventBus, wakes: readonly string[], wake: () => void): WakingEvents {
  if (wakes.length === 0) return { take: () => [] };
  const buffers = new Map<string, { event: BusEvent; at: number }[]>(
    wakes.map((type) => [type.split(':', 1)[0] as string, []]),
  );
  const subscription = bus.all.subscribe((event) => {
    const buffer = buffers.get(event.type);
    if (!buffer || !isWaking(event, wakes)) return;
    buffer.push({ event, at: performance.now() });
    wake();
  });
  return {
    take<T extends EventType>(type: T) {
      const buffer = buffers.get(type) ?? [];
      // Several parts of a slot may listen for one type; all subscribe in the same commit.
      setTimeout(() => {
        buffers.delete(type);
        if (buffers.size === 0) subscription.unsubscribe();
      });
      return buffer
        .filter(({ at }) => performance.now() - at <= REPLAY_WITHIN_MS)
        .map(({ event }) => event.payload as EventPayload<T>);
    },
  };
}
