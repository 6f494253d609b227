import { describe, expect, it } from '@jest/globals';
import { emptySearch } from '../state/searchSlice.ts';
import { createEventBus, type BusEvent } from '@forecourt/slots/events';
import { EVENT_SCHEMAS } from './eventSchemas.ts';
import type { EventType } from '@forecourt/slots/events';

function rig() {
  const refusals: { type: string; sender: string; reason: string }[] = [];
  const bus = createEventBus(EVENT_SCHEMAS, (refusal) => refusals.push(refusal));
  const events: BusEvent[] = [];
  bus.all.subscribe((event) => events.push(event));
  return { bus, refusals, events };
}

describe('event bus', () => {
  it('delivers events synchronously and in order, with the sender', () => {
    const { bus, events } = rig();
    bus.emit('page.announced', { message: 'one' }, 'results');
    bus.emit('lead.sent', { listingId: '1' }, 'leads');
    expect(events).toEqual([
      { type: 'page.announced', payload: { message: 'one' }, sender: 'results' },
      { type: 'lead.sent', payload: { listingId: '1' }, sender: 'leads' },
    ]);
  });

  it('delivers only the subscribed event type', () => {
    const { bus } = rig();
    const received: unknown[] = [];
    bus.on('lead.sent').subscribe((payload) => received.push(payload));
    bus.emit('page.announced', { message: 'one' }, 'results');
    bus.emit('lead.sent', { listingId: '1' }, 'leads');
    expect(received).toEqual([{ listingId: '1' }]);
  });

  it('adds a changed search to the history by default', () => {
    const { bus, events } = rig();
    bus.emit(
      'search.changeRequested',
      { criteria: emptySearch.criteria, cause: 'filter:makeCode' },
      'filters',
    );
    expect(events[0]?.payload).toMatchObject({ history: 'push' });
  });

  it.each<[string, unknown]>([
    ['lead.requested', { listingId: '1', kind: 'fax' }],
    ['lead.requested', { listingId: '', kind: 'email' }],
    ['page.announced', { message: 'x'.repeat(2_001) }],
    ['search.changeRequested', { criteria: { filters: {} }, cause: 'x' }],
    ['search.changeRequested', undefined],
    ['dialog.requested', { name: 'no such dialog' }],
    ['wallet.changed', { wallet: { monthlyBudget: '600' } }],
    ['wallet.changed', {}],
    ['listing.savedChanged', { listingId: '1', saved: 'yes' }],
    ['session.changed', { signedIn: 'true' }],
    ['page.bottomCovered', { by: 'ad', height: -1 }],
    ['no.such.event', {}],
    ['constructor', {}],
  ])('refuses %s with an invalid payload, reports its sender and delivers nothing', (type, payload) => {
    const { bus, events, refusals } = rig();
    bus.emit(type as EventType, payload as never, 'mfe-bad');
    expect(events).toEqual([]);
    expect(refusals).toMatchObject([{ type, sender: 'mfe-bad' }]);
  });

  it('delivers nothing after it was closed', () => {
    const { bus, events } = rig();
    bus.close();
    bus.emit('search.moreRequested', {}, 'results');
    expect(events).toEqual([]);
  });
});
