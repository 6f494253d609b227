export { createEventBus, type BusEvent, type EventBus, type EventRefusal } from './bus.ts';
export { EVENT_SCHEMAS, type EventInput, type EventPayload, type EventType } from './eventSchemas.ts';
