/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import type { FilterValues } from '@forecourt/shared-contracts/criteria';
import { browserStorage } from '@forecourt/shared-contracts/store';
import { mountLeads, refusal } from '../testing/mountLeads.tsx';
import { mayPrompt } from './conditions.ts';
import { optIn } from './optIn.ts';
import { createWebPush } from './webPush.ts';
import { NOTIFICATION_WINDOW_MS } from '../constants.ts';
import { CALLS } from '@forecourt/shared-contracts/calls';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const TRUCKS: FilterValues = { vehicleStyleCode: ['TRUCKS'] };
const criteria = (filters: FilterValues) => ({
  filters,
  sortBy: 'relevance' as const,
  firstRecord: 0,
  numRecords: 30,
  unknown: [],
});

describe('the conditions of the notification prompt', () => {
  const may = (change: Partial<Parameters<typeof mayPrompt>[0]> = {}) =>
    mayPrompt({
      wasPrompted: false,
      recentInventory: [{ listingId: '1', viewedAt: NOW }],
      criteria: criteria(TRUCKS),
      now: NOW,
      ...change,
    });

  // rows: A4-NOTIF-02, A9-LIMIT-08
  it('are a vehicle seen within the last 24 hours, to the millisecond', () => {
    expect(NOTIFICATION_WINDOW_MS).toBe(86_400_000);
    expect(may({ now: NOW + DAY })).toBe(true);
    expect(may({ now: NOW + DAY + 1 })).toBe(false);
    expect(may({ recentInventory: [] })).toBe(false);
    const recentInventory = [
      { listingId: '1', viewedAt: NOW - DAY - 1 },
      { listingId: '2', viewedAt: NOW },
    ];
    expect(may({ recentInventory })).toBe(true);
  });

  // rows: A4-NOTIF-03
  it('are a model or a body style', () => {
    expect(may({ criteria: criteria({}) })).toBe(false);
    expect(may({ criteria: criteria({ makeCode: ['FORD'] }) })).toBe(false);
    expect(may({ criteria: criteria({ modelCode: ['F150'] }) })).toBe(true);
  });

  // rows: A4-NOTIF-01
  it('are that nobody was asked before', () => expect(may({ wasPrompted: true })).toBe(false));
});

describe('the notification prompt', () => {
  const subscription = { endpoint: 'https://push.example/1', keys: { p256dh: 'a', auth: 'b' } };
  const request = jest.fn(async (): Promise<NotificationPermission> => 'granted');
  const subscribe = jest.fn(async (_: unknown): Promise<unknown> => subscription);
  const unsubscribe = jest.fn(async () => true);
  const userAgent = jest.spyOn(navigator, 'userAgent', 'get');

  function setPermission(permission: NotificationPermission | 'missing'): void {
    if (permission === 'missing') return void Reflect.deleteProperty(window, 'Notification');
    Object.defineProperty(window, 'Notification', {
      configurable: true,
      value: { permission, requestPermission: request },
    });
  }
  beforeEach(() => {
    setPermission('default');
    userAgent.mockReturnValue('Mozilla/5.0 (X11; Linux x86_64)');
    const registration = { pushManager: { getSubscription: async () => null, subscribe }, unsubscribe };
    Object.defineProperty(navigator, 'serviceWorker', {
      configurable: true,
      value: { register: jest.fn(async () => registration), ready: Promise.resolve(registration) },
    });
    browserStorage.recentInventory.write([{ listingId: '1', viewedAt: Date.now() }]);
    document.cookie = 'pixallId=px-1';
  });
  afterEach(() => {
    jest.clearAllMocks();
    request.mockResolvedValue('granted');
    window.localStorage.clear();
  });

  const mount = (options: Parameters<typeof mountLeads>[0] = {}) =>
    mountLeads({
      ...options,
      search: { criteria: criteria(TRUCKS) },
      calls: {
        webPushKey: () => ({ publicKey: 'BAAA' }),
        registerDevice: () => null,
        forgetDevice: () => null,
        ...options.calls,
      },
    });
  const prompt = () => screen.findByRole('dialog', { name: 'Hear of new matches first' }, { timeout: 3000 });
  const accept = async () =>
    userEvent.click(within(await prompt()).getByRole('button', { name: 'Notify me' }));
  const stays = () => new Promise((resolve) => setTimeout(resolve, 1300));

  // rows: A1-NOTIF-01, A4-NOTIF-01, A4-NOTIF-04
  it('shows when its conditions hold and, dismissed, not again', async () => {
    const first = mount();
    await userEvent.click(within(await prompt()).getByRole('button', { name: 'Not now' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(request).not.toHaveBeenCalled();
    first.unmount();
    mount();
    await stays();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  // rows: A4-NOTIF-05, A4-NOTIF-06, A4-NOTIF-07, A3-DEVICE-01, A7-DEVICE-01
  it('asks the browser, gets a token and registers the device with exactly three keys; accepted, it does not come again', async () => {
    const shell = mount();
    await accept();
    expect(await screen.findByText(/You will hear from us/)).toBeVisible();
    expect(request).toHaveBeenCalledTimes(1);
    const [body] = shell.bodiesOf('registerDevice');
    expect(body).toEqual({ brand: 'atc', pixall_id: 'px-1', browser_token: JSON.stringify(subscription) });
    expect(CALLS.registerDevice.body.safeParse(body).success).toBe(true);
    shell.unmount();
    mount();
    await stays();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  // rows: A7-SW-02
  it('registers the service worker for the whole results page', async () => {
    mount();
    await accept();
    await screen.findByText(/You will hear from us/);
    expect(navigator.serviceWorker.register).toHaveBeenCalledWith(
      '/cars-for-sale/api/firebase-messaging-sw.js',
      { scope: '/cars-for-sale/' },
    );
  });

  // rows: A4-NOTIF-06
  it('does not ask the browser again where it has said yes', async () => {
    setPermission('granted');
    const shell = mount();
    await accept();
    await screen.findByText(/You will hear from us/);
    expect(request).not.toHaveBeenCalled();
    expect(shell.bodiesOf('registerDevice')).toHaveLength(1);
  });

  // rows: A8-ERR-07
  it('goes on without a token that cannot be fetched, and says no error of its own', async () => {
    subscribe.mockRejectedValueOnce(new DOMException('no push service', 'AbortError'));
    const shell = mount();
    await accept();
    expect(await screen.findByText(/we could not sign up this browser/)).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(shell.bodiesOf('registerDevice')).toEqual([]);
    expect(shell.eventsOf('problem.reported')).toMatchObject([{ code: 'PUSH_TOKEN' }]);
  });

  it('does not wait for ever for a push service that is silent', async () => {
    subscribe.mockReturnValueOnce(new Promise(() => {}));
    const report = jest.fn();
    setPermission('granted');
    jest.useFakeTimers();
    try {
      const outcome = optIn({
        call: async () => ({ publicKey: 'BAAA' }) as never,
        provider: createWebPush(async () => ({ publicKey: 'BAAA' }) as never),
        brand: 'atc',
        pixallId: () => 'px-1',
        report,
      });
      await jest.advanceTimersByTimeAsync(10_000);
      expect(await outcome).toBe('failed');
    } finally {
      jest.useRealTimers();
    }
    expect(report).toHaveBeenCalledWith('PUSH_TOKEN', new Error('the push service is silent'));
  });

  it('registers on the next visit what could not be registered', async () => {
    const first = mount({ calls: { registerDevice: () => Promise.reject(refusal(502)) } });
    await accept();
    await screen.findByText(/we could not sign up this browser/);
    first.unmount();
    setPermission('granted');
    const second = mount();
    await waitFor(() => expect(second.bodiesOf('registerDevice')).toHaveLength(1));
  });

  // rows: A4-NOTIF-08
  it('clears the token when notifications are blocked, here and upstream', async () => {
    window.localStorage.setItem('notificationToken', '"t-1"');
    setPermission('denied');
    const shell = mount();
    await waitFor(() => expect(shell.bodiesOf('forgetDevice')).toEqual([{ browser_token: 't-1' }]));
    expect(window.localStorage.getItem('notificationToken')).toBeNull();
    await stays();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('says what happened when the browser was told no', async () => {
    request.mockResolvedValueOnce('denied');
    mount();
    await accept();
    expect(await screen.findByText(/Your browser blocks notifications/)).toBeVisible();
  });

  // rows: A4-NOTIF-05, A4-NOTIF-09, A2-UI-12
  it('asks for the home screen first on iOS; accepted, it does not come again', async () => {
    setPermission('missing');
    userAgent.mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');
    const first = mount();
    await accept();
    expect(await screen.findByRole('heading', { name: 'Add this page to your home screen' })).toBeVisible();
    expect(screen.getByText(/Choose “Add to Home Screen”/)).toBeVisible();
    expect(request).not.toHaveBeenCalled();
    first.unmount();
    mount();
    await stays();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('remembers the vehicle that was looked at', () => {
    const shell = mount();
    shell.send('listing.viewed', { listingId: '55' });
    expect(browserStorage.recentInventory.read()[0]?.listingId).toBe('55');
  });

  // rows: A4-NOTIF-10
  it('shows the picture of the variant that its brand names, each its own', async () => {
    const pictures = new Set<string>();
    for (const variant of ['alert', 'dream-car', 'price-drop'] as const) {
      const chosen = jest.replaceProperty(BRANDS.atc, 'notificationVariant', variant);
      const shell = mount();
      shell.send('notification.requested', {});
      const picture = within(await screen.findByRole('dialog')).getByRole('img');
      expect(picture).toHaveAttribute('data-variant', variant);
      pictures.add(picture.innerHTML);
      shell.unmount();
      chosen.restore();
    }
    expect(pictures.size).toBe(3);
  });
});
