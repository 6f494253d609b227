export { createEventBus, type BusEvent, type EventBus } from './eventBus.ts';
export { SLOT_EVENTS } from './slotEvents.ts';
export type { EventInput, EventPayload, EventType } from '../register.ts';
