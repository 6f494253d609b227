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
import { empty, failed, read, times, write, type CallDefinition } from './definition.ts';

/** Messages to sellers and to the marketplace. */
export const CONTACT_CALLS = {
  emailOwner: {
    method: 'POST',
    service: 'lead',
    path: '/cars-for-sale/svc/email-owner',
    ...times('emailOwner'),
    fallback: empty({ status: 'FAILURE' }),
    browser: true,
    caller: 'visitor',
    body: emailOwnerSchema,
    response: emailOwnerResponseSchema,
  },
  makeOffer: {
    method: 'POST',
    service: 'lead',
    path: '/cars-for-sale/svc/make-offer',
    ...times('emailOwner'),
    fallback: empty({ status: 'FAILURE' }),
    browser: true,
    caller: 'visitor',
    body: makeOfferSchema,
    response: emailOwnerResponseSchema,
  },
  leadCandidates: {
    ...read,
    service: 'lead',
    path: '/cars-for-sale/svc/lead-candidates',
    fallback: empty({
      candidates: [],
      profile: { firstName: '', lastName: '', email: '', phone: '', isOneClickOptedIn: false },
    }),
    caller: 'visitor',
    response: leadCandidatesSchema,
  },
  saveLeadProfile: {
    ...write,
    method: 'PUT',
    service: 'lead',
    path: '/cars-for-sale/svc/lead-profile',
    fallback: failed('/lead-profile'),
    caller: 'visitor',
    body: leadProfileFormSchema,
  },
  shareListing: {
    ...write,
    service: 'share',
    path: '/cars-for-sale/svc/share-listing',
    fallback: failed('/share-listing'),
    caller: 'visitor',
    body: shareListingSchema,
  },
  reportListing: {
    ...write,
    service: 'report',
    path: '/cars-for-sale/svc/report-listing',
    fallback: failed('/report-listing'),
    caller: 'visitor',
    body: reportListingSchema,
  },
  emailCapture: {
    ...write,
    service: 'email-capture',
    path: '/cars-for-sale/svc/email-capture',
    fallback: empty({ status: 'danger' }),
    body: emailCaptureSchema,
    response: emailCaptureResponseSchema,
  },
} as const satisfies Record<string, CallDefinition>;
