/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { sitePaths } from '../universal/paths.ts';

type Report = (metric: { name: string; value: number; rating: string; entries: object[] }) => void;
const observers: Record<string, Report> = {};
const observe = (name: string) => (report: Report) => (observers[name] = report);
jest.unstable_mockModule('web-vitals', () => ({
  onCLS: observe('CLS'),
  onINP: observe('INP'),
  onLCP: observe('LCP'),
  onTTFB: observe('TTFB'),
}));
const { recordSpans, recordWebVitals } = await import('./measurements.ts');

const sent: { url: string; body: Blob }[] = [];
const bodies = () => Promise.all(sent.map(async ({ body }) => JSON.parse(await body.text()) as unknown));

describe('web vitals', () => {
  const measure = (name: string, ...entries: object[]) =>
    observers[name]?.({ name, value: 300, rating: 'good', entries });

  it('are recorded with the slot that they are about and its release', async () => {
    document.body.innerHTML =
      '<main><div data-slot="search"><input>label</div><div data-slot="banner"><h1></h1></div></main>';
    const record = jest.fn<(event: object) => void>();
    recordWebVitals({ record, recordRefusal: () => {} }, (slot) =>
      slot === 'search' ? 'mfe-search@1.4.0' : undefined,
    );
    const input = document.querySelector('input');
    measure('INP', { target: input }, { target: input?.nextSibling });
    measure('LCP', { element: input }, { element: document.querySelector('h1') });
    measure('CLS', { value: 0.1, sources: [{ node: document.querySelector('main') }] });
    measure('CLS', { value: 0.1, sources: [] }, { value: 0.2, sources: [{ node: input }] });
    measure('TTFB');
    const vital = { type: 'web-vital', value: 300, rating: 'good' };
    const inSearch = { slot: 'search', release: 'mfe-search@1.4.0' };
    expect(record.mock.calls).toEqual([
      [{ ...vital, name: 'INP', ...inSearch }],
      [{ ...vital, name: 'LCP', slot: 'banner' }],
      [{ ...vital, name: 'CLS' }],
      [{ ...vital, name: 'CLS', ...inSearch }],
      [{ ...vital, name: 'TTFB' }],
    ]);
  });
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
      { name: 'slot:shelf:hydrated', startTime: 530 },
      { name: 'another mark', startTime: 1 },
    ],
    resource: [
      { name: 'https://shop.example/library/api/page-content/1?x=1', startTime: 180, duration: 20 },
      { name: 'https://shop.example/assets/shell.js', startTime: 170, duration: 5 },
    ],
  };
  beforeEach(() => {
    sent.length = 0;
    Object.assign(navigator, { sendBeacon: (url: string, body: Blob) => sent.push({ url, body }) > 0 });
    Object.assign(performance, { getEntriesByType: (type: string) => entries[type] });
  });

  it('are sent with what the response named its trace, relative to the request', async () => {
    recordSpans(sitePaths('/library'));
    expect(sent[0]?.url).toBe('/library/svc/page-trace');
    expect(await bodies()).toEqual([
      {
        trace: '00-trace-span-01 1700 signature',
        spans: [
          { name: 'load', startMs: -30, ms: 700 },
          { name: 'request', startMs: 0, ms: 100 },
          { name: 'response', startMs: 100, ms: 30 },
          { name: 'until shelf is interactive', startMs: 100, ms: 400 },
          { name: 'fetch /library/api/page-content/1', startMs: 150, ms: 20 },
        ],
      },
    ]);
  });

  it('are not sent for a page whose response named none', () => {
    entries['navigation'] = [{ ...navigation, serverTiming: [{ name: 'page', description: 'hit' }] }];
    recordSpans(sitePaths('/library'));
    expect(sent).toEqual([]);
  });
});
