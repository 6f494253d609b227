import {
  monthlyPayment,
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
} from '@forecourt/shared-contracts/rules';
import { formatDollars } from '@forecourt/shared-contracts/ui';

/** Months that lenders offer. */
export const PAYMENT_TERMS = [36, 48, 60, 72, 84] as const;
const MAX_APR = 30;

export interface PaymentChoice {
  /** US dollars paid at once. */
  readonly down: number;
  readonly termMonths: number;
  readonly aprPercent: number;
}

/** A number from a form, within limits; the default for anything else. */
function numberIn(text: string | null, min: number, max: number, fallback: number): number {
  const typed = text?.replace(/[$,%\s]/g, '') ?? '';
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(typed)) return fallback;
  return Math.min(max, Math.max(min, Number(typed)));
}

/** How a vehicle of `price` (US dollars) would be paid, from a form's parameters `down`, `term` and `apr`. */
export function readPaymentChoice(query: URLSearchParams, price: number): PaymentChoice {
  const term = Number(query.get('term'));
  return {
    down: Math.round(numberIn(query.get('down'), 0, price, Math.round(price * PAYMENT_DOWN_SHARE))),
    termMonths: (PAYMENT_TERMS as readonly number[]).includes(term) ? term : PAYMENT_TERM_MONTHS,
    aprPercent: numberIn(query.get('apr'), 0, MAX_APR, PAYMENT_APR_PERCENT),
  };
}

/** The payment in words: '$512' a month, and the total. */
export function paymentText(price: number, { down, termMonths, aprPercent }: PaymentChoice) {
  const monthly = monthlyPayment(price, { down, termMonths, aprPercent });
  return {
    monthly: formatDollars(monthly),
    detail: `${termMonths} months at ${aprPercent} % APR, ${formatDollars(down)} down. Total with interest ${formatDollars(down + monthly * termMonths)}.`,
  };
}
