import { expect, it } from '@jest/globals';
import {
  createEventBus,
  EVENT_SCHEMAS,
  type BusEvent,
  type EventType,
} from '@forecourt/shared-contracts/events';
import fc from 'fast-check';
import { eventCodes, hasEvent } from '../universal/eventCodes.ts';
import { permittedEvents } from './permittedEvents.ts';

const TYPES = Object.keys(EVENT_SCHEMAS) as EventType[];

function rig(permissions: { emits?: EventType[]; hears?: EventType[] }) {
  const refusals: unknown[] = [];
  const events: BusEvent[] = [];
  const bus = createEventBus((refusal) => refusals.push(refusal));
  bus.all.subscribe((event) => events.push(event));
  const codes = {
    emits: eventCodes(TYPES, permissions.emits ?? []),
    hears: eventCodes(TYPES, permissions.hears ?? []),
  };
  return {
    bus,
    refusals,
    events,
    slot: permittedEvents(bus, codes, { sender: 'showcase', siteEvents: TYPES }),
  };
}

it('reads exactly the events that were encoded, one letter each', () => {
  fc.assert(
    fc.property(fc.subarray(TYPES), (types) => {
      const codes = eventCodes(TYPES, types);
      expect(codes).toMatch(/^[A-Za-z0-9]*$/);
      expect(codes).toHaveLength(types.length);
      expect(TYPES.filter((type) => hasEvent(TYPES, codes, type))).toEqual(types);
      expect(hasEvent(TYPES, codes, 'constructor')).toBe(false);
    }),
  );
});

it('delivers the events that the layout lets a slot emit and hear', () => {
  const { bus, events, refusals, slot } = rig({ emits: ['lead.sent'], hears: ['page.announced'] });
  const heard: unknown[] = [];
  const stop = slot.listen('page.announced', (payload) => heard.push(payload));
  slot.emit('lead.sent', { listingId: '1' });
  bus.emit('page.announced', { message: 'one' }, 'results');
  stop();
  bus.emit('page.announced', { message: 'two' }, 'results');
  expect(events[0]).toEqual({ type: 'lead.sent', payload: { listingId: '1' }, sender: 'showcase' });
  expect(heard).toEqual([{ message: 'one' }]);
  expect(refusals).toEqual([]);
});

it('refuses other events with their sender, once per type, without an exception', () => {
  const { bus, events, refusals, slot } = rig({ emits: ['page.announced'], hears: ['lead.sent'] });
  const heard: unknown[] = [];
  slot.emit('lead.sent', { listingId: '1' });
  slot.emit('lead.sent', { listingId: '2' });
  slot.emit('no.such.event' as 'lead.sent', { listingId: '1' });
  slot.listen('page.announced', (payload) => heard.push(payload))();
  bus.emit('page.announced', { message: 'one' }, 'results');
  expect(events).toMatchObject([{ type: 'page.announced', sender: 'results' }]);
  expect(heard).toEqual([]);
  const refusal = (type: string, verb: string) => ({
    type,
    sender: 'showcase',
    reason: `the layout does not let showcase ${verb} it`,
  });
  expect(refusals).toEqual([
    refusal('lead.sent', 'emit'),
    refusal('no.such.event', 'emit'),
    refusal('page.announced', 'hear'),
  ]);
});
