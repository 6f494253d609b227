import { filter, map, type Observable, Subject } from 'rxjs';
import type { EventInput, EventPayload, EventType } from '../register.ts';
import { type EventSchemas, ValidationError } from './schema.ts';
import { SLOT_EVENTS } from './slotEvents.ts';

export interface BusEvent<T extends EventType = EventType> {
  readonly type: T;
  readonly payload: EventPayload<T>;
  /** Slot that sent the event, or 'shell'. */
  readonly sender: string;
}

/** An event that fails its schema or that its sender may not use: refused with its sender, never delivered. */
interface EventRefusal {
  readonly type: string;
  readonly sender: string;
  readonly reason: string;
}

export interface EventBus {
  readonly emit: <T extends EventType>(type: T, payload: EventInput<T>, sender: string) => void;
  readonly on: <T extends EventType>(type: T) => Observable<EventPayload<T>>;
  readonly all: Observable<BusEvent>;
  /** Reports an event that the page's layout keeps from a slot, in the same way as invalid ones. */
  readonly refuse: (refusal: EventRefusal) => void;
  readonly close: () => void;
}

/**
 * The page's event bus. `siteEvents` are the schemas of the site's events; those of every site are added. Delivery is synchronous and in order. RxJS reports a receiver's exception, which
 * reaches neither the sender nor other receivers.
 */
export function createEventBus(
  siteEvents: EventSchemas,
  onRefused: (refusal: EventRefusal) => void,
): EventBus {
  const schemas: EventSchemas = { ...SLOT_EVENTS, ...siteEvents };
  const subject = new Subject<BusEvent>();
  return {
    emit(type, payload, sender) {
      const schema = Object.hasOwn(schemas, type) ? schemas[type] : undefined;
      if (!schema) return onRefused({ type: String(type), sender, reason: 'no such event' });
      let read: unknown;
      try {
        read = schema(payload);
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        return onRefused({ type, sender, reason: error.message });
      }
      subject.next({ type, payload: read, sender } as BusEvent);
    },
    on: <T extends EventType>(type: T) =>
      subject.pipe(
        filter((event): event is BusEvent<T> => event.type === type),
        map((event) => event.payload),
      ),
    all: subject.asObservable(),
    refuse: onRefused,
    close: () => subject.complete(),
  };
}
