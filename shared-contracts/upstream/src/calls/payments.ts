import { z } from 'zod';
import { emptyFallback, errorFallback, nullFallback, optionalRead, timesOf } from './definition.ts';
import type { CallDefinition } from './callDefinition.ts';
import { DEAL_KINDS } from '../entities/codes.ts';

/** Response of the payment calculation (AMB-189): US dollars a month, months, percent a year. */
const paymentCalculationSchema = z.object({
  monthlyPayment: z.number(),
  term: z.number(),
  apr: z.number(),
  type: z.enum(['finance', 'lease']),
  /** US dollars: the down payment, and the amount that the calculation deducted from the price. */
  downPayment: z.number(),
  incentives: z.number(),
  price: z.number(),
});
/** Rebates on a vehicle, in US dollars; `expires` is yyyy-mm-dd. */
const incentivesSchema = z.object({
  incentives: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      kind: z.enum(['cash', 'apr', 'lease']),
      /** US dollars off the price; 0 for a rate. */
      amount: z.number(),
      /** Percent a year, of a rate. */
      apr: z.number().optional(),
      expires: z.string(),
      disclaimer: z.string(),
    }),
  ),
});
/** A deal to share or save. */
export const dealSchema = z.object({
  carId: z.string().min(1).max(64),
  deal: z
    .object({
      dealType: z.preprocess(
        (given) => ((DEAL_KINDS as readonly unknown[]).includes(given) ? given : 'finance'),
        z.enum(DEAL_KINDS),
      ),
      /** US dollars, months, percent a year. */
      price: z.number().nonnegative().max(10_000_000).optional(),
      downPayment: z.number().nonnegative().max(10_000_000).optional(),
      term: z.number().int().positive().max(120).optional(),
      apr: z.number().nonnegative().max(100).optional(),
      monthlyPayment: z.number().nonnegative().max(1_000_000).optional(),
    })
    .strip(),
});
const savedDealSchema = dealSchema.extend({ id: z.string() });

/** Payments, incentives, deals. */
export const PAYMENTS_CALLS = {
  /** The query of a listing's amended paymentCalculationUrl. */
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
   * By listingId: can this listing be bought in its dealer's online shop? A failure counts as no.
   */
  esntialEligibility: {
    ...optionalRead,
    service: 'esntial',
    path: '/cars-for-sale/svc/esntial-eligibility',
    fallback: emptyFallback({ eligible: false }),
    response: z.object({ eligible: z.boolean() }),
  },
} as const satisfies Record<string, CallDefinition>;
