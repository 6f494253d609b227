/** @jest-environment jest-fixed-jsdom */
import { beforeAll, expect, it, jest } from '@jest/globals';
import type { SearchState } from '@forecourt/search/state';
import { buildState } from '@forecourt/search/testing';
import { screen, waitFor } from '@testing-library/react';
import type { FederationHost } from '../../engine/browser/remoteLoader.ts';
import { startPage } from './startPage.ts';

const texts = { heading: 'Cars for Sale', title: 'Cars', description: '', canonicalUrl: '' };
const breadcrumbs: SearchState['breadcrumbs'] = [
  { key: 'make', label: 'Ford', href: '/cars-for-sale/all/ford' },
];
const state = buildState({ texts, breadcrumbs });

beforeAll(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = false;
  Object.assign(window, { scrollTo: () => {}, requestIdleCallback: (run: () => void) => run() });
  // jsdom lays nothing out.
  Object.assign(window, { ResizeObserver: jest.fn(() => ({ observe() {}, disconnect() {} })) });
  Object.assign(performance, { mark: () => {}, getEntriesByType: () => [] });
  Object.assign(globalThis, {
    PerformanceObserver: class {
      static supportedEntryTypes: string[] = [];
    },
  });
});

// rows: B7-OTHER-03
it('runs a click on a breadcrumb as a search in the page, announces its count and records both', async () => {
  document.body.innerHTML =
    '<div id="slot-hero"></div><div id="slot-results"></div><div id="fc-announcer" role="status"></div>';
  const { status: _status, requestId: _id, ...page } = state.search;
  const found = { ...page, texts: { ...texts, heading: 'Ford Cars', title: 'Ford' }, totalResultCount: 4321 };
  const fetched = jest.fn<typeof fetch>(() =>
    Promise.resolve(
      new Response(JSON.stringify({ kind: 'page', page: found, url: '/cars-for-sale/all/ford' })),
    ),
  );
  window.fetch = fetched;
  const host = { registerPlugins() {}, registerRemotes() {}, loadRemote: jest.fn() };
  const slot = {
    slot: 'hero',
    remote: null,
    expose: './hero',
    wakes: [],
    emits: '',
    hears: '',
    data: undefined,
    styles: [],
    scripts: [],
  };
  startPage(
    {
      state,
      slots: [{ ...slot, hydrate: 'idle', rendered: 'none' }],
      remotes: [],
      requestId: 'r1',
      failureClaim: '',
    },
    host as unknown as FederationHost,
  );
  (await screen.findByRole('link', { name: 'Ford' })).click();
  await waitFor(() => expect(window.location.pathname).toBe('/cars-for-sale/all/ford'));
  expect(fetched.mock.calls[0]?.[0]).toBe('/cars-for-sale/api/search?url=%2Fcars-for-sale%2Fall%2Fford');
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Ford Cars'));
  expect(document.title).toBe('Ford');
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('4,321 Matches'));

  const sent: Blob[] = [];
  Object.assign(navigator, { sendBeacon: (_url: string, body: Blob) => sent.push(body) > 0 });
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  const { events } = JSON.parse((await sent[0]?.text()) ?? '{}') as { events: { type: string }[] };
  expect(events.filter(({ type }) => type === 'view')).toEqual([
    { type: 'view', name: 'page' },
    { type: 'view', name: 'search' },
  ]);
});
