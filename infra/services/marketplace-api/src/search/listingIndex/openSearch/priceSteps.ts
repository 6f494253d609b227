import { highestPriceWithin, type readPaymentLimit } from '@forecourt/search/criteria';
import { PRICE_BUCKET } from '../documents.ts';
import { PAYMENT_STEPS } from '../listingIndex.ts';

type LoanTerms = NonNullable<ReturnType<typeof readPaymentLimit>>['terms'];

/** The highest price of each option of the payment filter. */
export const paymentLimits = (terms: LoanTerms): number[] =>
  PAYMENT_STEPS.map((max) => highestPriceWithin({ max, terms }));

/** By the default terms. */
export const DEFAULT_LIMITS: readonly number[] = paymentLimits({});

/**
 * The lowest price of the step that a price is in. Neither a bar of the histogram nor, by the default terms, an option of
 * the payment filter begins within a step, so all are counted from the listings of each step.
 */
export const priceStep = (price: number): number =>
  Math.max(
    Math.floor(price / PRICE_BUCKET) * PRICE_BUCKET,
    ...DEFAULT_LIMITS.filter((limit) => limit < price).map((limit) => limit + 1),
  );
