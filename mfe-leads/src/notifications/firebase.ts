import { subscriptionFor } from './subscription.ts';
import type { TokenProvider } from './tokenProvider.ts';
import type { SessionState } from '@forecourt/shared-contracts/store';

const INSTALLATIONS = 'https://firebaseinstallations.googleapis.com/v1';
const REGISTRATIONS = 'https://fcmregistrations.googleapis.com/v1';
/** Version of the installations' protocol, and the client that it is spoken as. */
const AUTH_VERSION = 'FIS_v2';
const SDK_VERSION = 'w:0.6.9';
const TIMEOUT_MS = 5_000;
/** An installation's id: 22 letters of the URL alphabet whose first 4 bits are 0111. */
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
 * Firebase Cloud Messaging for an app of the site's own: the token is
 * Firebase's. Its two services are asked directly instead of by its SDK, which
 * brings databases and a delivery log of its own and names its services in its
 * code. Rejects when either service refuses or is silent for 5 s.
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
    if (!response.ok) throw new Error(`${new URL(url).hostname} answered ${response.status}`);
    return response.json();
  };
  const text = (value: unknown, what: string): string => {
    if (typeof value !== 'string' || value === '') throw new Error(`Firebase answered no ${what}`);
    return value;
  };
  const install = async (): Promise<string> => {
    const answer = (await post(`${INSTALLATIONS}/projects/${encodeURIComponent(projectId)}/installations`, {
      fid: newInstallationId(),
      authVersion: AUTH_VERSION,
      appId,
      sdkVersion: SDK_VERSION,
    })) as { authToken?: { token?: unknown } } | null;
    return text(answer?.authToken?.token, 'installation');
  };

  return {
    async token(registration) {
      const { endpoint, keys } = (await subscriptionFor(registration, vapidKey)).toJSON();
      const web = { endpoint, p256dh: keys?.['p256dh'], auth: keys?.['auth'], applicationPubKey: vapidKey };
      const answer = (await post(
        `${REGISTRATIONS}/projects/${encodeURIComponent(projectId)}/registrations`,
        { web },
        { 'x-goog-firebase-installations-auth': `FIS ${await install()}` },
      )) as { token?: unknown } | null;
      return text(answer?.token, 'token');
    },
  };
}
