import { createContext, runInContext } from 'node:vm';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PUSH_WORKER_SOURCE, type PushWorkerEvent, type PushWorkerScope } from './serviceWorker.ts';

const ORIGIN = 'https://cars.example';
type Listener = (event: PushWorkerEvent) => void;

let listeners: Map<string, Listener>;
let open: { url: string; focus: jest.Mock<() => Promise<void>> }[];
const show = jest.fn<(title: string, options: object) => Promise<void>>();
const openWindow = jest.fn<(url: string) => Promise<void>>();
const skipWaiting = jest.fn<() => Promise<void>>();

/** Runs the script as a browser gets it: its text alone, in a world of its own. */
beforeEach(() => {
  listeners = new Map();
  open = [];
  show.mockReset().mockResolvedValue();
  openWindow.mockReset().mockResolvedValue();
  skipWaiting.mockReset().mockResolvedValue();
  const scope: PushWorkerScope = {
    registration: { showNotification: show },
    location: { origin: ORIGIN },
    clients: { matchAll: () => Promise.resolve(open), openWindow },
    skipWaiting,
    addEventListener: (type, listen) => void listeners.set(type, listen),
  };
  runInContext(PUSH_WORKER_SOURCE, createContext({ self: scope, URL }));
});

async function dispatch(type: string, event: Omit<PushWorkerEvent, 'waitUntil'>): Promise<void> {
  const work: Promise<unknown>[] = [];
  listeners.get(type)?.({ ...event, waitUntil: (started) => void work.push(started) });
  expect(work).not.toEqual([]);
  await Promise.all(work);
}
const pushed = (data: () => unknown) => dispatch('push', { data: { json: data } });
const tapped = (url: string) =>
  dispatch('notificationclick', { notification: { data: { url }, close: () => {} } });

describe('service worker', () => {
  it('shows a pushed notification', async () => {
    await pushed(() => ({
      title: 'Price drop',
      body: '2021 Ford',
      url: '/cars-for-sale/vehicle/1',
      tag: 't',
    }));
    expect(show).toHaveBeenCalledWith('Price drop', {
      body: '2021 Ford',
      tag: 't',
      data: { url: '/cars-for-sale/vehicle/1' },
    });
  });

  it.each([
    [
      'a notification with a link',
      {
        notification: { title: 'Price drop', body: '2021 Ford', tag: 't' },
        fcmOptions: { link: `${ORIGIN}/cars-for-sale/vehicle/1` },
        from: '1234',
        fcmMessageId: 'm1',
      },
      `${ORIGIN}/cars-for-sale/vehicle/1`,
    ],
    [
      'data',
      {
        data: { title: 'Price drop', body: '2021 Ford', tag: 't', url: '/cars-for-sale/vehicle/1' },
        from: '1234',
      },
      '/cars-for-sale/vehicle/1',
    ],
  ])('shows a Firebase message as %s', async (_, message, url) => {
    await pushed(() => message);
    expect(show).toHaveBeenCalledWith('Price drop', { body: '2021 Ford', tag: 't', data: { url } });
  });

  it.each([
    [
      'no JSON',
      () => {
        throw new SyntaxError('no JSON');
      },
    ],
    ['null', () => null],
    ['numbers', () => ({ title: 1, body: {} })],
  ])('shows a default notification for %s', async (_, data) => {
    await pushed(data);
    expect(show).toHaveBeenCalledWith('News about your search', { body: '', tag: '', data: { url: '' } });
  });

  it('opens the page of a tapped notification or focuses its open tab', async () => {
    await tapped('/cars-for-sale/vehicle/1');
    expect(openWindow).toHaveBeenCalledWith(`${ORIGIN}/cars-for-sale/vehicle/1`);
    open = [
      { url: `${ORIGIN}/cars-for-sale/vehicle/1`, focus: jest.fn<() => Promise<void>>().mockResolvedValue() },
    ];
    await tapped('/cars-for-sale/vehicle/1');
    expect(open[0]?.focus).toHaveBeenCalledTimes(1);
    expect(openWindow).toHaveBeenCalledTimes(1);
  });

  it.each(['https://evil.example/', '//evil.example', 'javascript:alert(1)', ''])(
    'never opens another site: %j',
    async (url) => {
      await tapped(url);
      expect(openWindow).toHaveBeenCalledWith(`${ORIGIN}/cars-for-sale`);
    },
  );

  it('takes over from an older worker when it is installed, not before', async () => {
    expect(skipWaiting).not.toHaveBeenCalled();
    await dispatch('install', {});
    expect(skipWaiting).toHaveBeenCalledTimes(1);
  });
});
