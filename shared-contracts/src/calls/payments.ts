import { z } from 'zod';
import {
  dealSchema,
  incentivesSchema,
  paymentCalculationSchema,
  savedDealSchema,
} from '../entities/payments.ts';
import {
  emptyFallback,
  errorFallback,
  nullFallback,
  optionalRead,
  timesOf,
  type CallDefinition,
} from './definition.ts';

/** Payments, incentives, deals. */
export const PAYMENTS_CALLS = {
  /** The query of a listing's amended paymentCalculationUrl (A7-PAY-01..05). */
  paymentCalculation: {
    ...optionalRead,
    service: 'payment',
    path: '/payments/calculate',
    fallback: nullFallback,
    response: paymentCalculationSchema.nullable(),
  },
  /** The query of a listing's amended incentivesUrl. */
  incentives: {
    ...optionalRead,
    service: 'payment',
    path: '/payments/incentives',
    fallback: emptyFallback({ incentives: [] }),
    response: incentivesSchema,
  },
  saveDeal: {
    method: 'POST',
    browser: true,
    ...timesOf('deals'),
    service: 'deals',
    path: '/my-wallet/share-dealxg/deals',
    fallback: errorFallback('/deals'),
    body: dealSchema,
    response: savedDealSchema,
  },
  updateDeal: {
    method: 'POST',
    browser: true,
    ...timesOf('deals'),
    service: 'deals',
    path: '/my-wallet/share-dealxg/deals/id/{id}',
    fallback: errorFallback('/deals'),
    body: dealSchema,
    response: savedDealSchema,
  },
  /**
   * By listingId: can this listing be bought in its dealer's online shop? A failure counts as no (B8-ERR-15,
   * AMB-117).
   */
  esntialEligibility: {
    ...optionalRead,
    service: 'esntial',
    path: '/cars-for-sale/svc/esntial-eligibility',
    fallback: emptyFallback({ eligible: false }),
    response: z.object({ eligible: z.boolean() }),
  },
} as const satisfies Record<string, CallDefinition>;
