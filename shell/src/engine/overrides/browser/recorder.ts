import type { SlotState } from '@forecourt/slots';
import type { BusEvent, EventBus } from '@forecourt/slots/events';
import type { PersonalParts } from '../../browser/browserSite.ts';
import type { MeasuredSlot } from '../universal/testerBoot.ts';

export interface RecordedEvent {
  readonly id: number;
  /** ms since the navigation. */
  readonly at: number;
  readonly event: BusEvent;
}

/** The recorded data that the panel shows; immutable. */
export interface PageRecord {
  /** Oldest first. */
  readonly events: readonly RecordedEvent[];
  /** By slot, when it became interactive; ms since navigation. */
  readonly interactiveAt: ReadonlyMap<string, number>;
  /** By slot, its failures in this browser. */
  readonly failures: ReadonlyMap<string, readonly string[]>;
}

export type Recorder = ReturnType<typeof createRecorder>;

const MAX_EVENTS = 500;
const HYDRATED = /^slot:(.+):hydrated$/;

/** Records bus events and hydration marks; `now` is in ms since navigation. */
export function createRecorder(bus: EventBus, now: () => number) {
  let record: PageRecord = { events: [], interactiveAt: new Map(), failures: new Map() };
  let count = 0;
  const listeners = new Set<() => void>();
  const change = (next: Partial<PageRecord>) => {
    record = { ...record, ...next };
    for (const listener of listeners) listener();
  };

  const subscription = bus.all.subscribe((event) => {
    count += 1;
    const events = [...record.events, { id: count, at: now(), event }].slice(-MAX_EVENTS);
    if (event.type !== 'slot.failed') return change({ events });
    const { slot, phase, message } = event.payload as { slot: string; phase: string; message: string };
    const failures = new Map(record.failures);
    failures.set(slot, [...(failures.get(slot) ?? []), `${phase}: ${message}`]);
    change({ events, failures });
  });
  const observer = new PerformanceObserver((list) => {
    const marks = list.getEntries().flatMap(({ name, startTime }): [string, number][] => {
      const slot = HYDRATED.exec(name)?.[1];
      return slot === undefined ? [] : [[slot, startTime]];
    });
    if (marks.length > 0) change({ interactiveAt: new Map([...record.interactiveAt, ...marks]) });
  });
  observer.observe({ type: 'mark', buffered: true });

  return {
    current: () => record,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clearEvents: () => change({ events: [] }),
    stop() {
      subscription.unsubscribe();
      observer.disconnect();
    },
  };
}

/**
 * What `forecourt gate --recording` plays to a candidate: the page's events, what its slots may emit and hear, and the
 * state that they read, without what is the visitor's own.
 */
export const recordingOf = (
  { events }: PageRecord,
  { personalEvents, withoutPersonal }: PersonalParts,
  {
    state,
    slots,
    page,
  }: { readonly state: SlotState; readonly slots: readonly MeasuredSlot[]; readonly page: string },
) => ({
  recording: 1,
  page,
  slots: slots.map(({ slot, remote, emits, hears }) => ({ slot, remote, emits, hears })),
  state: withoutPersonal(state),
  events: events.flatMap(({ event }) => (personalEvents.includes(event.type) ? [] : [event])),
});
