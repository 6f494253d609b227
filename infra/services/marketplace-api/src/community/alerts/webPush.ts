import webPush from 'web-push';
import { z } from 'zod';
import type { Sql } from '@forecourt/service-kit/sql';
import { CALLS } from '@forecourt/upstream/calls';
import { Router } from 'express';
import { createEgress } from '@forecourt/service-kit/egress';
import { EGRESS } from '../../http/egress.ts';
import { ApiError } from '../../http/middleware.ts';
import { formBody, noStore, readBody } from '../../http/requests.ts';
import type { Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';

/** Seconds; push services drop older notifications. */
export const TIME_TO_LIVE = 86_400;

/** Content of a notification. */
export interface Notification {
  readonly title: string;
  readonly body: string;
  /** Path on the site. */
  readonly url: string;
  /** A later notification of the same tag replaces this one. */
  readonly tag: string;
}

export interface PushSender {
  /** For subscriptions of browsers to Web Push. */
  readonly publicKey: string;
  /** Whether the token is valid for this sender. */
  accepts(token: string): boolean;
  /** 'gone' if the permission was revoked. Rejects if the push service is unavailable. */
  send(token: string, notification: Notification): Promise<'sent' | 'gone'>;
}

/** At most 32 characters of the URL alphabet (RFC 8030). */
export const topicOf = (tag: string): string => tag.replace(/[^\w-]/g, '').slice(0, 32);

/** Registration of browsers for notifications. */
export function deviceRoutes(deps: { people: People; callers: Callers; push: PushSender }): Router {
  const { people, callers, push } = deps;
  const router = Router();
  router.get('/cars-for-sale/consumer-device/web-push-key', noStore, (_, response) => {
    response.json({ publicKey: push.publicKey });
  });
  router.post('/cars-for-sale/consumer-device/browser', noStore, formBody, async (request, response) => {
    const device = readBody(CALLS.registerDevice.body, request);
    if (!push.accepts(device.browser_token))
      throw new ApiError(
        400,
        'INVALID_TOKEN',
        'browser_token must be a subscription of a known push service',
      );
    await people.devices.register(device, await callers.visitor(request));
    response.status(204).end();
  });
  router.post(
    '/cars-for-sale/consumer-device/browser/forget',
    noStore,
    formBody,
    async (request, response) => {
      await people.devices.forget(
        readBody(CALLS.registerDevice.body.pick({ browser_token: true }), request).browser_token,
      );
      response.status(204).end();
    },
  );
  return router;
}

const pushSubscriptionSchema = z.object({
  endpoint: z.url({ protocol: /^https?$/ }).max(2048),
  keys: z.object({ p256dh: z.string().min(1).max(200), auth: z.string().min(1).max(100) }),
});

function subscriptionOf(token: string) {
  try {
    return pushSubscriptionSchema.safeParse(JSON.parse(token)).data;
  } catch {
    return undefined;
  }
}

/** VAPID keys, created once and stored: a new pair would invalidate every subscription. */
async function vapidKeys(sql: Sql): Promise<webPush.VapidKeys> {
  const read = () => sql.get<{ value: string }>(`SELECT value FROM settings WHERE key = 'vapid'`);
  if (!(await read()))
    await sql.run(
      `INSERT INTO settings (key, value) VALUES ('vapid', ?) ON CONFLICT DO NOTHING`,
      JSON.stringify(webPush.generateVAPIDKeys()),
    );
  return JSON.parse((await read())!.value) as webPush.VapidKeys;
}

/**
 * Web Push (RFC 8030, 8291, 8292). `contact` is a mailto or https address for
 * the operators of push services; `anyHost` allows other hosts in tests.
 */
export async function createWebPush(
  sql: Sql,
  { contact, anyHost = false }: { contact: string; anyHost?: boolean },
): Promise<PushSender> {
  const keys = await vapidKeys(sql);
  const rule = EGRESS.push(anyHost);
  const request = createEgress(rule);
  return {
    publicKey: keys.publicKey,
    accepts(token) {
      const subscription = subscriptionOf(token);
      return subscription !== undefined && rule.allows(new URL(subscription.endpoint));
    },
    async send(token, notification) {
      const subscription = subscriptionOf(token);
      if (!subscription || !rule.allows(new URL(subscription.endpoint))) return 'gone';
      const { endpoint, method, headers, body } = webPush.generateRequestDetails(
        subscription,
        JSON.stringify(notification),
        {
          TTL: TIME_TO_LIVE,
          topic: topicOf(notification.tag),
          vapidDetails: { subject: contact, ...keys },
        },
      );
      const response = await request(endpoint, {
        method,
        headers: headers as Record<string, string>,
        body: new Uint8Array(body),
      });
      if (response.status === 404 || response.status === 410) return 'gone';
      if (!response.ok) throw new Error(`${new URL(endpoint).host} returned ${response.status}`);
      return 'sent';
    },
  };
}
