import type { SlotEnvironment } from '@forecourt/slots';
import type { EventBus, EventType } from '@forecourt/slots/events';
import { hasEvent } from '../universal/eventCodes.ts';
import type { BootSlot } from '../universal/bootData.ts';
import type { WakingEvents } from './mountTiming.ts';

/**
 * The bus as the layout lets one slot use it. Other events are refused and reported once per type, like invalid ones; the
 * slot continues. `missed` are the events that woke the slot.
 */
export function permittedEvents(
  bus: EventBus,
  { emits, hears }: Pick<BootSlot, 'emits' | 'hears'>,
  {
    sender,
    siteEvents,
    missed,
  }: {
    readonly sender: string;
    /** Types of all events of the site. */
    readonly siteEvents: readonly string[];
    readonly missed?: WakingEvents | undefined;
  },
): Pick<SlotEnvironment, 'emit' | 'listen'> {
  const refused = new Set<string>();
  const isAllowed = (verb: 'emit' | 'hear', type: EventType): boolean => {
    if (hasEvent(siteEvents, verb === 'emit' ? emits : hears, type)) return true;
    const reason = `the layout does not let ${sender} ${verb} it`;
    if (!refused.has(verb + type)) bus.refuse({ type: String(type), sender, reason });
    refused.add(verb + type);
    return false;
  };
  return {
    emit(type, payload) {
      if (isAllowed('emit', type)) bus.emit(type, payload, sender);
    },
    listen(type, receive) {
      if (!isAllowed('hear', type)) return () => {};
      missed?.take(type).forEach(receive);
      const subscription = bus.on(type).subscribe(receive);
      return () => subscription.unsubscribe();
    },
  };
}
