/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { createEventBus } from '@forecourt/slots/events';
import { createPageEvents } from '../../../engine/browser/telemetry.ts';
import { recordUsage } from './recordUsage.ts';

const sent: { url: string; body: Blob }[] = [];
const bodies = () => Promise.all(sent.map(async ({ body }) => JSON.parse(await body.text()) as unknown));

describe('usage', () => {
  beforeEach(() => {
    sent.length = 0;
    jest.useFakeTimers();
    Object.assign(navigator, { sendBeacon: (url: string, body: Blob) => sent.push({ url, body }) > 0 });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function setUp() {
    const events = createPageEvents({
      endpoint: '/cars-for-sale/svc/page-event',
      facts: { brand: 'kbb' },
      requestId: 'request-1',
      claim: '',
      url: () => '/cars-for-sale/used',
    });
    const bus = createEventBus(EVENT_SCHEMAS, events.recordRefusal);
    recordUsage(bus, events);
    return bus;
  }

  // rows: B7-ADS-02
  it('sends tracked events as one batch after ten seconds', async () => {
    const bus = setUp();
    bus.emit('page.tracked', { kind: 'impression', name: 'card', listingId: '7', position: 3 }, 'results');
    bus.emit('page.tracked', { kind: 'click', name: 'card', listingId: '7' }, 'results');
    jest.advanceTimersByTime(9_999);
    expect(sent).toHaveLength(0);
    jest.advanceTimersByTime(1);
    jest.useRealTimers();
    expect(sent[0]?.url).toBe('/cars-for-sale/svc/page-event');
    expect(await bodies()).toEqual([
      {
        brand: 'kbb',
        page: '/cars-for-sale/used',
        pageRequestId: 'request-1',
        events: [
          { type: 'impression', name: 'card', listingId: '7', position: 3 },
          { type: 'click', name: 'card', listingId: '7' },
        ],
      },
    ]);
  });
});
