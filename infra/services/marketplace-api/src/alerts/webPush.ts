import webPush from 'web-push';
import { z } from 'zod';
import type { Db } from '../store/database.ts';
import { TIME_TO_LIVE, topicOf, type PushSender } from './devices.ts';

const TIMEOUT_MS = 5_000;

const pushSubscriptionSchema = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(2048),
  keys: z.object({ p256dh: z.string().min(1).max(200), auth: z.string().min(1).max(100) }),
});

/** Push services of the browsers. Visitors name the endpoint, so other hosts are refused. */
const PUSH_HOSTS = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'];
const PUSH_SUFFIXES = ['.notify.windows.com', '.push.apple.com', '.push.services.mozilla.com'];

function isPushService(endpoint: string): boolean {
  const { protocol, hostname } = new URL(endpoint);
  return (
    protocol === 'https:' &&
    (PUSH_HOSTS.includes(hostname) || PUSH_SUFFIXES.some((suffix) => hostname.endsWith(suffix)))
  );
}

function subscriptionOf(token: string) {
  try {
    return pushSubscriptionSchema.safeParse(JSON.parse(token)).data;
  } catch {
    return undefined;
  }
}

/** VAPID keys, created once and stored: a new pair would invalidate every subscription. */
function vapidKeys(db: Db): webPush.VapidKeys {
  const read = db.prepare<[], string>(`SELECT value FROM settings WHERE key = 'vapid'`).pluck();
  db.prepare(`INSERT INTO settings (key, value) VALUES ('vapid', ?) ON CONFLICT DO NOTHING`).run(
    read.get() ?? JSON.stringify(webPush.generateVAPIDKeys()),
  );
  return JSON.parse(read.get()!) as webPush.VapidKeys;
}

/**
 * Web Push (RFC 8030, 8291, 8292). `contact` is a mailto or https address for
 * the operators of push services; `anyHost` allows other hosts in tests.
 */
export function createWebPush(
  db: Db,
  { contact, anyHost = false }: { contact: string; anyHost?: boolean },
): PushSender {
  const keys = vapidKeys(db);
  return {
    publicKey: keys.publicKey,
    accepts(token) {
      const subscription = subscriptionOf(token);
      return subscription !== undefined && (anyHost || isPushService(subscription.endpoint));
    },
    async send(token, notification) {
      const subscription = subscriptionOf(token);
      if (!subscription || (!anyHost && !isPushService(subscription.endpoint))) return 'gone';
      const { endpoint, method, headers, body } = webPush.generateRequestDetails(
        subscription,
        JSON.stringify(notification),
        {
          TTL: TIME_TO_LIVE,
          topic: topicOf(notification.tag),
          vapidDetails: { subject: contact, ...keys },
        },
      );
      const response = await fetch(endpoint, {
        method,
        headers: headers as Record<string, string>,
        body: new Uint8Array(body),
        // A redirect could lead into the internal network.
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.status === 404 || response.status === 410) return 'gone';
      if (!response.ok) throw new Error(`${new URL(endpoint).host} returned ${response.status}`);
      return 'sent';
    },
  };
}
