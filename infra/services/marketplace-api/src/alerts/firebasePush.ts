import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import { TIME_TO_LIVE, topicOf, type Notification, type PushSender } from './devices.ts';

/** The parts that are needed of the key file which Firebase gives to a service account. */
export const serviceAccountSchema = z.object({
  project_id: z.string().regex(/^[a-z][a-z0-9-]+$/),
  client_email: z.email(),
  private_key: z.string().startsWith('-----BEGIN PRIVATE KEY-----'),
});
export type ServiceAccount = z.infer<typeof serviceAccountSchema>;

const SERVICES = { tokens: 'https://oauth2.googleapis.com', messages: 'https://fcm.googleapis.com' };
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** s; Google gives no token for longer. */
const ASSERTION_SECONDS = 3600;
/** A token is asked for anew so long before it ends. */
const MARGIN_MS = 60_000;
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;

const accessSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const errorSchema = z.object({
  error: z.object({ details: z.array(z.looseObject({ errorCode: z.string().optional() })).default([]) }),
});

/** A registration token of Firebase; unlike a Web Push subscription it is no JSON. */
const isToken = (token: string): boolean => /^[\w:-]{20,4096}$/.test(token);

/** UNREGISTERED: the browser took its permission back, or the app was given another key. */
function isUnregistered(body: unknown): boolean {
  const answer = errorSchema.safeParse(body);
  return answer.success && answer.data.error.details.some(({ errorCode }) => errorCode === 'UNREGISTERED');
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text.length > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Firebase Cloud Messaging by its HTTP v1 interface, for sites whose browsers
 * register there (AMB-128). Access tokens come by the OAuth 2.0 assertion of
 * RFC 7523. `services` stands in for Google's hosts in tests.
 */
export function createFirebasePush(
  account: ServiceAccount,
  { services = SERVICES, now = Date.now }: { services?: typeof SERVICES; now?: () => number } = {},
): Pick<PushSender, 'accepts' | 'send'> {
  let access: { readonly token: string; readonly until: number } | undefined;
  const post = (url: string, headers: Record<string, string>, body: string | URLSearchParams) =>
    fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
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
    const answer = accessSchema.safeParse(await jsonOf(response));
    if (!response.ok || !answer.success) throw new Error(`no access to Firebase: status ${response.status}`);
    const { access_token: token, expires_in: seconds } = answer.data;
    access = { token, until: now() + seconds * 1000 - MARGIN_MS };
    return token;
  }

  const messageOf = (token: string, { title, body, url, tag }: Notification) => ({
    message: {
      token,
      // As data the site's own worker shows it, the same way as without Firebase.
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
      // The token may have been withdrawn: the next message asks for another one.
      if (response.status === 401) access = undefined;
      throw new Error(`Firebase answers ${response.status}`);
    },
  };
}

/** Sends to browsers of both kinds: those that registered before Firebase was configured stay reachable. */
export const withFirebase = (
  webPush: PushSender,
  firebase: Pick<PushSender, 'accepts' | 'send'>,
): PushSender => ({
  ...webPush,
  accepts: (token) => firebase.accepts(token) || webPush.accepts(token),
  send: (token, notification) => (firebase.accepts(token) ? firebase : webPush).send(token, notification),
});
