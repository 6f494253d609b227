/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { SearchCriteria } from '@forecourt/search/criteria';
import { EVENT_SCHEMAS } from '@forecourt/search/events';
import { createStore, type SearchLoaded } from '@forecourt/search/state';
import { buildListing, buildState } from '@forecourt/search/testing';
import { createEventBus, type BusEvent } from '@forecourt/slots/events';
import { Subject } from 'rxjs';
import type { PageHistory, Visit } from './pageHistory.ts';
import { matchesText, startSearchFlow } from './searchFlow.ts';

interface Asked {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly answer: (body: unknown, status?: number) => Promise<void>;
  readonly break: () => Promise<void>;
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

/** Stands in for the network: each request waits until the test answers it. */
function interceptFetch(): Asked[] {
  const asked: Asked[] = [];
  window.fetch = ((url: string, init: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      asked.push({
        url,
        signal: init.signal as AbortSignal,
        answer: (body, status = 200) => {
          resolve(new Response(JSON.stringify(body), { status }));
          return settle().then(() => {});
        },
        break: () => {
          reject(new TypeError('Failed to fetch'));
          return settle().then(() => {});
        },
      });
    })) as typeof fetch;
  return asked;
}

const base = buildState().search;
const withMakes = (...makes: string[]): SearchCriteria => ({
  ...base.criteria,
  filters: { makeCode: makes },
});

function pageOf(criteria: SearchCriteria, overrides: Partial<SearchLoaded> = {}): SearchLoaded {
  const { status: _status, requestId: _id, ...page } = base;
  const texts = { heading: 'Cars', title: 'Cars title', description: '', canonicalUrl: '' };
  return { ...page, criteria, texts, totalResultCount: 1234, url: '/cars-for-sale/all/ford', ...overrides };
}
const answerOf = (page: SearchLoaded) => ({ kind: 'page', page, url: page.url });

function setUp(search: Parameters<typeof buildState>[0] = {}) {
  const asked = interceptFetch();
  const store = createStore(buildState(search));
  const events: BusEvent[] = [];
  const bus = createEventBus(EVENT_SCHEMAS, ({ type, reason }) => {
    throw new Error(`${type}: ${reason}`);
  });
  bus.all.subscribe((event) => events.push(event));
  const visits = new Subject<Visit>();
  const links = new Subject<string>();
  const pressedLinks = new Subject<string>();
  const history = {
    visits,
    write: jest.fn<PageHistory['write']>(),
    arrive: jest.fn<PageHistory['arrive']>(),
  };
  const announce = jest.fn<(message: string) => void>();
  const leave = jest.fn<(url: string) => void>();
  startSearchFlow({ store, bus, history, links, pressedLinks, requestId: 'r1', announce, leave });
  const change = (criteria: SearchCriteria, mode?: 'push' | 'replace') =>
    bus.emit(
      'search.changeRequested',
      { criteria, cause: 'test', ...(mode && { history: mode }) },
      'filters',
    );
  const state = () => store.getState().search;
  return { asked, store, bus, events, visits, links, pressedLinks, history, announce, leave, change, state };
}

const painted = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))));

describe('search flow', () => {
  beforeEach(() => {
    document.title = 'before';
  });

  it('updates the criteria at once, then the URL, and keeps the old results until the response', async () => {
    const { change, state, history } = setUp();
    const { listings } = state();
    change(withMakes('FORD'));
    expect(state()).toMatchObject({ status: 'loading', criteria: withMakes('FORD') });
    expect(state().listings).toBe(listings);
    expect(history.write).not.toHaveBeenCalled();
    await painted();
    expect(history.write).toHaveBeenCalledWith(
      'push',
      '/cars-for-sale/all-cars?makeCode=FORD',
      withMakes('FORD'),
    );
  });

  it('shows the heading of the changed search at once', () => {
    const { change, state } = setUp();
    change({ ...base.criteria, filters: { listingType: ['USED'] } });
    expect(state()).toMatchObject({ status: 'loading', texts: { heading: 'Used Cars for Sale' } });
  });

  it('writes the history entry once when the response confirms its URL', async () => {
    const { asked, change, history } = setUp();
    change(withMakes('FORD'));
    await painted();
    const [, url = ''] = history.write.mock.calls[0] ?? [];
    await asked[0]?.answer({ kind: 'page', page: pageOf(withMakes('FORD')), url });
    await painted();
    expect(history.write.mock.calls.map(([mode]) => mode)).toEqual(['push']);
  });

  it('replaces the history entry when the intent asks for it', async () => {
    const { change, history } = setUp();
    change(withMakes('FORD'), 'replace');
    await painted();
    expect(history.write.mock.calls[0]?.[0]).toBe('replace');
  });

  // rows: B7-URL-01
  it('fetches the URL and applies the response: store, canonical URL, title, event and announced count', async () => {
    const { asked, change, state, history, events, announce } = setUp();
    change(withMakes('FORD'));
    expect(asked[0]?.url).toBe(
      `/cars-for-sale/api/search?url=${encodeURIComponent('/cars-for-sale/all-cars?makeCode=FORD')}`,
    );
    const page = pageOf(withMakes('FORD'), { listings: [buildListing({ id: '7' })] });
    await asked[0]?.answer(answerOf(page));
    expect(state()).toMatchObject({ status: 'ready', totalResultCount: 1234 });
    expect(state().listings.map(({ id }) => id)).toEqual(['7']);
    await painted();
    expect(history.write.mock.calls).toEqual([
      ['push', '/cars-for-sale/all-cars?makeCode=FORD', withMakes('FORD')],
      ['replace', '/cars-for-sale/all/ford', withMakes('FORD')],
    ]);
    expect(document.title).toBe('Cars title');
    const { requestId } = state();
    expect(events.at(-1)).toMatchObject({
      type: 'search.completed',
      sender: 'shell',
      payload: { requestId, totalResultCount: 1234 },
    });
    expect(announce.mock.calls).toEqual([['1,234 Matches']]);
  });

  // rows: A4-FLOW-01
  it('aborts the older search when a newer one begins and ignores its late response', async () => {
    const { asked, change, state, events } = setUp();
    change(withMakes('FORD'));
    change(withMakes('FORD', 'HONDA'));
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await asked[1]?.answer(answerOf(pageOf(withMakes('FORD', 'HONDA'), { totalResultCount: 2 })));
    await asked[0]?.answer(answerOf(pageOf(withMakes('FORD'), { totalResultCount: 1 })));
    expect(state()).toMatchObject({ totalResultCount: 2, criteria: withMakes('FORD', 'HONDA') });
    expect(events.filter(({ type }) => type === 'search.completed')).toHaveLength(1);
    expect(events.some(({ type }) => type === 'search.failed')).toBe(false);
  });

  // rows: A4-FLOW-03
  it.each([
    ['failed', 'UPSTREAM_FAILED', 502],
    ['invalid', 'INVALID_PARAMETERS', 400],
  ] as const)('becomes %s when the response is %s, and stays usable', async (status, code, httpStatus) => {
    const { asked, change, state, events } = setUp();
    const { listings } = state();
    change(withMakes('FORD'));
    await asked[0]?.answer({ error: { code } }, httpStatus);
    expect(state()).toMatchObject({ status, listings });
    expect(events.at(-1)).toMatchObject({ type: 'search.failed', payload: { code } });
    change(withMakes('HONDA'));
    await asked[1]?.answer(answerOf(pageOf(withMakes('HONDA'))));
    expect(state().status).toBe('ready');
  });

  it('repeats a failed search on retry without a history entry', async () => {
    const { asked, bus, change, state, history } = setUp();
    change(withMakes('FORD'));
    await asked[0]?.break();
    expect(state().status).toBe('failed');
    history.write.mockClear();
    bus.emit('search.retryRequested', {}, 'results');
    expect(state()).toMatchObject({ status: 'loading', criteria: withMakes('FORD') });
    expect(asked[1]?.url).toBe(asked[0]?.url);
    expect(history.write).not.toHaveBeenCalled();
  });

  it('shows a visited entry without writing another one and restores its scroll offset', async () => {
    const { asked, visits, state, history } = setUp();
    visits.next({ url: '/cars-for-sale/used', criteria: withMakes('BMW'), scrollY: 900 });
    expect(state()).toMatchObject({ status: 'loading', criteria: withMakes('BMW') });
    expect(history.write).not.toHaveBeenCalled();
    await asked[0]?.answer(answerOf(pageOf(withMakes('BMW'))));
    expect(history.write.mock.calls.map(([mode]) => mode)).toEqual(['replace']);
    expect(history.arrive).toHaveBeenCalledWith(900);
  });

  it('shows a search that it has shown before without a request, with all its pages', async () => {
    const listings = [buildListing({ id: '1' }), buildListing({ id: '2' })];
    const { asked, change, visits, state, history, announce } = setUp({ listings, totalResultCount: 2 });
    const { url, criteria } = state();
    change(withMakes('FORD'));
    await asked[0]?.answer(answerOf(pageOf(withMakes('FORD'), { listings: [] })));
    visits.next({ url, criteria, scrollY: 700 });
    expect(state()).toMatchObject({ status: 'ready', criteria, listings, totalResultCount: 2 });
    expect(history.arrive).toHaveBeenCalledWith(700);
    expect(announce).toHaveBeenLastCalledWith('2 Matches');
    // Forward again.
    visits.next({ url: '/cars-for-sale/all/ford', criteria: withMakes('FORD'), scrollY: 0 });
    expect(state()).toMatchObject({ status: 'ready', criteria: withMakes('FORD'), totalResultCount: 1234 });
    expect(asked).toHaveLength(1);
  });

  it('requests a search again that was left ten minutes ago, or before its results were there', async () => {
    const { asked, change, visits, state } = setUp();
    const { url, criteria } = state();
    change(withMakes('FORD'));
    visits.next({ url: '/cars-for-sale/all-cars?makeCode=FORD', criteria: withMakes('FORD'), scrollY: 0 });
    expect(asked).toHaveLength(2);
    const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 600_000);
    visits.next({ url, criteria, scrollY: 0 });
    expect(asked).toHaveLength(3);
    now.mockRestore();
  });

  describe('pressed controls', () => {
    const press = ({ bus }: ReturnType<typeof setUp>, criteria: SearchCriteria) =>
      bus.emit('search.changeExpected', { criteria }, 'filters');

    it('are requested once for press and click, and change nothing before the click', async () => {
      const page = setUp();
      const before = page.state();
      press(page, withMakes('FORD'));
      press(page, withMakes('FORD'));
      expect(page.asked).toHaveLength(1);
      expect(page.state()).toBe(before);
      page.change(withMakes('FORD'));
      expect(page.asked).toHaveLength(1);
      await page.asked[0]?.answer(answerOf(pageOf(withMakes('FORD'))));
      expect(page.state()).toMatchObject({ status: 'ready', totalResultCount: 1234 });
      page.change(withMakes('FORD'));
      expect(page.asked).toHaveLength(2);
    });

    it('are aborted by the next press, and of no use for another click', () => {
      const page = setUp();
      press(page, withMakes('FORD'));
      page.pressedLinks.next('/cars-for-sale/used');
      expect(page.asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
      page.change(withMakes('BMW'));
      expect(page.asked).toHaveLength(3);
    });

    it('are requested again when the click comes too late', () => {
      const page = setUp();
      press(page, withMakes('FORD'));
      const now = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
      page.change(withMakes('FORD'));
      now.mockRestore();
      expect(page.asked).toHaveLength(2);
    });

    it('are not requested for visitors who save data', () => {
      Object.assign(navigator, { connection: { saveData: true } });
      const page = setUp();
      press(page, withMakes('FORD'));
      expect(page.asked).toHaveLength(0);
      Object.assign(navigator, { connection: undefined });
    });
  });

  it('writes no entry for a change that is left with Back before it is painted', async () => {
    const { change, visits, history } = setUp();
    change(withMakes('FORD'));
    visits.next({ url: '/cars-for-sale/used', criteria: withMakes('BMW'), scrollY: 0 });
    await painted();
    expect(history.write).not.toHaveBeenCalled();
  });

  it('runs a followed link as a search with a history entry and scrolls to the results', async () => {
    const { asked, links, history } = setUp();
    links.next('/cars-for-sale/used/ford?zip=60601');
    await painted();
    expect(history.write).toHaveBeenCalledWith('push', '/cars-for-sale/used/ford?zip=60601', base.criteria);
    await asked[0]?.answer(answerOf(pageOf(withMakes('FORD'))));
    expect(history.arrive).toHaveBeenCalledWith('results');
  });

  it.each([
    ['is no page', { kind: 'document' }, 200],
    ['knows no such search', { error: { code: 'NOT_FOUND' } }, 404],
  ])('leaves for the document when the response %s', async (_case, body, status) => {
    const { asked, links, leave } = setUp();
    links.next('/cars-for-sale/used/nonsense');
    await asked[0]?.answer(body, status);
    expect(leave).toHaveBeenCalledWith('/cars-for-sale/used/nonsense');
  });

  describe('next page', () => {
    const more = {
      listings: [buildListing({ id: '31' })],
      owners: {},
      spotlights: { premium: [], featured: [], standard: [], fourthTier: [] },
      firstRecord: 30,
      url: '/cars-for-sale/all-cars?firstRecord=30',
    };

    // rows: B4-PAGING-03, B4-PAGING-08
    it('is requested once at a time and appended, and its URL replaces the old one', async () => {
      const { asked, bus, state, history } = setUp({ totalResultCount: 90 });
      bus.emit('search.moreRequested', {}, 'results');
      bus.emit('search.moreRequested', {}, 'results');
      expect(asked).toHaveLength(1);
      expect(state().status).toBe('loadingMore');
      expect(asked[0]?.url).toBe(
        `/cars-for-sale/api/search/more?url=${encodeURIComponent('/cars-for-sale/all-cars?firstRecord=30')}`,
      );
      await asked[0]?.answer({ page: more });
      expect(state().listings.map(({ id }) => id)).toEqual(['1001', '31']);
      expect(history.write).not.toHaveBeenCalled();
      await painted();
      expect(history.write.mock.calls).toEqual([
        ['replace', more.url, { ...base.criteria, firstRecord: 30 }],
      ]);
    });

    // rows: A4-FLOW-01
    it('is aborted when a search begins', async () => {
      const { asked, bus, change, state } = setUp({ totalResultCount: 90 });
      bus.emit('search.moreRequested', {}, 'results');
      change(withMakes('FORD'));
      expect(asked[0]?.signal.aborted).toBe(true);
      await asked[0]?.answer({ page: more });
      expect(state()).toMatchObject({ status: 'loading' });
      expect(state().listings).toHaveLength(1);
    });

    it('is not requested while a search is loading', () => {
      const { asked, bus, change } = setUp({ totalResultCount: 90 });
      change(withMakes('FORD'));
      bus.emit('search.moreRequested', {}, 'results');
      expect(asked).toHaveLength(1);
    });

    // rows: B8-ERR-09
    it('keeps the loaded results on failure, reports it and can be requested again', async () => {
      const { asked, bus, state } = setUp({ totalResultCount: 90 });
      const problems: string[] = [];
      bus.on('problem.reported').subscribe(({ code }) => problems.push(code));
      bus.emit('search.moreRequested', {}, 'results');
      await asked[0]?.break();
      expect(problems).toEqual(['MORE_NOT_LOADED']);
      expect(state().status).toBe('ready');
      bus.emit('search.moreRequested', {}, 'results');
      expect(asked).toHaveLength(2);
    });
  });

  it('formats counts with thousands separators and a singular', () => {
    expect([0, 1, 1234].map(matchesText)).toEqual(['0 Matches', '1 Match', '1,234 Matches']);
  });
});
