/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FLAGS } from '@forecourt/shared-contracts/brands';
import type { CallParams } from '@forecourt/shared-contracts/calls';
import type { Listing } from '@forecourt/shared-contracts/entities';
import type { SearchState, SessionState } from '@forecourt/shared-contracts/store';
import { buildListing } from '@forecourt/shared-contracts/testing';
import { mountResults } from '../testing/mountResults.ts';
import { prepareViewport } from '../testing/viewport.ts';
import { alertCandidates, isFetchDue, type SeenVehicle, alertBottom, reasonFor } from './alertRules.ts';
const sendBeacon = jest.fn((_path: string, _body: Blob) => true);
beforeEach(() => {
  prepareViewport();
  sendBeacon.mockClear();
  Object.assign(navigator, { sendBeacon });
});

const seen = (id: string, viewedAt: number): SeenVehicle => ({
  listingId: id,
  vin: `VIN${id}`,
  viewedAt,
  emailSent: false,
});
const vehicle = (id: string, overrides: Partial<Listing> = {}) =>
  buildListing({ id, vin: `VIN${id}`, title: `Seen ${id}`, ...overrides });

interface World {
  readonly history?: readonly SeenVehicle[];
  readonly active?: readonly Listing[];
  readonly views?: number;
  readonly search?: Partial<SearchState>;
  readonly session?: Partial<SessionState>;
}
async function mountWith({ history, active, views = 0, search, session }: World = {}) {
  const calls = {
    browsingHistory: jest.fn((_: CallParams) => ({ vehicles: history ?? [seen('7', 1)] })),
    listingsByVin: jest.fn((_: CallParams) => ({ listings: active ?? [vehicle('7')], owners: [] })),
    listingViewCount: jest.fn((_: CallParams) => ({ atcViewCount: views, kbbViewCount: 0 })),
  };
  const shell = mountResults(search, session, calls);
  await shell.later();
  return { ...shell, ...calls };
}
const alert = () => screen.queryByRole('complementary', { name: 'Still interested?' });
const flags = { ...FLAGS, ads: false, wallet: false };

describe('the still-interested alert', () => {
  // rows: A1-ALERT-01, B2-ALERT-02, B9-STILL-03
  it('shows a vehicle of the history that is still for sale, at the bottom right, 400 px wide', async () => {
    const { listingsByVin } = await mountWith({
      history: [seen('6', 2), seen('7', 1)],
      active: [vehicle('7')],
    });
    const shown = alert();
    expect(shown && within(shown).getByRole('link')).toHaveTextContent('Seen 7');
    expect(listingsByVin.mock.calls[0]?.[0]).toEqual({
      collapseFilters: 'true',
      vin: 'VIN6,VIN7',
      channel: 'ATC',
    });
    expect(shown?.style.inlineSize).toBe('400px');
    expect(shown?.style.insetBlockEnd).toBe('10px');
  });

  it('tells what else floats at the bottom how much it covers, until it goes', async () => {
    jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(112);
    const { sent } = await mountWith();
    expect(sent('page.bottomCovered')).toEqual([{ by: 'results', height: 122 }]);
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(sent('page.bottomCovered').at(-1)).toEqual({ by: 'results', height: 0 });
    jest.restoreAllMocks();
  });

  // rows: B4-ALERT-01
  it('appears only when there are results', async () => {
    const { browsingHistory } = await mountWith({ search: { listings: [], totalResultCount: 0 } });
    expect(alert()).toBeNull();
    expect(browsingHistory).not.toHaveBeenCalled();
  });

  // rows: B4-ALERT-03, B6-FLAG-10
  it('appears only while its flag is on', async () => {
    await mountWith({ session: { flags: { ...flags, stillInterested: false } } });
    expect(alert()).toBeNull();
  });

  // rows: B6-ROLE-04
  it('asks nothing for a bot', async () => {
    const { browsingHistory } = await mountWith({ session: { flags, isBot: true } });
    expect(browsingHistory).not.toHaveBeenCalled();
  });

  // rows: B4-ALERT-02, B4-ALERT-08
  it('is remembered as dismissed and does not come back', async () => {
    const first = await mountWith();
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(alert()).toBeNull();
    expect(JSON.parse(localStorage.getItem('stillInterestedDismissed') ?? '')).toEqual(['7']);
    first.unmount();
    sessionStorage.clear();
    await mountWith();
    expect(alert()).toBeNull();
  });

  it('is the last one on the page once it is dismissed', async () => {
    const { listingsByVin, listingViewCount, later, sent } = await mountWith({
      history: [seen('7', 2), seen('8', 1)],
      active: [vehicle('7'), vehicle('8')],
    });
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await later();
    expect(alert()).toBeNull();
    expect(listingsByVin).toHaveBeenCalledTimes(1);
    expect(listingViewCount).toHaveBeenCalledTimes(1);
    expect(sendBeacon).toHaveBeenCalledTimes(1);
    expect(sent('page.announced')).toHaveLength(1);
  });

  // rows: A4-FLOW-07
  it('passes by what was opened in this session', async () => {
    sessionStorage.setItem('viewedListings', '["7"]');
    const { listingsByVin } = await mountWith({
      history: [seen('7', 2), seen('8', 1)],
      active: [vehicle('8')],
    });
    expect(listingsByVin.mock.calls[0]?.[0]).toMatchObject({ vin: 'VIN8' });
    expect(alert()).toHaveTextContent('Seen 8');
  });

  describe('for a vehicle that was opened', () => {
    const two = {
      history: [seen('7', 2), seen('8', 1)],
      active: [vehicle('7'), vehicle('8')],
    };

    // rows: A4-FLOW-07
    it('gives way to another one when the page comes back', async () => {
      const { later } = await mountWith(two);
      sessionStorage.setItem('viewedListings', '["7"]');
      act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false })));
      expect(alert()).toHaveTextContent('Seen 7');
      act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
      expect(alert()).toBeNull();
      await later();
      expect(alert()).toHaveTextContent('Seen 8');
    });

    // rows: A4-FLOW-07
    it('stays while the page goes with it, and goes when another tab opens it', async () => {
      const { later } = await mountWith(two);
      const stayHere = (event: Event) => event.preventDefault();
      window.addEventListener('click', stayHere);
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
      expect(screen.getByRole('heading', { name: /Matches$/ })).toHaveFocus();
      await later();
      expect(alert()).toHaveTextContent('Seen 8');
      press({ button: 1 }, 'auxclick');
      expect(alert()).toBeNull();
      window.removeEventListener('click', stayHere);
    });

    it('goes when its tab comes back and nothing else waits', async () => {
      const { later } = await mountWith(two);
      sessionStorage.setItem('viewedListings', '["7","8"]');
      act(() => void document.dispatchEvent(new Event('visibilitychange')));
      await later();
      expect(alert()).toBeNull();
      expect(sendBeacon).toHaveBeenCalledTimes(1);
    });
  });

  // rows: B9-STILL-05, A7-VIEW-01, A9-LIMIT-09
  it('counts the views of 7 days on both sites', async () => {
    const pricingDetail = { derivedPrice: 30_000 };
    const { listingViewCount } = await mountWith({ views: 12, active: [vehicle('7', { pricingDetail })] });
    expect(listingViewCount.mock.calls[0]?.[0]).toEqual({ vin: 'VIN7', dateRange: '7' });
    expect(alert()).toHaveTextContent('12 people looked at it in the last 7 days');
  });

  // rows: B7-STILL-01, B2-ROUTE-06
  it('tells the marketplace by a beacon with its four keys', async () => {
    await mountWith({
      session: { flags, account: { firstName: 'Ada', email: 'ada@example.com' }, signedIn: true },
    });
    expect(sendBeacon).toHaveBeenCalledTimes(1);
    const [path, body] = sendBeacon.mock.calls[0] ?? [];
    expect(path).toBe('/cars-for-sale/still-interested/alert');
    expect(JSON.parse((await body?.text()) ?? '')).toEqual({
      brand: 'atc',
      vins: ['VIN7'],
      consumer_id: '',
      email: 'ada@example.com',
    });
  });

  describe('while the wallet notification is on', () => {
    const on = { session: { flags: { ...flags, walletNotification: true } } };
    const notification = () => screen.queryByRole('complementary', { name: 'My wallet' });

    // rows: B4-ALERT-09
    it('gives way to it', async () => {
      const { sent } = await mountWith(on);
      expect(alert()).toBeNull();
      await userEvent.click(screen.getByRole('button', { name: 'Set budget' }));
      expect(sent('dialog.requested')).toEqual([{ name: 'wallet' }]);
      expect(notification()).toBeNull();
      expect(screen.getByRole('heading', { name: /Matches$/ })).toHaveFocus();
    });

    // rows: B4-ALERT-09
    it('shows that once a visit, and asks nothing when it was closed', async () => {
      const first = await mountWith(on);
      await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
      expect(notification()).toBeNull();
      first.unmount();
      const { listingsByVin, sent } = await mountWith(on);
      expect(notification()).toBeNull();
      expect(listingsByVin).not.toHaveBeenCalled();
      expect(sent('page.tracked')).not.toContainEqual({ kind: 'impression', name: 'walletNotification' });
    });

    it('closes it where nothing can be stored', async () => {
      const blocked = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new DOMException('blocked', 'SecurityError');
      });
      await mountWith(on);
      await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
      expect(notification()).toBeNull();
      blocked.mockRestore();
    });
  });

  // rows: A8-ERR-08
  it('does not come, and only a line is logged, when the history fails', async () => {
    const shell = mountResults(
      {},
      {},
      {
        browsingHistory: () => {
          throw new Error('down');
        },
      },
    );
    await shell.later();
    expect(alert()).toBeNull();
    expect(shell.sent('problem.reported')).toMatchObject([{ code: 'BROWSING_HISTORY_FAILED' }]);
    expect(screen.getByRole('article')).toBeVisible();
  });

  // rows: A4-FLOW-06
  it('asks for the history once in two minutes, also over reloads', async () => {
    const first = await mountWith({ history: [] });
    expect(first.browsingHistory).toHaveBeenCalledTimes(1);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await first.later();
    expect(first.browsingHistory).toHaveBeenCalledTimes(1);
    first.unmount();
    const second = await mountWith({ history: [] });
    expect(second.browsingHistory).not.toHaveBeenCalled();
  });

  // rows: A4-FLOW-06
  it('asks for the history once while it is on its way, and once in two minutes also when it fails', async () => {
    const comeBack = () => act(() => void document.dispatchEvent(new Event('visibilitychange')));
    const answers: ((answer: { vehicles: SeenVehicle[] }) => void)[] = [];
    const slow = jest.fn(() => new Promise((answer: (typeof answers)[number]) => answers.push(answer)));
    const listingsByVin = () => ({ listings: [vehicle('7')], owners: [] });
    const listingViewCount = () => ({ atcViewCount: 0, kbbViewCount: 0 });
    const waiting = mountResults({}, {}, { browsingHistory: slow, listingsByVin, listingViewCount });
    await waiting.later();
    comeBack();
    comeBack();
    expect(slow).toHaveBeenCalledTimes(1);
    answers[0]?.({ vehicles: [seen('7', 1)] });
    await waiting.later();
    expect(alert()).not.toBeNull();
    waiting.unmount();

    sessionStorage.clear();
    const failing = jest.fn(() => Promise.reject(new Error('502')));
    const failed = mountResults({}, {}, { browsingHistory: failing });
    await failed.later();
    comeBack();
    await failed.later();
    expect(failing).toHaveBeenCalledTimes(1);
    expect(failed.sent('problem.reported')).toHaveLength(1);
  });
});

describe('isFetchDue', () => {
  // rows: A4-FLOW-06
  it('is false until 119,999 ms and true from 120,000 ms on', () => {
    expect(isFetchDue(undefined, 5)).toBe(true);
    expect(isFetchDue(1_000, 1_000 + 119_999)).toBe(false);
    expect(isFetchDue(1_000, 1_000 + 120_000)).toBe(true);
  });
});

describe('alertCandidates', () => {
  // rows: B9-STILL-01
  it('are among the ten that were looked at last, the newest first', () => {
    const history = Array.from({ length: 15 }, (_, at) => seen(String(at), at));
    const ids = alertCandidates(history, { viewed: ['14'], dismissed: ['13'] }).map(
      ({ listingId }) => listingId,
    );
    expect(ids).toEqual(['12', '11', '10', '9', '8', '7', '6', '5']);
  });
});

describe('reasonFor', () => {
  const great = { dealIndicator: 'Great' as const };
  // rows: B4-ALERT-04
  it('is the reduced price before anything else', () => {
    expect(reasonFor({ isReducedPrice: true, pricingDetail: great }, 10)).toBe('reducedPrice');
  });
  // rows: B4-ALERT-05, B9-STILL-02
  it('is the viewers from the fourth on', () => {
    expect(reasonFor({ isReducedPrice: false, pricingDetail: great }, 4)).toBe('viewers');
    expect(reasonFor({ isReducedPrice: false, pricingDetail: {} }, 3)).toBe('interested');
  });
  // rows: B4-ALERT-06
  it('is a Great or Good deal', () => {
    expect(reasonFor({ isReducedPrice: false, pricingDetail: { dealIndicator: 'Good' } }, 3)).toBe('deal');
    expect(reasonFor({ isReducedPrice: false, pricingDetail: { dealIndicator: 'Fair' } }, 3)).toBe(
      'interested',
    );
  });
  // rows: B4-ALERT-07
  it('is plain interest without any of these', () => {
    expect(reasonFor({ isReducedPrice: false, pricingDetail: {} }, 0)).toBe('interested');
  });
});

describe('alertBottom', () => {
  // rows: B9-STILL-04
  it('is 10 px, or above an ad of 50 px 60 and of 90 px 100', () => {
    expect([0, 50, 90].map(alertBottom)).toEqual([10, 60, 100]);
  });
});
