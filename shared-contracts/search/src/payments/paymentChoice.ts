import type { Wallet } from '@forecourt/upstream/entities';
import {
  LOAN_TERMS_MONTHS,
  MAX_APR_PERCENT,
  monthlyPayment,
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
  walletTerms,
} from './loan.ts';
import { formatDollars } from '../format/format.ts';

/** The terms that a shopper entered into a payment form. */
export interface PaymentChoice {
  /** US dollars. */
  readonly down: number;
  readonly termMonths: number;
  readonly aprPercent: number;
}

/** Parses a typed number and clamps it to `min`..`max`; `fallback` when it isn't a number. */
function readNumber(text: string | null, min: number, max: number, fallback: number): number {
  const digits = text?.replace(/[$,%\s]/g, '') ?? '';
  if (!/^\d{1,9}(\.\d{1,4})?$/.test(digits)) return fallback;
  return Math.min(max, Math.max(min, Number(digits)));
}

/**
 * Reads the form parameters `down`, `term` and `apr` for a vehicle of `price` (US dollars). Missing and invalid ones are
 * the wallet's, by default those of the example (AMB-112).
 */
export function readPaymentChoice(
  query: URLSearchParams,
  price: number,
  wallet: Wallet | null = null,
): PaymentChoice {
  const isTerm = (months: number | undefined) => LOAN_TERMS_MONTHS.some((term) => term === months);
  const term = [Number(query.get('term')), wallet?.termMonths].find(isTerm) ?? PAYMENT_TERM_MONTHS;
  const own = wallet ? walletTerms(wallet).down : undefined;
  const down = own === undefined ? Math.round(price * PAYMENT_DOWN_SHARE) : Math.min(price, own);
  return {
    down: Math.round(readNumber(query.get('down'), 0, price, down)),
    termMonths: term,
    aprPercent: readNumber(query.get('apr'), 0, MAX_APR_PERCENT, wallet?.aprPercent ?? PAYMENT_APR_PERCENT),
  };
}

/** A payment choice: `monthly` in whole US dollars, 0 when the down payment covers the price; `detail` names the terms and the total. */
export function paymentSummary(
  price: number,
  { down, termMonths, aprPercent }: PaymentChoice,
): { readonly monthly: number; readonly detail: string } {
  const monthly = monthlyPayment(price, { down, termMonths, aprPercent });
  return {
    monthly,
    detail: `${termMonths} months at ${aprPercent}% APR, ${formatDollars(down)} down. Total with interest ${formatDollars(down + monthly * termMonths)}.`,
  };
}
