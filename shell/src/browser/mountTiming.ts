import type { BootSlot } from '../both/bootData.ts';
import type { BusEvent, EventBus, EventPayload, EventType } from '@forecourt/shared-contracts/events';

const IDLE_WITHIN_MS = 2_000;
/** What is about to scroll into view is loaded before it does. */
const VISIBLE_MARGIN = '300px';

/** Runs when the browser has nothing better to do, at the latest after two seconds. */
export function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: IDLE_WITHIN_MS });
  else setTimeout(run, 200);
}

/** After the load event the first view has settled when nothing happened for so long, ms. */
const SETTLED_MS = 1_000;

/** Runs when the loaded page has nothing better to do: nothing of it may compete with the first view. */
export function whenLate(run: () => void): void {
  const settle = () => void setTimeout(() => whenIdle(run), SETTLED_MS);
  if (document.readyState === 'complete') settle();
  else window.addEventListener('load', settle, { once: true });
}

/** Runs once when the element comes near the screen; the answer gives up waiting. */
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

/** Runs at the slot's hydration time. `need` is not a time: such slots wait for an event or an outlet. */
export function atHydrationTime(
  hydrate: Exclude<BootSlot['hydrate'], 'need'>,
  element: Element,
  run: () => void,
) {
  if (hydrate === 'load') run();
  else if (hydrate === 'idle') whenIdle(run);
  else if (hydrate === 'late') whenLate(run);
  else whenVisible(element, run);
}

/** An intent which waited longer than this is not carried out any more: a dialog nobody expects is a fright. */
export const CARRIED_OUT_WITHIN_MS = 15_000;

export interface WakingEvents {
  /** What was sent before the slot listened, in order, for whoever asks in the same turn. */
  readonly take: <T extends EventType>(type: T) => readonly EventPayload<T>[];
}

/** 'dialog.requested', or only the one for a name: 'dialog.requested:trims'. */
function isWakeCall(event: BusEvent, wakes: readonly string[]): boolean {
  const { name } = event.payload as { name?: unknown };
  return wakes.includes(event.type) || (typeof name === 'string' && wakes.includes(`${event.type}:${name}`));
}

/**
 * Keeps the intents that wake a slot until the slot itself listens to them.
 * `wake` is called with each of them.
 */
export function collectWakingEvents(bus: EventBus, wakes: readonly string[], wake: () => void): WakingEvents {
  if (wakes.length === 0) return { take: () => [] };
  const waiting = new Map<string, { event: BusEvent; at: number }[]>(
    wakes.map((call) => [call.split(':', 1)[0] as string, []]),
  );
  const subscription = bus.all.subscribe((event) => {
    const kept = waiting.get(event.type);
    if (!kept || !isWakeCall(event, wakes)) return;
    kept.push({ event, at: performance.now() });
    wake();
  });
  return {
    take<T extends EventType>(type: T) {
      const kept = waiting.get(type) ?? [];
      // Several parts of a slot may listen for one type: they all begin to in the same commit.
      setTimeout(() => {
        waiting.delete(type);
        if (waiting.size === 0) subscription.unsubscribe();
      });
      return kept
        .filter(({ at }) => performance.now() - at <= CARRIED_OUT_WITHIN_MS)
        .map(({ event }) => event.payload as EventPayload<T>);
    },
  };
}
