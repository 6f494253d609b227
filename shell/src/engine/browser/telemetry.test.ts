/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createEventBus } from '@forecourt/slots/events';
import { LIBRARY_EVENTS } from '../testing/librarySite.ts';
import { createPageEvents, recordFailures, recordOpening } from './telemetry.ts';

const sent: { url: string; body: Blob }[] = [];
const bodies = () => Promise.all(sent.map(async ({ body }) => JSON.parse(await body.text()) as unknown));

describe('page events', () => {
  beforeEach(() => {
    sent.length = 0;
    jest.useFakeTimers();
    Object.assign(navigator, { sendBeacon: (url: string, body: Blob) => sent.push({ url, body }) > 0 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function setUp(claim = '') {
    const events = createPageEvents({
      endpoint: '/library/svc/page-event',
      facts: { library: 'main' },
      requestId: 'request-1',
      claim,
      url: () => '/library/novels',
    });
    const bus = createEventBus(LIBRARY_EVENTS, events.recordRefusal);
    recordFailures(bus, events);
    return bus;
  }

  it('sends the rest when the page is hidden, including events recorded at that moment', async () => {
    const bus = setUp();
    window.addEventListener(
      'visibilitychange',
      () => void bus.emit('problem.reported', { code: 'LATE', message: '' }, 'shell'),
      { capture: true, once: true },
    );
    bus.emit('problem.reported', { code: 'FIRST', message: '' }, 'shell');
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    expect(sent).toHaveLength(1);
    jest.useRealTimers();
    expect(await bodies()).toMatchObject([{ events: [{ name: 'FIRST' }, { name: 'LATE' }] }]);
  });

  it('reports failed slots and refused events instead of logging to the console', async () => {
    const bus = setUp();
    bus.emit('slot.failed', { slot: 'reviews', phase: 'load', message: 'cannot load' }, 'shell');
    bus.emit('page.announced', { message: 7 } as never, 'shelf');
    jest.advanceTimersByTime(10_000);
    jest.useRealTimers();
    expect(await bodies()).toMatchObject([
      {
        events: [
          { type: 'slot.failed', name: 'reviews', phase: 'load', message: 'cannot load' },
          { type: 'event.refused', name: 'page.announced', sender: 'shelf' },
        ],
      },
    ]);
  });

  it('sends the claim of the page with its events', async () => {
    const bus = setUp('1 request-1 mfe-reviews@1.0.0 signature');
    bus.emit('slot.failed', { slot: 'reviews', phase: 'hydrate', message: 'no match' }, 'shell');
    jest.advanceTimersByTime(10_000);
    jest.useRealTimers();
    expect(await bodies()).toMatchObject([{ claim: '1 request-1 mfe-reviews@1.0.0 signature' }]);
  });

  it('drops events beyond the limit of a batch', async () => {
    const bus = setUp();
    for (let n = 0; n < 1000; n += 1) bus.emit('problem.reported', { code: 'X', message: '' }, 'shelf');
    jest.advanceTimersByTime(10_000);
    jest.useRealTimers();
    const [batch] = (await bodies()) as { events: unknown[] }[];
    expect(batch?.events).toHaveLength(100);
  });
});

it('reports the opening of a page only if it was fetched ahead', () => {
  const record = jest.fn<(event: object) => void>();
  for (const deliveryType of ['', 'navigational-prefetch']) {
    Object.assign(performance, { getEntriesByType: () => [{ deliveryType }] });
    recordOpening({ record, recordRefusal: () => {} });
  }
  expect(record.mock.calls).toEqual([[{ type: 'page.opened', name: 'prefetched' }]]);
});
