/** @jest-environment jest-fixed-jsdom */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/search/brands';
import { searchLoaded, type SearchState, type SessionState } from '@forecourt/search/state';
import { buildListing, buildState, mountInTestShell } from '@forecourt/search/testing';
import { defineSlot } from '@forecourt/slots';
import type { CallParams } from '@forecourt/upstream/calls';
import type { Listing } from '@forecourt/upstream/entities';
import { mountResults } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';
import { CornerAlert } from './CornerAlert.tsx';
import { type ViewedVehicle } from './findVehicle.ts';

const sendBeacon = jest.fn((_path: string, _body: Blob) => true);

beforeEach(() => {
  prepareViewport();
  sendBeacon.mockClear();
  Object.assign(navigator, { sendBeacon });
});

const viewedVehicle = (id: string, viewedAt: number): ViewedVehicle => ({
  listingId: id,
  vin: `VIN${id}`,
  viewedAt,
  emailSent: false,
});

const vehicle = (id: string, overrides: Partial<Listing> = {}) =>
  buildListing({ id, vin: `VIN${id}`, title: `Seen ${id}`, ...overrides });

interface UpstreamOverrides {
  readonly history?: readonly ViewedVehicle[];
  readonly active?: readonly Listing[];
  readonly views?: Readonly<Record<'atcViewCount' | 'kbbViewCount', number>>;
  readonly search?: Partial<SearchState>;
  readonly session?: Partial<SessionState>;
}

const noViews = { atcViewCount: 0, kbbViewCount: 0 };

const upstream = ({ history, active, views = noViews }: UpstreamOverrides = {}) => ({
  browsingHistory: jest.fn((_: CallParams) => ({ vehicles: history ?? [viewedVehicle('7', 1)] })),
  listingsByVin: jest.fn((_: CallParams) => ({ listings: active ?? [vehicle('7')], owners: [] })),
  listingViewCount: jest.fn((_: CallParams) => views),
});

async function mountWith({ search, session, ...responses }: UpstreamOverrides = {}) {
  const calls = upstream(responses);
  const shell = mountResults(search, session, calls);
  await shell.waitForLateParts();
  return { ...shell, ...calls };
}

const alert = () => screen.queryByRole('complementary', { name: 'Still interested?' });

const flags = { ...FLAGS, ads: false, wallet: false };

describe('the still-interested alert', () => {
  // rows: A1-ALERT-01, A7-OTHER-01, B7-OTHER-04, B2-ROUTE-04, B9-STILL-03
  it('shows a viewed vehicle that is still for sale, 400 px wide', async () => {
    const { browsingHistory, listingsByVin, payloads } = await mountWith({
      history: [viewedVehicle('6', 2), viewedVehicle('7', 1)],
      active: [vehicle('7')],
    });
    expect(browsingHistory.mock.calls).toEqual([[{ brand: 'atc' }]]);
    const shown = alert();
    const link = within(shown!).getByRole('link', { name: 'Seen 7' });
    expect(link).toHaveAttribute('href', '/cars-for-sale/vehicle/7?clickType=alert');
    expect(listingsByVin.mock.calls[0]?.[0]).toEqual({
      collapseFilters: 'true',
      vin: 'VIN6,VIN7',
      channel: 'ATC',
    });
    expect(payloads('page.tracked')).toEqual([
      { kind: 'impression', name: 'stillInterested', listingId: '7' },
    ]);
    expect(shown?.style.inlineSize).toBe('400px');
  });

  // rows: B2-ALERT-02
  it('is fixed at the bottom right of the viewport', async () => {
    const styles = document.head.appendChild(document.createElement('style'));
    const file = new URL('CornerCard.later.module.css', import.meta.url);
    styles.textContent = readFileSync(fileURLToPath(file.href), 'utf8');
    await mountWith();
    const computed = getComputedStyle(alert()!);
    expect(computed.position).toBe('fixed');
    expect(computed.getPropertyValue('inset-inline-end')).toBe('10px');
    expect(alert()?.style.insetBlockEnd).toBe('10px');
    styles.remove();
  });

  it('reports the height that the alert covers until it closes', async () => {
    jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(112);
    const { payloads } = await mountWith();
    expect(payloads('page.bottomCovered')).toEqual([{ by: 'results', height: 122 }]);
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(payloads('page.bottomCovered').at(-1)).toEqual({ by: 'results', height: 0 });
    jest.restoreAllMocks();
  });

  // rows: B4-ALERT-01
  it('shows the alert only when there are results', async () => {
    const { browsingHistory } = await mountWith({ search: { listings: [], totalResultCount: 0 } });
    expect(alert()).toBeNull();
    expect(browsingHistory).not.toHaveBeenCalled();
  });

  it('looks for a vehicle once a search is loaded, and for no other one while it shows one', async () => {
    const { store, browsingHistory, listingsByVin } = await mountWith({ search: { status: 'loading' } });
    expect(browsingHistory).not.toHaveBeenCalled();
    const { requestId, status: _, ...page } = store.getState().search;
    const load = () => act(async () => void store.dispatch(searchLoaded({ requestId, page })));
    await load();
    expect(alert()).not.toBeNull();
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await load();
    expect(listingsByVin).toHaveBeenCalledTimes(1);
  });

  // rows: B4-ALERT-01
  it('closes the alert when the next search has no results', async () => {
    const { store } = await mountWith();
    expect(alert()).not.toBeNull();
    const { requestId, status: _, ...page } = store.getState().search;
    const empty = { ...page, listings: [], totalResultCount: 0 };
    act(() => void store.dispatch(searchLoaded({ requestId, page: empty })));
    expect(alert()).toBeNull();
  });

  // rows: B4-ALERT-03, B6-FLAG-10
  it('shows the alert only while its flag is on', async () => {
    await mountWith({ session: { flags: { ...flags, stillInterested: false } } });
    expect(alert()).toBeNull();
  });

  // rows: B6-ROLE-04
  it('makes no requests for a bot', async () => {
    const { browsingHistory } = await mountWith({ session: { flags, isBot: true } });
    expect(browsingHistory).not.toHaveBeenCalled();
  });

  // rows: B4-ALERT-02, B4-ALERT-08
  it('keeps the alert dismissed after a reload, with the newest 100 dismissals', async () => {
    const earlier = Array.from({ length: 100 }, (_, at) => `d${at}`);
    localStorage.setItem('stillInterestedDismissed', JSON.stringify(earlier));
    const first = await mountWith();
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(alert()).toBeNull();
    const stored: unknown = JSON.parse(localStorage.getItem('stillInterestedDismissed') ?? '');
    expect(stored).toEqual(['7', ...earlier.slice(0, 99)]);
    first.unmount();
    sessionStorage.clear();
    await mountWith();
    expect(alert()).toBeNull();
  });

  // rows: B4-ALERT-02
  it('closes the alert when its vehicle was dismissed in another tab', async () => {
    const { waitForLateParts } = await mountWith();
    localStorage.setItem('stillInterestedDismissed', '["7"]');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitForLateParts();
    expect(alert()).toBeNull();
  });

  it('shows no other vehicle on the page after a dismissal', async () => {
    const { listingsByVin, listingViewCount, waitForLateParts, payloads } = await mountWith({
      history: [viewedVehicle('7', 2), viewedVehicle('8', 1)],
      active: [vehicle('7'), vehicle('8')],
    });
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitForLateParts();
    expect(alert()).toBeNull();
    expect(listingsByVin).toHaveBeenCalledTimes(1);
    expect(listingViewCount).toHaveBeenCalledTimes(1);
    expect(sendBeacon).toHaveBeenCalledTimes(1);
    expect(payloads('page.announced')).toHaveLength(1);
  });

  // rows: A4-FLOW-07
  it('skips vehicles opened in this session', async () => {
    sessionStorage.setItem('viewedListings', '["7"]');
    const { listingsByVin } = await mountWith({
      history: [viewedVehicle('7', 2), viewedVehicle('8', 1)],
      active: [vehicle('8')],
    });
    expect(listingsByVin.mock.calls[0]?.[0]).toMatchObject({ vin: 'VIN8' });
    expect(alert()).toHaveTextContent('Seen 8');
  });

  describe("after the alert's vehicle was opened", () => {
    const two = {
      history: [viewedVehicle('7', 2), viewedVehicle('8', 1)],
      active: [vehicle('7'), vehicle('8')],
    };

    // rows: A4-FLOW-07
    it('shows another vehicle when the page is restored', async () => {
      const { waitForLateParts } = await mountWith(two);
      sessionStorage.setItem('viewedListings', '["7"]');
      act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false })));
      expect(alert()).toHaveTextContent('Seen 7');
      act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
      expect(alert()).toBeNull();
      await waitForLateParts();
      expect(alert()).toHaveTextContent('Seen 8');
    });

    // rows: A4-FLOW-07
    it('keeps the alert while its link is followed and closes it when another tab opens the vehicle', async () => {
      const { waitForLateParts } = await mountWith(two);
      const preventNavigation = (event: Event) => event.preventDefault();
      window.addEventListener('click', preventNavigation);
      const press = (init: MouseEventInit, type = 'click') =>
        fireEvent(
          screen.getByRole('link', { name: /^Seen/ }),
          new MouseEvent(type, { bubbles: true, cancelable: true, ...init }),
        );
      press({ button: 2 }, 'auxclick');
      expect(sessionStorage.getItem('viewedListings')).toBeNull();
      press({});
      expect(sessionStorage.getItem('viewedListings')).toBe('["7"]');
      expect(alert()).toHaveTextContent('Seen 7');
      press({ ctrlKey: true });
      expect(alert()).toBeNull();
      expect(screen.getByRole('heading', { name: /Match(?:es)?$/ })).toHaveFocus();
      await waitForLateParts();
      expect(alert()).toHaveTextContent('Seen 8');
      press({ button: 1 }, 'auxclick');
      expect(alert()).toBeNull();
      window.removeEventListener('click', preventNavigation);
    });

    it('closes the alert when the tab becomes visible and no other vehicle is left', async () => {
      const { waitForLateParts } = await mountWith(two);
      sessionStorage.setItem('viewedListings', '["7","8"]');
      act(() => void document.dispatchEvent(new Event('visibilitychange')));
      await waitForLateParts();
      expect(alert()).toBeNull();
      expect(sendBeacon).toHaveBeenCalledTimes(1);
    });
  });

  // rows: B9-STILL-05, A7-VIEW-01, A7-VIEW-02, A9-LIMIT-09
  it('counts the views of 7 days on both sites', async () => {
    const pricingDetail = { derivedPrice: 30_000 };
    const views = { atcViewCount: 7, kbbViewCount: 5 };
    const { listingViewCount } = await mountWith({ views, active: [vehicle('7', { pricingDetail })] });
    expect(listingViewCount.mock.calls[0]?.[0]).toEqual({ vin: 'VIN7', dateRange: '7' });
    expect(alert()).toHaveTextContent('12 people looked at it in the last 7 days');
  });

  // rows: B7-STILL-01, B2-ROUTE-06
  it('sends a beacon with its four keys', async () => {
    await mountWith({
      session: { flags, account: { firstName: 'Ada', email: 'ada@example.com' }, signedIn: true },
    });
    expect(sendBeacon).toHaveBeenCalledTimes(1);
    const [path, body] = sendBeacon.mock.calls[0] ?? [];
    expect(path).toBe('/cars-for-sale/still-interested/alert');
    expect(body?.type).toBe('application/json');
    expect(JSON.parse((await body?.text()) ?? '')).toEqual({
      brand: 'atc',
      vins: ['VIN7'],
      consumer_id: '',
      email: 'ada@example.com',
    });
  });

  describe('while the wallet notification is on', () => {
    const withNotification = { session: { flags: { ...flags, walletNotification: true } } };
    const notification = () => screen.queryByRole('complementary', { name: 'Your budget' });

    // rows: B4-ALERT-09
    it('replaces the still-interested alert with the wallet notification', async () => {
      const { payloads } = await mountWith(withNotification);
      expect(alert()).toBeNull();
      expect(notification()).toHaveTextContent('Set a monthly budget to see which vehicles fit it.');
      await userEvent.click(screen.getByRole('button', { name: 'Set budget' }));
      expect(payloads('dialog.requested')).toEqual([{ name: 'wallet' }]);
      const tracked = { name: 'walletNotification' };
      expect(payloads('page.tracked')).toEqual([
        { kind: 'impression', ...tracked },
        { kind: 'click', ...tracked },
      ]);
      expect(notification()).toBeNull();
      expect(screen.getByRole('heading', { name: /Match(?:es)?$/ })).toHaveFocus();
    });

    // rows: B4-ALERT-09
    it('shows the wallet notification once per session and requests nothing after it was closed', async () => {
      const first = await mountWith(withNotification);
      await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
      expect(notification()).toBeNull();
      first.unmount();
      const { listingsByVin, payloads } = await mountWith(withNotification);
      expect(notification()).toBeNull();
      expect(listingsByVin).not.toHaveBeenCalled();
      expect(payloads('page.tracked')).not.toContainEqual({ kind: 'impression', name: 'walletNotification' });
    });

    it('closes the wallet notification when storage is blocked', async () => {
      const blocked = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new DOMException('blocked', 'SecurityError');
      });
      await mountWith(withNotification);
      await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
      expect(notification()).toBeNull();
      blocked.mockRestore();
    });
  });

  // rows: A8-ERR-08
  it('hides the alert and logs one line when the history fails', async () => {
    const shell = mountResults(
      {},
      {},
      {
        browsingHistory: () => {
          throw new Error('down');
        },
      },
    );
    await shell.waitForLateParts();
    expect(alert()).toBeNull();
    expect(shell.payloads('problem.reported')).toMatchObject([{ code: 'BROWSING_HISTORY_FAILED' }]);
    expect(screen.getByRole('article')).toBeVisible();
  });

  // rows: A4-FLOW-06
  it('fetches the history once in two minutes, even across reloads', async () => {
    const first = await mountWith({ history: [] });
    expect(first.browsingHistory).toHaveBeenCalledTimes(1);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await first.waitForLateParts();
    expect(first.browsingHistory).toHaveBeenCalledTimes(1);
    first.unmount();
    const second = await mountWith({ history: [] });
    expect(second.browsingHistory).not.toHaveBeenCalled();
  });

  // rows: A4-FLOW-06
  it('fetches the history again when the tab is visited 120,000 ms later, but not at 119,999 ms', async () => {
    const start = 1_000_000;
    const now = jest.spyOn(Date, 'now').mockReturnValue(start);
    const { browsingHistory, waitForLateParts } = await mountWith({ history: [] });
    const fetchesAfter = async (ms: number) => {
      now.mockReturnValue(start + ms);
      act(() => void document.dispatchEvent(new Event('visibilitychange')));
      await waitForLateParts();
      return browsingHistory.mock.calls.length;
    };
    expect(await fetchesAfter(119_999)).toBe(1);
    expect(await fetchesAfter(120_000)).toBe(2);
    expect(await fetchesAfter(120_001)).toBe(2);
    now.mockRestore();
  });

  // rows: A4-FLOW-06
  it('shares a history request in flight and waits two minutes after a failure', async () => {
    const becomeVisible = () => act(() => void document.dispatchEvent(new Event('visibilitychange')));
    const pendingResponses: ((response: { vehicles: ViewedVehicle[] }) => void)[] = [];
    const slowHistory = jest.fn(
      () => new Promise((resolve: (typeof pendingResponses)[number]) => pendingResponses.push(resolve)),
    );
    const listingsByVin = () => ({ listings: [vehicle('7')], owners: [] });
    const listingViewCount = () => ({ atcViewCount: 0, kbbViewCount: 0 });
    const firstPage = mountResults({}, {}, { browsingHistory: slowHistory, listingsByVin, listingViewCount });
    await firstPage.waitForLateParts();
    becomeVisible();
    becomeVisible();
    expect(slowHistory).toHaveBeenCalledTimes(1);
    pendingResponses[0]?.({ vehicles: [viewedVehicle('7', 1)] });
    await firstPage.waitForLateParts();
    expect(alert()).not.toBeNull();
    firstPage.unmount();

    sessionStorage.clear();
    const failing = jest.fn(() => Promise.reject(new Error('502')));
    const failedPage = mountResults({}, {}, { browsingHistory: failing });
    await failedPage.waitForLateParts();
    becomeVisible();
    await failedPage.waitForLateParts();
    expect(failing).toHaveBeenCalledTimes(1);
    expect(failedPage.payloads('problem.reported')).toHaveLength(1);
  });
});

describe('the bottom of the alert', () => {
  // rows: B9-STILL-04
  it.each([
    ['10 px without a fixed ad', 0, 10],
    ['60 px above a fixed ad of 50 px', 50, 60],
    ['100 px above a fixed ad of 90 px', 90, 100],
  ])('is at %s', async (_, adHeight, bottom) => {
    const slot = defineSlot({
      reads: ['session', 'search.requestId', 'search.status', 'search.totalResultCount'],
      view: () => <CornerAlert adHeight={adHeight} bottomOffset={0} onCover={() => {}} />,
    });
    mountInTestShell(slot, { state: buildState({}, { flags }), calls: upstream() });
    const { style } = await screen.findByRole('complementary', { name: 'Still interested?' });
    const [, up = ''] = style.translate.split(' ');
    expect(parseFloat(style.insetBlockEnd) - parseFloat(up)).toBe(bottom);
  });
});
