/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createTokenProvider } from './tokenProvider.ts';

/** 87 letters of base64url, as a public key has. */
const keyOf = (letter: string) => `B${letter.repeat(86)}`;
const APP = { apiKey: 'key-1', appId: '1:2:web:3', projectId: 'cars', vapidKey: keyOf('A') };
const bytesOf = (key: string) => Uint8Array.from(atob(`${key}=`), (letter) => letter.charCodeAt(0));

interface Asked {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Record<string, Record<string, unknown>> & { fid?: string };
}
let asked: Asked[];
/** Status of each service by its host. */
let refusing: Record<string, number>;

/** Stands in for Firebase's two services: a registration needs the token of an installation, as there. */
async function firebase(...request: Parameters<typeof fetch>): Promise<Response> {
  const sent = new Request(...request);
  const { url, headers } = sent;
  const { host, pathname } = new URL(url);
  const body = (await sent.json()) as Asked['body'];
  asked.push({ url, headers, body });
  const refused = refusing[host];
  if (refused) return Response.json({ error: { status: 'REFUSED' } }, { status: refused });
  if (headers.get('x-goog-api-key') !== APP.apiKey) return Response.json({}, { status: 403 });
  if (host === 'firebaseinstallations.googleapis.com' && pathname === '/v1/projects/cars/installations')
    return Response.json({ fid: body.fid, authToken: { token: 'auth-1', expiresIn: '604800s' } });
  if (host === 'fcmregistrations.googleapis.com' && pathname === '/v1/projects/cars/registrations')
    return headers.get('x-goog-firebase-installations-auth') === 'FIS auth-1'
      ? Response.json({ token: 'fcm-token-1' })
      : Response.json({}, { status: 401 });
  return Response.json({}, { status: 404 });
}

const subscribe = jest.fn();
const unsubscribe = jest.fn(async () => true);
let known: unknown;
const subscriptionWith = (key: string) => ({
  endpoint: 'https://fcm.googleapis.com/fcm/send/1',
  options: { applicationServerKey: bytesOf(key).buffer },
  unsubscribe,
  toJSON: () => ({
    endpoint: 'https://fcm.googleapis.com/fcm/send/1',
    keys: { p256dh: 'p256', auth: 'secret' },
  }),
});
const registration = {
  pushManager: { getSubscription: async () => known, subscribe },
} as unknown as ServiceWorkerRegistration;
const call = jest.fn(async () => ({ publicKey: keyOf('B') }));
const provider = () => createTokenProvider(call as never, APP);

const realFetch = globalThis.fetch;
beforeEach(() => {
  asked = [];
  refusing = {};
  known = null;
  globalThis.fetch = firebase;
  subscribe.mockReset().mockImplementation(async () => subscriptionWith(APP.vapidKey));
});
afterEach(() => {
  globalThis.fetch = realFetch;
  jest.clearAllMocks();
});

describe('the token of Firebase', () => {
  it('is had for the subscription to the configured key, through an installation', async () => {
    expect(await provider().token(registration)).toBe('fcm-token-1');
    expect(subscribe).toHaveBeenCalledWith({
      userVisibleOnly: true,
      applicationServerKey: bytesOf(APP.vapidKey),
    });
    const [installation, web] = asked;
    expect(installation?.body).toMatchObject({ appId: APP.appId, authVersion: 'FIS_v2' });
    expect(installation?.body.fid).toMatch(/^[c-f][\w-]{21}$/);
    expect(web?.body).toEqual({
      web: {
        endpoint: 'https://fcm.googleapis.com/fcm/send/1',
        p256dh: 'p256',
        auth: 'secret',
        applicationPubKey: APP.vapidKey,
      },
    });
    expect(call).not.toHaveBeenCalled();
  });

  it('ends the subscription of another provider, and uses its own again', async () => {
    known = subscriptionWith(keyOf('B'));
    await provider().token(registration);
    expect(unsubscribe).toHaveBeenCalledTimes(1);
    known = subscriptionWith(APP.vapidKey);
    await provider().token(registration);
    expect(subscribe).toHaveBeenCalledTimes(1);
    expect(unsubscribe).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['firebaseinstallations.googleapis.com', 403],
    ['fcmregistrations.googleapis.com', 503],
  ])('is none when %s answers %d', async (host, status) => {
    refusing = { [host]: status };
    await expect(provider().token(registration)).rejects.toThrow(`${host} answered ${status}`);
  });
});

describe('without Firebase', () => {
  it('nobody but the upstream is asked', async () => {
    subscribe.mockImplementation(async () => subscriptionWith(keyOf('B')));
    const token = await createTokenProvider(call as never, undefined).token(registration);
    expect(JSON.parse(token)).toMatchObject({ endpoint: 'https://fcm.googleapis.com/fcm/send/1' });
    expect(asked).toEqual([]);
  });
});
