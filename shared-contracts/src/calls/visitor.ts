import { z } from 'zod';
import { VIEW_COUNT_DAYS } from '../rules/limits.ts';
import {
  browsingHistorySchema,
  deviceSchema,
  pageEventSchema,
  personalizationSchema,
  stillInterestedSchema,
  viewCountSchema,
} from '../entities/account.ts';
import { empty, failed, nothing, read, times, write, type CallDefinition } from './definition.ts';

/** The visitor's history, and personalized offers based on it. */
export const VISITOR_CALLS = {
  browsingHistory: {
    ...read,
    service: 'history',
    path: '/cars-for-sale/svc/browsing-history',
    fallback: empty({ vehicles: [] }),
    caller: 'visitor',
    response: browsingHistorySchema,
  },
  /** Records a viewed detail page. */
  recordView: {
    ...write,
    service: 'history',
    path: '/cars-for-sale/svc/browsing-history',
    fallback: nothing,
    caller: 'visitor',
    body: z.object({ listingId: z.string().min(1).max(64), brand: z.string().min(1).max(16) }),
  },
  clearBrowsingHistory: {
    ...write,
    method: 'DELETE',
    service: 'history',
    path: '/cars-for-sale/svc/browsing-history',
    fallback: failed('/browsing-history'),
    caller: 'visitor',
  },
  listingViewCount: {
    ...read,
    ...times('viewCount'),
    service: 'history',
    path: '/cars-for-sale/svc/listing-view-count',
    // A7-VIEW-01.
    always: { dateRange: String(VIEW_COUNT_DAYS) },
    fallback: empty({ atcViewCount: 0, kbbViewCount: 0 }),
    response: viewCountSchema,
  },
  /** Parameters of `pc.origin`, `pc.fueltype` and `zip`; the consumer id comes from the shell (A7-OTHER-04). */
  personalization: {
    ...read,
    service: 'personalization',
    path: '/rest/lsc/personalization',
    fallback: empty({ segments: [], suggestedFilters: [] }),
    caller: 'visitor',
    response: personalizationSchema,
  },
  pageEvent: {
    ...write,
    service: 'event',
    path: '/cars-for-sale/svc/page-event',
    fallback: nothing,
    caller: 'visitor',
    body: pageEventSchema,
  },
  stillInterested: {
    ...write,
    service: 'event',
    path: '/cars-for-sale/still-interested/alert',
    fallback: nothing,
    caller: 'visitor',
    body: stillInterestedSchema,
  },
  registerDevice: {
    ...write,
    ...times('device'),
    service: 'device',
    path: '/cars-for-sale/consumer-device/browser',
    fallback: failed('/consumer-device/browser'),
    caller: 'visitor',
    body: deviceSchema,
  },
  /** The permission was withdrawn: stop sending to this token. */
  forgetDevice: {
    ...write,
    ...times('device'),
    service: 'device',
    path: '/cars-for-sale/consumer-device/browser/forget',
    fallback: failed('/consumer-device/browser'),
    body: deviceSchema.pick({ browser_token: true }),
  },
  /** The public key for Web Push subscriptions (AMB-128). */
  webPushKey: {
    ...read,
    service: 'device',
    path: '/cars-for-sale/consumer-device/web-push-key',
    fallback: empty({ publicKey: '' }),
    response: z.object({ publicKey: z.string() }),
  },
} as const satisfies Record<string, CallDefinition>;
