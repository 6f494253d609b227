export { createEventBus, type BusEvent, type EventBus } from './bus.ts';
export { EVENT_SCHEMAS, type EventInput, type EventPayload, type EventType } from './eventSchemas.ts';
