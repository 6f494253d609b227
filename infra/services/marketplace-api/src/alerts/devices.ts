import { CALLS } from '@forecourt/shared-contracts/calls';
import { Router } from 'express';
import { ApiError } from '../http/middleware.ts';
import { formBody, readBody, noStore } from '../http/requests.ts';
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

/** Registration of browsers for notifications (A7-DEVICE-01, AMB-128). */
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
    people.devices.register(device, await callers.visitor(request));
    response.status(204).end();
  });
  router.post('/cars-for-sale/consumer-device/browser/forget', noStore, formBody, (request, response) => {
    people.devices.forget(
      readBody(CALLS.registerDevice.body.pick({ browser_token: true }), request).browser_token,
    );
    response.status(204).end();
  });
  return router;
}
