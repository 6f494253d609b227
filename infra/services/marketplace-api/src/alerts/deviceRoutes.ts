import { Router } from 'express';
import { ApiError } from '../http/apiError.ts';
import { formBody, readBody } from '../http/body.ts';
import { noStore } from '../http/caching.ts';
import type { Callers } from '../people/caller.ts';
import type { People } from '../people/people.ts';
import type { PushSender } from './pushSender.ts';
import { CALLS } from '@forecourt/shared-contracts/calls';

/** Browsers that may be sent notifications (A7-DEVICE-01, AMB-128). */
export function deviceRoutes(deps: { people: People; callers: Callers; push: PushSender }): Router {
  const { people, callers, push } = deps;
  const router = Router();
  router.get('/cars-for-sale/consumer-device/web-push-key', noStore, (_, response) => {
    response.json({ publicKey: push.publicKey });
  });
  router.post('/cars-for-sale/consumer-device/browser', noStore, formBody, async (request, response) => {
    const device = readBody(CALLS.registerDevice.body, request);
    if (!push.accepts(device.browser_token))
      throw new ApiError(400, 'INVALID_TOKEN', 'browser_token is no subscription of a known push service');
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
