import {
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
} from '@forecourt/shared-contracts/rules';

/** Months that lenders offer. */
export const TERMS = [36, 48, 60, 72, 84] as const;
const MAX_APR = 30;

export interface PaymentChoice {
  /** US dollars paid at once. */
  readonly down: number;
  readonly termMonths: number;
  readonly aprPercent: number;
}

/** A number of a form, within limits; the preset for whatever is none. */
function numberIn(text: string | null, least: number, most: number, preset: number): number {
  const typed = text?.replace(/[$,%\s]/g, '') ?? '';
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(typed)) return preset;
  return Math.min(most, Math.max(least, Number(typed)));
}

/** How a vehicle of `price` (US dollars) would be paid, from a form's parameters `down`, `term` and `apr`. */
export function readPaymentChoice(query: URLSearchParams, price: number): PaymentChoice {
  const term = Number(query.get('term'));
  return {
    down: Math.round(numberIn(query.get('down'), 0, price, Math.round(price * PAYMENT_DOWN_SHARE))),
    termMonths: (TERMS as readonly number[]).includes(term) ? term : PAYMENT_TERM_MONTHS,
    aprPercent: numberIn(query.get('apr'), 0, MAX_APR, PAYMENT_APR_PERCENT),
  };
}
