import type { Wallet } from '@forecourt/upstream/entities';
import { formatDollars } from '../format/format.ts';

/** Terms of a loan; the defaults are those of the example (AMB-112). */
export interface LoanTerms {
  /** USD; default: 10 % of the price. */
  readonly down?: number;
  readonly termMonths?: number;
  readonly aprPercent?: number;
}

/**
 * The wallet's terms, the same on every part of a page. Without an amount the down payment stays a share of each price;
 * a trade-in is an amount.
 */
export function walletTerms({ downPayment, tradeInValue, termMonths, aprPercent }: Wallet): LoanTerms {
  const hasAmount = downPayment !== undefined || tradeInValue > 0;
  return { ...(hasAmount && { down: (downPayment ?? 0) + tradeInValue }), termMonths, aprPercent };
}

/** '$512/mo'; a price at or below the down payment has no payment. */
export const paymentText = (monthly: number): string =>
  monthly === 0 ? 'Covered by your down payment' : `${formatDollars(monthly)}/mo`;

/** Monthly share of one dollar borrowed: r / (1 - (1 + r)^-n), or 1/n without interest. */
function factor({ termMonths = PAYMENT_TERM_MONTHS, aprPercent = PAYMENT_APR_PERCENT }: LoanTerms): number {
  const rate = aprPercent / 100 / 12;
  return rate === 0 ? 1 / termMonths : rate / (1 - (1 + rate) ** -termMonths);
}

/** Monthly payment in whole USD by the amortization formula; never below 0. */
export function monthlyPayment(price: number, terms: LoanTerms = {}): number {
  const down = terms.down ?? price * PAYMENT_DOWN_SHARE;
  return Math.round(Math.max(0, price - down) * factor(terms));
}

/** The price in whole USD that a monthly budget can pay: the inverse of `monthlyPayment`. */
export function affordablePrice(monthlyBudget: number, terms: LoanTerms = {}): number {
  const borrowed = Math.max(0, monthlyBudget) / factor(terms);
  const price = terms.down === undefined ? borrowed / (1 - PAYMENT_DOWN_SHARE) : borrowed + terms.down;
  return Math.floor(price);
}

/** Down payment as a share of the price. */
export const PAYMENT_DOWN_SHARE = 0.1;

/** Months. */
export const PAYMENT_TERM_MONTHS = 72;

/** Percent a year. */
export const PAYMENT_APR_PERCENT = 6.99;

export const MAX_APR_PERCENT = 30;

/** Available loan terms in months. */
export const LOAN_TERMS_MONTHS = [36, 48, 60, 72, 84] as const;

/** USD a month in the wallet's example budget. */
export const WALLET_EXAMPLE_MONTHLY = 600;
