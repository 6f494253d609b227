/** @jest-environment jest-fixed-jsdom */
// Loaded lazily: compiled here, not while a test waits for it.
import './NotificationPrompt.tsx';
import { BRANDS } from '@forecourt/search/brands';
import type { FilterValues } from '@forecourt/search/criteria';
import { recentListingsStorage, notificationPromptStorage } from '@forecourt/search/storage';
import { CALLS } from '@forecourt/upstream/calls';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { mountLeads, refusal } from '../testing/mountLeads.tsx';
import { createWebPush } from './browserPush.ts';
import { optIn } from './optIn.ts';

const TRUCKS: FilterValues = { vehicleStyleCode: ['TRUCKS'] };

const criteria = (filters: FilterValues) => ({
  filters,
  sortBy: 'relevance' as const,
  firstRecord: 0,
  numRecords: 30,
  unknown: [],
});

describe('notification prompt', () => {
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
  const setTouchPoints = (value: number) =>
    Object.defineProperty(navigator, 'maxTouchPoints', { configurable: true, value });
  beforeEach(() => {
    setPermission('default');
    setTouchPoints(0);
    Object.defineProperty(window, 'PushManager', { configurable: true, value: class {} });
    userAgent.mockReturnValue('Mozilla/5.0 (X11; Linux x86_64)');
    const registration = { pushManager: { getSubscription: async () => null, subscribe }, unsubscribe };
    Object.defineProperty(navigator, 'serviceWorker', {
      configurable: true,
      value: { register: jest.fn(async () => registration), ready: Promise.resolve(registration) },
    });
    recentListingsStorage.write([{ listingId: '1', viewedAt: Date.now() }]);
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
  const prompt = () =>
    screen.findByRole('dialog', { name: 'Be the first to see price drops' }, { timeout: 10_000 });
  const accept = async () =>
    userEvent.click(within(await prompt()).getByRole('button', { name: 'Notify me' }));
  const waitForPrompt = () => new Promise((resolve) => setTimeout(resolve, 1300));

  // rows: A1-NOTIF-01, A4-NOTIF-01, A4-NOTIF-04
  it('shows the prompt when its conditions hold, and not again once dismissed', async () => {
    const first = mount();
    await userEvent.click(within(await prompt()).getByRole('button', { name: 'Not now' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(request).not.toHaveBeenCalled();
    first.unmount();
    mount();
    await waitForPrompt();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  // rows: A4-NOTIF-04
  it.each([
    ['its close button', ' '],
    ['Escape', '{Escape}'],
  ])('remembers that the prompt was dismissed with %s', async (_, key) => {
    mount().send('notification.requested', {});
    const close = within(await prompt()).getByRole('button', { name: 'Close' });
    act(() => close.focus());
    await userEvent.keyboard(key);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(notificationPromptStorage.read()).toBe(true);
  });

  // rows: A4-NOTIF-05, A4-NOTIF-06, A4-NOTIF-07, A3-DEVICE-01, A7-DEVICE-01
  it('requests permission, gets a token, registers the device with exactly three keys, and stays away once accepted', async () => {
    const shell = mount();
    await accept();
    expect(await screen.findByText(/You’re all set/)).toBeVisible();
    expect(request).toHaveBeenCalledTimes(1);
    const [body] = shell.bodiesOf('registerDevice');
    expect(body).toEqual({ brand: 'atc', pixall_id: 'px-1', browser_token: JSON.stringify(subscription) });
    expect(CALLS.registerDevice.body.safeParse(body).success).toBe(true);
    shell.unmount();
    mount();
    await waitForPrompt();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  // rows: A7-SW-02
  it('registers the service worker with the scope of the results page', async () => {
    mount();
    await accept();
    await screen.findByText(/You’re all set/);
    expect(navigator.serviceWorker.register).toHaveBeenCalledWith(
      '/cars-for-sale/api/firebase-messaging-sw.js',
      { scope: '/cars-for-sale/' },
    );
  });

  // rows: A4-NOTIF-06
  it('does not request a permission that is already granted', async () => {
    setPermission('granted');
    const shell = mount();
    await accept();
    await screen.findByText(/You’re all set/);
    expect(request).not.toHaveBeenCalled();
    expect(shell.bodiesOf('registerDevice')).toHaveLength(1);
  });

  // rows: A8-ERR-07
  it('logs a token failure and shows no error for it', async () => {
    subscribe.mockRejectedValueOnce(new DOMException('no push service', 'AbortError'));
    const shell = mount();
    await accept();
    expect(await screen.findByText(/we couldn’t turn them on/)).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(shell.bodiesOf('registerDevice')).toEqual([]);
    expect(shell.eventsOf('problem.reported')).toMatchObject([{ code: 'PUSH_TOKEN' }]);
  });

  it('times out when the push service does not respond', async () => {
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
    expect(report).toHaveBeenCalledWith('PUSH_TOKEN', new Error('the push service did not respond'));
  });

  it('registers on the next visit after a failed registration', async () => {
    const first = mount({ calls: { registerDevice: () => Promise.reject(refusal(502)) } });
    await accept();
    await screen.findByText(/we couldn’t turn them on/);
    first.unmount();
    setPermission('granted');
    const second = mount();
    await waitFor(() => expect(second.bodiesOf('registerDevice')).toHaveLength(1));
  });

  // rows: A4-NOTIF-08
  it('removes the token in the browser and upstream when notifications are blocked', async () => {
    window.localStorage.setItem('notificationToken', '"t-1"');
    setPermission('denied');
    const shell = mount();
    await waitFor(() => expect(shell.bodiesOf('forgetDevice')).toEqual([{ browser_token: 't-1' }]));
    expect(window.localStorage.getItem('notificationToken')).toBeNull();
    await waitForPrompt();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  // rows: A4-NOTIF-08, A4-NOTIF-05
  it.each([
    ['blocks notifications', 'denied', /Your browser blocks notifications/, null],
    ["dismisses the browser's question", 'default', /Nothing was changed/, '"t-1"'],
  ] as const)(
    'explains the result when the visitor %s, and clears only a blocked token',
    async (_, answer, explanation, token) => {
      request.mockResolvedValueOnce(answer);
      const shell = mount();
      await prompt();
      // Another tab turned notifications on.
      window.localStorage.setItem('notificationToken', '"t-1"');
      await accept();
      expect(await screen.findByText(explanation)).toBeVisible();
      expect(window.localStorage.getItem('notificationToken')).toBe(token);
      expect(notificationPromptStorage.read()).toBe(true);
      expect(shell.bodiesOf('forgetDevice')).toHaveLength(token === null ? 1 : 0);
    },
  );

  // rows: A4-NOTIF-05, A4-NOTIF-09, A2-UI-12
  it.each([
    ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5],
    ['an iPad that reports a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5],
  ])('explains the home screen on %s and stays away once accepted', async (_, agent, touchPoints) => {
    setPermission('missing');
    userAgent.mockReturnValue(agent);
    setTouchPoints(touchPoints);
    const first = mount();
    await accept();
    expect(await screen.findByRole('heading', { name: 'Add this page to your home screen' })).toBeVisible();
    expect(screen.getByText(/Choose “Add to Home Screen”/)).toBeVisible();
    expect(request).not.toHaveBeenCalled();
    first.unmount();
    mount();
    await waitForPrompt();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    ['an iPhone whose page is on the home screen', 'Mozilla/5.0 (iPhone)', 5, true],
    ['a Mac', 'Mozilla/5.0 (Macintosh)', 0, false],
  ])('turns notifications on without that step on %s', async (_, agent, touchPoints, matches) => {
    userAgent.mockReturnValue(agent);
    setTouchPoints(touchPoints);
    const { matchMedia } = window;
    const matchMediaMock = jest.spyOn(window, 'matchMedia').mockImplementation((query) => ({
      ...matchMedia(query),
      matches: matches && query === '(display-mode: standalone)',
    }));
    mount();
    await accept();
    expect(await screen.findByText(/You’re all set/)).toBeVisible();
    matchMediaMock.mockRestore();
  });

  it.each([
    ['alert', 'the price of a vehicle saved in your account drops'],
    ['dream-car', 'Save it in your account, and we’ll let you know when its price drops'],
    ['price-drop', 'the price of a vehicle saved in your account drops'],
  ] as const)('promises in the variant %s what is sent: %s', async (variant, promise) => {
    const variantMock = jest.replaceProperty(BRANDS.atc, 'notificationVariant', variant);
    mount().send('notification.requested', {});
    expect(await screen.findByRole('dialog')).toHaveTextContent(promise);
    variantMock.restore();
  });

  it('says so, and asks for no permission, in a browser without push', async () => {
    Reflect.deleteProperty(window, 'PushManager');
    const shell = mount();
    await waitForPrompt();
    expect(screen.queryByRole('dialog')).toBeNull();
    shell.send('notification.requested', {});
    await accept();
    expect(await screen.findByText('This browser doesn’t support notifications.')).toBeVisible();
    expect(request).not.toHaveBeenCalled();
  });

  it('turns notifications off on request, and not on again by itself', async () => {
    window.localStorage.setItem('notificationToken', '"t-1"');
    notificationPromptStorage.write(true);
    setPermission('granted');
    const shell = mount();
    shell.send('notification.requested', {});
    await userEvent.click(await screen.findByRole('button', { name: 'Turn off' }));
    expect(await screen.findByText('Notifications are off.')).toBeVisible();
    expect(shell.bodiesOf('forgetDevice')).toEqual([{ browser_token: 't-1' }]);
    shell.unmount();
    const later = mount();
    await waitForPrompt();
    expect(later.bodiesOf('registerDevice')).toEqual([]);
    later.send('notification.requested', {});
    await accept();
    await waitFor(() => expect(later.bodiesOf('registerDevice')).toHaveLength(1));
  });

  it('remembers a viewed vehicle', () => {
    const shell = mount();
    shell.send('listing.viewed', { listingId: '55' });
    expect(recentListingsStorage.read()[0]?.listingId).toBe('55');
  });

  // rows: A4-NOTIF-10
  it("shows a different picture for each brand's variant", async () => {
    const pictures = new Set<string>();
    for (const variant of ['alert', 'dream-car', 'price-drop'] as const) {
      const variantMock = jest.replaceProperty(BRANDS.atc, 'notificationVariant', variant);
      const shell = mount();
      shell.send('notification.requested', {});
      const picture = within(await screen.findByRole('dialog')).getByRole('img');
      expect(picture).toHaveAttribute('data-variant', variant);
      pictures.add(picture.innerHTML);
      shell.unmount();
      variantMock.restore();
    }
    expect(pictures.size).toBe(3);
  });
});
