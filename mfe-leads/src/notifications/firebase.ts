import type { SessionState } from '@forecourt/search/state';
import { subscriptionFor, type TokenProvider } from './browserPush.ts';

const INSTALLATIONS = 'https://firebaseinstallations.googleapis.com/v1';
const REGISTRATIONS = 'https://fcmregistrations.googleapis.com/v1';
/** Protocol version of the installations API, and the SDK version that it expects. */
const AUTH_VERSION = 'FIS_v2';
const SDK_VERSION = 'w:0.6.9';
const TIMEOUT_MS = 5_000;
/** Installation id: 22 base64url characters whose first 4 bits are 0111. */
const ID_BYTES = 17;
const ID_LENGTH = 22;

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

function newInstallationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  bytes[0] = 0b0111_0000 + ((bytes[0] ?? 0) % 0b0001_0000);
  return base64url(bytes).slice(0, ID_LENGTH);
}

/**
 * Token provider for the site's own Firebase Cloud Messaging app. It calls the
 * two REST services directly: the SDK adds IndexedDB, delivery logs and
 * hard-coded service URLs. Rejects when a service refuses or times out.
 */
export function createFirebase(app: NonNullable<SessionState['firebase']>): TokenProvider {
  const { apiKey, appId, projectId, vapidKey } = app;

  const post = async (url: string, body: object, headers: Record<string, string> = {}): Promise<unknown> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-goog-api-key': apiKey,
        ...headers,
      },
      body: JSON.stringify(body),
      credentials: 'omit',
      referrerPolicy: 'strict-origin',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`${new URL(url).hostname} responded ${response.status}`);
    return response.json();
  };
  const requireText = (value: unknown, name: string): string => {
    if (typeof value !== 'string' || value === '') throw new Error(`Firebase returned no ${name}`);
    return value;
  };
  const install = async (): Promise<string> => {
    const response = (await post(`${INSTALLATIONS}/projects/${encodeURIComponent(projectId)}/installations`, {
      fid: newInstallationId(),
      authVersion: AUTH_VERSION,
      appId,
      sdkVersion: SDK_VERSION,
    })) as { authToken?: { token?: unknown } } | null;
    return requireText(response?.authToken?.token, 'installation');
  };

  return {
    async token(registration) {
      const { endpoint, keys } = (await subscriptionFor(registration, vapidKey)).toJSON();
      const web = { endpoint, p256dh: keys?.['p256dh'], auth: keys?.['auth'], applicationPubKey: vapidKey };
      const response = (await post(
        `${REGISTRATIONS}/projects/${encodeURIComponent(projectId)}/registrations`,
        { web },
        { 'x-goog-firebase-installations-auth': `FIS ${await install()}` },
      )) as { token?: unknown } | null;
      return requireText(response?.token, 'token');
    },
  };
}
