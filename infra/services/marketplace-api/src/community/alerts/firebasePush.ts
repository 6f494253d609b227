import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import { createEgress } from '@forecourt/service-kit/egress';
import { EGRESS } from '../../http/egress.ts';
import { TIME_TO_LIVE, topicOf, type Notification, type PushSender } from './webPush.ts';

/** Required fields of a service account's key file. */
export const serviceAccountSchema = z.object({
  project_id: z.string().regex(/^[a-z][a-z0-9-]+$/),
  client_email: z.email(),
  private_key: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
});
export type ServiceAccount = z.infer<typeof serviceAccountSchema>;

const SERVICES = { tokens: 'https://oauth2.googleapis.com', messages: 'https://fcm.googleapis.com' };
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Google's maximum lifetime of a token. */
const ASSERTION_SECONDS = 3600;
/** Tokens are renewed this long before they expire. */
const MARGIN_MS = 60_000;
const MAX_RESPONSE_LENGTH = 64 * 1024;

const accessSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const errorSchema = z.object({
  error: z.object({ details: z.array(z.looseObject({ errorCode: z.string().optional() })).default([]) }),
});

/** Matches Firebase registration tokens; Web Push subscriptions are JSON. */
const isToken = (token: string): boolean => /^[\w:-]{20,4096}$/.test(token);

/** The permission was revoked, or the app has another key. */
function isUnregistered(body: unknown): boolean {
  const error = errorSchema.safeParse(body);
  return error.success && error.data.error.details.some(({ errorCode }) => errorCode === 'UNREGISTERED');
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text.length > MAX_RESPONSE_LENGTH) throw new Error('Firebase returned too long a response');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Firebase Cloud Messaging (HTTP v1), for browsers that register there. Access tokens use the JWT bearer grant of RFC
 * 7523. Tests replace Google's hosts by `services`.
 */
export function createFirebasePush(
  account: ServiceAccount,
  { services = SERVICES, now = Date.now }: { services?: typeof SERVICES; now?: () => number } = {},
): Pick<PushSender, 'accepts' | 'send'> {
  let access: { readonly token: string; readonly until: number } | undefined;
  const request = createEgress(EGRESS.firebase(Object.values(services)));
  const post = (url: string, headers: Record<string, string>, body: string | URLSearchParams) =>
    request(url, {
      method: 'POST',
      headers:
        typeof body === 'string'
          ? headers
          : { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: String(body),
    });

  async function accessToken(): Promise<string> {
    if (access && access.until > now()) return access.token;
    const issued = Math.floor(now() / 1000);
    const assertion = await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(account.client_email)
      .setAudience(`${SERVICES.tokens}/token`)
      .setIssuedAt(issued)
      .setExpirationTime(issued + ASSERTION_SECONDS)
      .sign(await importPKCS8(account.private_key, 'RS256'));
    const response = await post(
      `${services.tokens}/token`,
      {},
      new URLSearchParams({ grant_type: GRANT, assertion }),
    );
    const granted = accessSchema.safeParse(await jsonOf(response));
    if (!response.ok || !granted.success)
      throw new Error(`Firebase denied access with status ${response.status}`);
    const { access_token: token, expires_in: seconds } = granted.data;
    access = { token, until: now() + seconds * 1000 - MARGIN_MS };
    return token;
  }

  const messageOf = (token: string, { title, body, url, tag }: Notification) => ({
    message: {
      token,
      // Sent as data, so that the site's service worker shows it as it does without Firebase.
      data: { title, body, url, tag },
      webpush: { headers: { TTL: String(TIME_TO_LIVE), Topic: topicOf(tag) } },
    },
  });

  return {
    accepts: isToken,
    async send(token, notification) {
      if (!isToken(token)) return 'gone';
      const response = await post(
        `${services.messages}/v1/projects/${account.project_id}/messages:send`,
        { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' },
        JSON.stringify(messageOf(token, notification)),
      );
      const body = await jsonOf(response);
      if (response.ok) return 'sent';
      if (response.status === 404 || isUnregistered(body)) return 'gone';
      // The token may have been revoked; the next message requests another one.
      if (response.status === 401) access = undefined;
      throw new Error(`Firebase returned ${response.status}`);
    },
  };
}

/** Sends to both kinds of browsers, so that those registered before Firebase was configured stay reachable. */
export const withFirebase = (
  webPush: PushSender,
  firebase: Pick<PushSender, 'accepts' | 'send'>,
): PushSender => ({
  ...webPush,
  accepts: (token) => firebase.accepts(token) || webPush.accepts(token),
  send: (token, notification) => (firebase.accepts(token) ? firebase : webPush).send(token, notification),
});
