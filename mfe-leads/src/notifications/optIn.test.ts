/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createTokenProvider } from './optIn.ts';

/** 87 base64url characters, the length of a VAPID public key. */
const keyOf = (letter: string) => `B${letter.repeat(86)}`;
const APP = { apiKey: 'key-1', appId: '1:2:web:3', projectId: 'cars', vapidKey: keyOf('A') };
const bytesOf = (key: string) => Uint8Array.from(atob(`${key}=`), (letter) => letter.charCodeAt(0));

interface FirebaseRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Record<string, Record<string, unknown>> & { fid?: string };
}
let requests: FirebaseRequest[];
/** Error status by host. */
let refusing: Record<string, number>;

/** Fake of the two Firebase services: like them, a registration requires an installation token. */
async function firebase(...request: Parameters<typeof fetch>): Promise<Response> {
  const sentRequest = new Request(...request);
  const { url, headers } = sentRequest;
  const { host, pathname } = new URL(url);
  const body = (await sentRequest.json()) as FirebaseRequest['body'];
  requests.push({ url, headers, body });
  const errorStatus = refusing[host];
  if (errorStatus) return Response.json({ error: { status: 'REFUSED' } }, { status: errorStatus });
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
let existingSubscription: unknown;
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
  pushManager: { getSubscription: async () => existingSubscription, subscribe },
} as unknown as ServiceWorkerRegistration;
const call = jest.fn(async () => ({ publicKey: keyOf('B') }));
const provider = () => createTokenProvider(call as never, APP);

const realFetch = globalThis.fetch;
beforeEach(() => {
  requests = [];
  refusing = {};
  existingSubscription = null;
  globalThis.fetch = firebase;
  subscribe.mockReset().mockImplementation(async () => subscriptionWith(APP.vapidKey));
});
afterEach(() => {
  globalThis.fetch = realFetch;
  jest.clearAllMocks();
});

describe('Firebase token', () => {
  it('creates a Firebase token through an installation, for a subscription with the configured key', async () => {
    expect(await provider().token(registration)).toBe('fcm-token-1');
    expect(subscribe).toHaveBeenCalledWith({
      userVisibleOnly: true,
      applicationServerKey: bytesOf(APP.vapidKey),
    });
    const [installation, web] = requests;
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

  it("replaces another provider's subscription and reuses its own", async () => {
    existingSubscription = subscriptionWith(keyOf('B'));
    await provider().token(registration);
    expect(unsubscribe).toHaveBeenCalledTimes(1);
    existingSubscription = subscriptionWith(APP.vapidKey);
    await provider().token(registration);
    expect(subscribe).toHaveBeenCalledTimes(1);
    expect(unsubscribe).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['firebaseinstallations.googleapis.com', 403],
    ['fcmregistrations.googleapis.com', 503],
  ])('rejects when %s responds %d', async (host, status) => {
    refusing = { [host]: status };
    await expect(provider().token(registration)).rejects.toThrow(`${host} responded ${status}`);
  });
});

describe('Web Push', () => {
  it('calls only the upstream when Firebase is not configured', async () => {
    subscribe.mockImplementation(async () => subscriptionWith(keyOf('B')));
    const token = await createTokenProvider(call as never, undefined).token(registration);
    expect(JSON.parse(token)).toMatchObject({ endpoint: 'https://fcm.googleapis.com/fcm/send/1' });
    expect(requests).toEqual([]);
  });
});
