import { VIEW_COUNT_DAYS } from '../agreements.ts';
import { z } from 'zod';
import {
  browsingHistorySchema,
  deviceSchema,
  pageEventSchema,
  personalizationSchema,
  stillInterestedSchema,
  viewCountSchema,
  leadCandidatesSchema,
} from '../entities/account.ts';
import {
  emptyFallback,
  errorFallback,
  nullFallback,
  optionalRead,
  timesOf,
  optionalWrite,
} from './definition.ts';
import type { CallDefinition } from './callDefinition.ts';
import {
  emailCaptureResponseSchema,
  emailCaptureSchema,
  emailOwnerResponseSchema,
  emailOwnerSchema,
  leadProfileFormSchema,
  makeOfferSchema,
  reportListingSchema,
  shareListingSchema,
} from '../entities/forms.ts';

/** The visitor's history, and personalized offers based on it. */
export const VISITOR_CALLS = {
  browsingHistory: {
    ...optionalRead,
    service: 'history',
    path: '/cars-for-sale/svc/browsing-history',
    fallback: emptyFallback({ vehicles: [] }),
    caller: 'visitor',
    response: browsingHistorySchema,
  },
  /** Records a viewed detail page. */
  recordView: {
    ...optionalWrite,
    service: 'history',
    path: '/cars-for-sale/svc/browsing-history',
    fallback: nullFallback,
    caller: 'visitor',
    body: z.object({ listingId: z.string().min(1).max(64), brand: z.string().min(1).max(16) }),
  },
  clearBrowsingHistory: {
    ...optionalWrite,
    method: 'DELETE',
    service: 'history',
    path: '/cars-for-sale/svc/browsing-history',
    fallback: errorFallback('/browsing-history'),
    caller: 'visitor',
  },
  listingViewCount: {
    ...optionalRead,
    ...timesOf('viewCount'),
    service: 'history',
    path: '/cars-for-sale/svc/listing-view-count',
    always: { dateRange: String(VIEW_COUNT_DAYS) },
    fallback: emptyFallback({ atcViewCount: 0, kbbViewCount: 0 }),
    response: viewCountSchema,
  },
  /** Parameters of `pc.origin`, `pc.fueltype` and `zip`; the consumer id comes from the shell. */
  personalization: {
    ...optionalRead,
    service: 'personalization',
    path: '/rest/lsc/personalization',
    fallback: emptyFallback({ segments: [], suggestedFilters: [] }),
    caller: 'visitor',
    response: personalizationSchema,
  },
  pageEvent: {
    ...optionalWrite,
    service: 'event',
    path: '/cars-for-sale/svc/page-event',
    fallback: nullFallback,
    caller: 'visitor',
    body: pageEventSchema,
  },
  stillInterested: {
    ...optionalWrite,
    service: 'event',
    path: '/cars-for-sale/still-interested/alert',
    fallback: nullFallback,
    caller: 'visitor',
    body: stillInterestedSchema,
  },
  registerDevice: {
    ...optionalWrite,
    ...timesOf('device'),
    service: 'device',
    path: '/cars-for-sale/consumer-device/browser',
    fallback: errorFallback('/consumer-device/browser'),
    caller: 'visitor',
    body: deviceSchema,
  },
  /** The permission was withdrawn: stop sending to this token. */
  forgetDevice: {
    ...optionalWrite,
    ...timesOf('device'),
    service: 'device',
    path: '/cars-for-sale/consumer-device/browser/forget',
    fallback: errorFallback('/consumer-device/browser'),
    body: deviceSchema.pick({ browser_token: true }),
  },
  /** The public key for Web Push subscriptions (AMB-128). */
  webPushKey: {
    ...optionalRead,
    service: 'device',
    path: '/cars-for-sale/consumer-device/web-push-key',
    fallback: emptyFallback({ publicKey: '' }),
    response: z.object({ publicKey: z.string() }),
  },
} as const satisfies Record<string, CallDefinition>;

/** Messages to sellers and to the marketplace. */
export const CONTACT_CALLS = {
  emailOwner: {
    method: 'POST',
    service: 'lead',
    path: '/cars-for-sale/svc/email-owner',
    ...timesOf('emailOwner'),
    fallback: emptyFallback({ status: 'FAILURE' }),
    browser: true,
    caller: 'visitor',
    body: emailOwnerSchema,
    response: emailOwnerResponseSchema,
  },
  makeOffer: {
    method: 'POST',
    service: 'lead',
    path: '/cars-for-sale/svc/make-offer',
    ...timesOf('emailOwner'),
    fallback: emptyFallback({ status: 'FAILURE' }),
    browser: true,
    caller: 'visitor',
    body: makeOfferSchema,
    response: emailOwnerResponseSchema,
  },
  leadCandidates: {
    ...optionalRead,
    service: 'lead',
    path: '/cars-for-sale/svc/lead-candidates',
    fallback: emptyFallback({
      candidates: [],
      profile: { firstName: '', lastName: '', email: '', phone: '', isOneClickOptedIn: false },
    }),
    caller: 'visitor',
    response: leadCandidatesSchema,
  },
  saveLeadProfile: {
    ...optionalWrite,
    method: 'PUT',
    service: 'lead',
    path: '/cars-for-sale/svc/lead-profile',
    fallback: errorFallback('/lead-profile'),
    caller: 'visitor',
    body: leadProfileFormSchema,
  },
  shareListing: {
    ...optionalWrite,
    service: 'share',
    path: '/cars-for-sale/svc/share-listing',
    fallback: errorFallback('/share-listing'),
    // The email names the sender, whose address the account has verified.
    caller: 'account',
    body: shareListingSchema,
  },
  reportListing: {
    ...optionalWrite,
    service: 'report',
    path: '/cars-for-sale/svc/report-listing',
    fallback: errorFallback('/report-listing'),
    caller: 'visitor',
    body: reportListingSchema,
  },
  emailCapture: {
    ...optionalWrite,
    service: 'email-capture',
    path: '/cars-for-sale/svc/email-capture',
    fallback: emptyFallback({ status: 'danger' }),
    body: emailCaptureSchema,
    response: emailCaptureResponseSchema,
  },
} as const satisfies Record<string, CallDefinition>;
