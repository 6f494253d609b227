import { MAX_WHOLE_NUMBER, wholeNumber } from './text.ts';
import { formatDollars } from '../format/format.ts';

/** Terms of a loan; the defaults are those of the example (AMB-112). */
export interface LoanTerms {
  /** USD; default: 10 % of the price. */
  readonly down?: number;
  readonly termMonths?: number;
  readonly aprPercent?: number;
}

/** Monthly share of one dollar borrowed: r / (1 - (1 + r)^-n), or 1/n without interest. */
function factor({ termMonths = PAYMENT_TERM_MONTHS, aprPercent = PAYMENT_APR_PERCENT }: LoanTerms): number {
  const rate = aprPercent / 100 / 12;
  return rate === 0 ? 1 / termMonths : rate / (1 - (1 + rate) ** -termMonths);
}

/** Monthly payment in whole USD by the amortization formula (B9-PAYMENT-01, AMB-112); never below 0. */
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

/** The highest payment of a search in whole USD a month, and the terms by which it is calculated. */
interface PaymentLimit {
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

function read(value: string): PaymentLimit | undefined {
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

/** The canonical value: terms that are the default are left out. */
function write({ max, terms: { down, termMonths, aprPercent } }: PaymentLimit): string {
  const parts = [
    Math.min(max, MAX_WHOLE_NUMBER),
    down,
    termMonths === PAYMENT_TERM_MONTHS ? undefined : termMonths,
    aprPercent === PAYMENT_APR_PERCENT ? undefined : aprPercent,
  ];
  return parts.join('-').replace(/-+$/, '');
}

/** '$400/mo or less', with the terms unless they are the default ones. */
function label(value: string): string | undefined {
  const limit = read(value);
  if (!limit) return undefined;
  const { down, termMonths = PAYMENT_TERM_MONTHS, aprPercent = PAYMENT_APR_PERCENT } = limit.terms;
  const text = `${formatDollars(limit.max)}/mo or less`;
  if (Object.keys(limit.terms).length === 0) return text;
  const deposit = down === undefined ? `${PAYMENT_DOWN_SHARE * 100}%` : formatDollars(down);
  return `${text} (${deposit} down, ${termMonths} mo at ${aprPercent}%)`;
}

/** Values of a form: the fields of own terms replace those of the value. */
function withFields(value: string, fields: readonly (string | undefined)[]): string {
  const [amount = '', ...parts] = value.split('-');
  return [amount, ...fields.map((field, index) => field?.trim() || (parts[index] ?? ''))].join('-');
}

/** Highest price in whole USD whose payment is within the limit. */
function highestPrice({ max, terms }: PaymentLimit): number {
  let price = affordablePrice(max + 0.5, terms);
  while (monthlyPayment(price + 1, terms) <= max) price += 1;
  while (price > 0 && monthlyPayment(price, terms) > max) price -= 1;
  return price;
}

/**
 * The parameter `monthlyPayment`: the highest payment in USD, then down payment, months and annual rate where they differ
 * from the default, as in '400', '400-3000' or '400-3000-60-5.9' (AMB-112). One value, so that terms never outlast
 * their payment.
 */
export const paymentFilter = { read, write, label, withFields, highestPrice };
