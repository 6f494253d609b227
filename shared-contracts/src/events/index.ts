import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { createEventBus as createBus, type EventBus } from '@forecourt/slots/events';

export type { BusEvent, EventBus, EventInput, EventPayload, EventType } from '@forecourt/slots/events';
export { EVENT_SCHEMAS };
export const createEventBus = (onRefused: Parameters<typeof createBus>[1]): EventBus =>
  createBus(EVENT_SCHEMAS, onRefused);
