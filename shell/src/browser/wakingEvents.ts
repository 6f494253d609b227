import type { BusEvent, EventBus, EventPayload, EventType } from '@forecourt/shared-contracts/events';

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
