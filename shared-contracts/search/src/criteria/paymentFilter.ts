import { MAX_WHOLE_NUMBER, wholeNumber } from './text.ts';
import { formatDollars } from '../format/format.ts';
import {
  affordablePrice,
  LOAN_TERMS_MONTHS,
  type LoanTerms,
  MAX_APR_PERCENT,
  monthlyPayment,
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
} from '../payments/loan.ts';

// The parameter `monthlyPayment`: the highest payment in USD, then down payment, months and annual rate where they differ
// from the default, as in '400', '400-3000' or '400-3000-60-5.9'. One value, so that terms never outlast their payment.

/** The highest payment of a search in whole USD a month, and the terms by which it is calculated. */
export interface PaymentLimit {
  readonly max: number;
  readonly terms: LoanTerms;
}

/** Names of the form fields that a browser without JavaScript sends beside `monthlyPayment`. */
export const PAYMENT_FIELDS = ['paymentDown', 'paymentTerm', 'paymentApr'] as const;

const dollars = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : wholeNumber(text.replace(/[$,]/g, ''));

function rate(text: string | undefined): number | undefined {
  if (!/^\d{1,2}(\.\d{1,4})?%?$/.test(text?.trim() ?? '')) return undefined;
  return Math.min(MAX_APR_PERCENT, Math.round(Number.parseFloat(text!) * 100) / 100);
}

/** Reads the parameter `monthlyPayment`; undefined when it is invalid. */
export function readPaymentLimit(value: string): PaymentLimit | undefined {
  const [amount, ...parts] = value.split('-');
  const max = dollars(amount);
  if (!max) return undefined;
  const [down, months, apr] = [dollars(parts[0]), wholeNumber(parts[1] ?? ''), rate(parts[2])];
  const termMonths = LOAN_TERMS_MONTHS.find((term) => term === months && term !== PAYMENT_TERM_MONTHS);
  return {
    max,
    terms: {
      ...(down !== undefined && { down }),
      ...(termMonths !== undefined && { termMonths }),
      ...(apr !== undefined && apr !== PAYMENT_APR_PERCENT && { aprPercent: apr }),
    },
  };
}

/** The canonical value of the parameter `monthlyPayment`: terms that are the default are left out. */
export function writePaymentLimit({ max, terms: { down, termMonths, aprPercent } }: PaymentLimit): string {
  const parts = [
    Math.min(max, MAX_WHOLE_NUMBER),
    down,
    termMonths === PAYMENT_TERM_MONTHS ? undefined : termMonths,
    aprPercent === PAYMENT_APR_PERCENT ? undefined : aprPercent,
  ];
  return parts.join('-').replace(/-+$/, '');
}

/** '$400/mo or less', with the terms unless they are the default ones. */
export function paymentLimitLabel(value: string): string | undefined {
  const limit = readPaymentLimit(value);
  if (!limit) return undefined;
  const { down, termMonths = PAYMENT_TERM_MONTHS, aprPercent = PAYMENT_APR_PERCENT } = limit.terms;
  const text = `${formatDollars(limit.max)}/mo or less`;
  if (Object.keys(limit.terms).length === 0) return text;
  const deposit = down === undefined ? `${PAYMENT_DOWN_SHARE * 100}%` : formatDollars(down);
  return `${text} (${deposit} down, ${termMonths} mo at ${aprPercent}%)`;
}

/** The value of a form: the fields of own terms replace those of the value. */
export function withPaymentFields(value: string, fields: readonly (string | undefined)[]): string {
  const [amount = '', ...parts] = value.split('-');
  return [amount, ...fields.map((field, index) => field?.trim() || (parts[index] ?? ''))].join('-');
}

/** Highest price in whole USD whose payment is within the limit. */
export function highestPriceWithin({ max, terms }: PaymentLimit): number {
  let price = affordablePrice(max + 0.5, terms);
  while (monthlyPayment(price + 1, terms) <= max) price += 1;
  while (price > 0 && monthlyPayment(price, terms) > max) price -= 1;
  return price;
}
