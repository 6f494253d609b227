/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createEventBus } from '@forecourt/shared-contracts/events';

type Report = (metric: { name: string; value: number; rating: string; entries: object[] }) => void;
const observers: Record<string, Report> = {};
const observe = (name: string) => (report: Report) => (observers[name] = report);
jest.unstable_mockModule('web-vitals', () => ({
  onCLS: observe('CLS'),
  onINP: observe('INP'),
  onLCP: observe('LCP'),
  onTTFB: observe('TTFB'),
}));
const { createPageEvents, recordFacts, recordOpening } = await import('./telemetry.ts');
const { recordSpans, recordWebVitals } = await import('./measurements.ts');

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
      brand: 'kbb',
      requestId: 'request-1',
      claim,
      url: () => '/cars-for-sale/used',
    });
    const bus = createEventBus(events.recordRefusal);
    recordFacts(bus, events);
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

  it('sends the rest when the page is hidden, including events recorded at that moment', async () => {
    const bus = setUp();
    window.addEventListener(
      'visibilitychange',
      () => void bus.emit('page.tracked', { kind: 'view', name: 'late' }, 'shell'),
      { capture: true, once: true },
    );
    bus.emit('page.tracked', { kind: 'view', name: 'page' }, 'shell');
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    expect(sent).toHaveLength(1);
    jest.useRealTimers();
    expect(await bodies()).toMatchObject([{ events: [{ name: 'page' }, { name: 'late' }] }]);
  });

  it('reports failed slots and refused events instead of logging to the console', async () => {
    const bus = setUp();
    bus.emit('slot.failed', { slot: 'leads', phase: 'load', message: 'cannot load' }, 'shell');
    bus.emit('lead.requested', { listingId: '', kind: 'email' }, 'results');
    jest.advanceTimersByTime(10_000);
    jest.useRealTimers();
    expect(await bodies()).toMatchObject([
      {
        events: [
          { type: 'slot.failed', name: 'leads', phase: 'load', message: 'cannot load' },
          { type: 'event.refused', name: 'lead.requested', sender: 'results' },
        ],
      },
    ]);
  });

  it('sends the claim of the page with its events', async () => {
    const bus = setUp('1 request-1 mfe-leads@1.0.0 signature');
    bus.emit('slot.failed', { slot: 'leads', phase: 'hydrate', message: 'no match' }, 'shell');
    jest.advanceTimersByTime(10_000);
    jest.useRealTimers();
    expect(await bodies()).toMatchObject([{ claim: '1 request-1 mfe-leads@1.0.0 signature' }]);
  });

  it('drops events beyond the limit of a batch', async () => {
    const bus = setUp();
    for (let n = 0; n < 1000; n += 1) bus.emit('page.tracked', { kind: 'view', name: 'x' }, 'results');
    jest.advanceTimersByTime(10_000);
    jest.useRealTimers();
    const [batch] = (await bodies()) as { events: unknown[] }[];
    expect(batch?.events).toHaveLength(100);
  });
});

describe('web vitals', () => {
  const measure = (name: string, ...entries: object[]) =>
    observers[name]?.({ name, value: 300, rating: 'good', entries });

  it('are recorded with the slot that they are about and its release', async () => {
    document.body.innerHTML =
      '<main><div data-slot="filters"><input>label</div><div data-slot="hero"><h1></h1></div></main>';
    const record = jest.fn<(event: object) => void>();
    recordWebVitals({ record, recordRefusal: () => {} }, (slot) =>
      slot === 'filters' ? 'mfe-filters@1.4.0' : undefined,
    );
    const input = document.querySelector('input');
    measure('INP', { target: input }, { target: input?.nextSibling });
    measure('LCP', { element: input }, { element: document.querySelector('h1') });
    measure('CLS', { value: 0.1, sources: [{ node: document.querySelector('main') }] });
    measure('CLS', { value: 0.1, sources: [] }, { value: 0.2, sources: [{ node: input }] });
    measure('TTFB');
    const vital = { type: 'web-vital', value: 300, rating: 'good' };
    const inFilters = { slot: 'filters', release: 'mfe-filters@1.4.0' };
    expect(record.mock.calls).toEqual([
      [{ ...vital, name: 'INP', ...inFilters }],
      [{ ...vital, name: 'LCP', slot: 'hero' }],
      [{ ...vital, name: 'CLS' }],
      [{ ...vital, name: 'CLS', ...inFilters }],
      [{ ...vital, name: 'TTFB' }],
    ]);
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

describe('spans of a page', () => {
  const navigation = {
    startTime: 0,
    requestStart: 30,
    responseStart: 130,
    responseEnd: 160,
    loadEventEnd: 700,
    serverTiming: [{ name: 'trace', description: '00-trace-span-01 1700 signature' }],
  };
  const entries: Record<string, object[]> = {
    navigation: [navigation],
    mark: [
      { name: 'slot:results:hydrated', startTime: 530 },
      { name: 'another mark', startTime: 1 },
    ],
    resource: [
      { name: 'https://shop.example/cars-for-sale/api/page-content/1?x=1', startTime: 180, duration: 20 },
      { name: 'https://shop.example/assets/shell.js', startTime: 170, duration: 5 },
    ],
  };
  beforeEach(() => {
    sent.length = 0;
    Object.assign(navigator, { sendBeacon: (url: string, body: Blob) => sent.push({ url, body }) > 0 });
    Object.assign(performance, { getEntriesByType: (type: string) => entries[type] });
  });

  it('are sent with what the response named its trace, relative to the request', async () => {
    recordSpans();
    expect(sent[0]?.url).toBe('/cars-for-sale/svc/page-trace');
    expect(await bodies()).toEqual([
      {
        trace: '00-trace-span-01 1700 signature',
        spans: [
          { name: 'load', startMs: -30, ms: 700 },
          { name: 'request', startMs: 0, ms: 100 },
          { name: 'response', startMs: 100, ms: 30 },
          { name: 'until results is interactive', startMs: 100, ms: 400 },
          { name: 'fetch /cars-for-sale/api/page-content/1', startMs: 150, ms: 20 },
        ],
      },
    ]);
  });

  it('are not sent for a page whose response named none', () => {
    entries['navigation'] = [{ ...navigation, serverTiming: [{ name: 'page', description: 'hit' }] }];
    recordSpans();
    expect(sent).toEqual([]);
  });
});
