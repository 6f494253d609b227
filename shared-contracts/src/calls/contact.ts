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
import { leadCandidatesSchema } from '../entities/account.ts';
import {
  emptyFallback,
  errorFallback,
  optionalRead,
  timesOf,
  optionalWrite,
  type CallDefinition,
} from './definition.ts';

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
