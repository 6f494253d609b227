import { expect, it } from '@jest/globals';
import { createEventBus, type BusEvent, type EventType } from '@forecourt/slots/events';
import fc from 'fast-check';
import { eventCodes, hasEvent } from '../universal/eventCodes.ts';
import { LIBRARY_EVENT_TYPES, LIBRARY_EVENTS } from '../testing/librarySite.ts';
import { permittedEvents } from './permittedEvents.ts';

const TYPES = LIBRARY_EVENT_TYPES as EventType[];

function rig(permissions: { emits?: EventType[]; hears?: EventType[] }) {
  const refusals: unknown[] = [];
  const events: BusEvent[] = [];
  const bus = createEventBus(LIBRARY_EVENTS, (refusal) => refusals.push(refusal));
  bus.all.subscribe((event) => events.push(event));
  const codes = {
    emits: eventCodes(TYPES, permissions.emits ?? []),
    hears: eventCodes(TYPES, permissions.hears ?? []),
  };
  return {
    bus,
    refusals,
    events,
    slot: permittedEvents(bus, codes, { sender: 'reviews', siteEvents: TYPES }),
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
  const { bus, events, refusals, slot } = rig({ emits: ['toast.shown'], hears: ['page.announced'] });
  const heard: unknown[] = [];
  const stop = slot.listen('page.announced', (payload) => heard.push(payload));
  slot.emit('toast.shown', { id: '1' });
  bus.emit('page.announced', { message: 'one' }, 'shelf');
  stop();
  bus.emit('page.announced', { message: 'two' }, 'shelf');
  expect(events[0]).toEqual({ type: 'toast.shown', payload: { id: '1' }, sender: 'reviews' });
  expect(heard).toEqual([{ message: 'one' }]);
  expect(refusals).toEqual([]);
});

it('refuses other events with their sender, once per type, without an exception', () => {
  const { bus, events, refusals, slot } = rig({ emits: ['page.announced'], hears: ['toast.shown'] });
  const heard: unknown[] = [];
  slot.emit('toast.shown', { id: '1' });
  slot.emit('toast.shown', { id: '2' });
  slot.emit('no.such.event' as 'toast.shown', { id: '1' });
  slot.listen('page.announced', (payload) => heard.push(payload))();
  bus.emit('page.announced', { message: 'one' }, 'shelf');
  expect(events).toMatchObject([{ type: 'page.announced', sender: 'shelf' }]);
  expect(heard).toEqual([]);
  const refusal = (type: string, verb: string) => ({
    type,
    sender: 'reviews',
    reason: `the layout does not let reviews ${verb} it`,
  });
  expect(refusals).toEqual([
    refusal('toast.shown', 'emit'),
    refusal('no.such.event', 'emit'),
    refusal('page.announced', 'hear'),
  ]);
});
