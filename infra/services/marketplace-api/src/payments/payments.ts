import {
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
  LOAN_TERMS_MONTHS,
} from '@forecourt/shared-contracts/rules';
import type { Incentive, PaymentCalculation } from '../http/callTypes.ts';
import { withThousands } from '@forecourt/shared-contracts/catalog';
import { type StockListing, derivedPrice } from '../domain/stock.ts';

/** Dealers' annual rates in percent, by condition (AMB-110). */
const DEALER_APR_PERCENT = { NEW: 5.49, CERTIFIED: 5.99, '3P_CERT': 6.49, USED: 6.99 } as const;

/** Annual rate in percent of a maker's special offer on a new vehicle. */
const SPECIAL_APR_PERCENT = 3.9;

/** Lease term, and the share of the list price that remains at its end. */
const LEASE = { termMonths: 36, residualShare: 0.56 } as const;

export interface Payments {
  /** Whole US dollars a month. */
  readonly monthly: number;
  /** Months. */
  readonly term: number;
  /** Percent a year. */
  readonly apr: number;
}

/** Monthly payment of an amortised loan (AMB-112): P = (price − down) · r / (1 − (1 + r)^−n), r = APR / 12. */
export function paymentsFor(
  price: number,
  { down = price * PAYMENT_DOWN_SHARE, term = PAYMENT_TERM_MONTHS, apr = PAYMENT_APR_PERCENT } = {},
): Payments {
  const rate = apr / 100 / 12;
  const financed = Math.max(0, price - down);
  const monthly = rate === 0 ? financed / term : (financed * rate) / (1 - (1 + rate) ** -term);
  return { monthly: Math.round(monthly), term, apr };
}

/** What the page asks for with a listing's amended address (A7-PAY-01..05, AMB-110, AMB-111). */
export interface PaymentWish {
  readonly enableLease: boolean;
  readonly disableIncentives: boolean;
  readonly hasSpecialOffers: boolean;
  /** The market's rate, not the seller's: private sellers lend nothing. */
  readonly defaultRate: boolean;
  readonly type: 'finance' | 'lease';
  /** US dollars; a tenth of the price unless told. */
  readonly downPayment?: number;
  /** Months. */
  readonly term?: number;
  /** Percent a year. */
  readonly apr?: number;
}

/** Rebate of the maker that the listing's price is reduced by, US dollars. */
export function rebateOf({ incentive, salePrice, msrp }: StockListing): number {
  const before = salePrice ?? msrp;
  return incentive === undefined || before === undefined ? 0 : Math.max(0, before - incentive);
}

function rateOf(listing: StockListing, wish: PaymentWish): number {
  if (wish.apr !== undefined) return wish.apr;
  if (wish.defaultRate) return PAYMENT_APR_PERCENT;
  const isSpecial = wish.hasSpecialOffers && listing.hasSpecialOffer && listing.listingType === 'NEW';
  return isSpecial ? SPECIAL_APR_PERCENT : DEALER_APR_PERCENT[listing.listingType];
}

const nearestTerm = (asked: number): number =>
  LOAN_TERMS_MONTHS.reduce<number>(
    (best, term) => (Math.abs(term - asked) < Math.abs(best - asked) ? term : best),
    LOAN_TERMS_MONTHS[0],
  );

/** A lease: what the vehicle loses, and interest on what is out: (cap + residual) times the money factor. */
function leaseMonthly(cap: number, listed: number, apr: number): number {
  const residual = listed * LEASE.residualShare;
  return Math.round((cap - residual) / LEASE.termMonths + (cap + residual) * (apr / 2400));
}

/** The monthly payment of a listing; undefined when it has no price. */
export function calculatePayment(listing: StockListing, wish: PaymentWish): PaymentCalculation | undefined {
  const shown = derivedPrice(listing);
  if (shown === undefined) return undefined;
  const rebate = rebateOf(listing);
  const price = wish.disableIncentives ? shown + rebate : shown;
  const downPayment = Math.min(price, wish.downPayment ?? Math.round(price * PAYMENT_DOWN_SHARE));
  const apr = rateOf(listing, wish);
  const common = { apr, downPayment, price, incentives: wish.disableIncentives ? 0 : rebate };
  if (wish.type === 'lease' && wish.enableLease && listing.listingType === 'NEW') {
    const monthlyPayment = leaseMonthly(price - downPayment, listing.msrp ?? price, apr);
    return { ...common, monthlyPayment: Math.max(0, monthlyPayment), term: LEASE.termMonths, type: 'lease' };
  }
  const term = nearestTerm(wish.term ?? PAYMENT_TERM_MONTHS);
  const { monthly } = paymentsFor(price, { down: downPayment, term, apr });
  return { ...common, monthlyPayment: monthly, term, type: 'finance' };
}

/** Offers on a listing as its price and flags have them; they end with the month. `today` is days since 1970. */
export function incentivesOf(
  listing: StockListing,
  wish: Pick<PaymentWish, 'enableLease' | 'disableIncentives' | 'hasSpecialOffers'>,
  now: number,
): Incentive[] {
  if (wish.disableIncentives) return [];
  const date = new Date(now);
  const monthEnd = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
  const expires = monthEnd.toISOString().slice(0, 10);
  const { make, model, year } = listing;
  const name = `${year} ${make.name} ${model.name}`;
  const rebate = rebateOf(listing);
  const hasRate = wish.hasSpecialOffers && listing.hasSpecialOffer && listing.listingType === 'NEW';
  const cash: Incentive[] =
    rebate > 0
      ? [
          {
            id: `${listing.id}-cash`,
            name: `$${withThousands(rebate)} customer cash on the ${name}`,
            kind: 'cash',
            amount: rebate,
            expires,
            disclaimer: 'Taken off the price shown. Not with other offers of the maker.',
          },
        ]
      : [];
  const rate: Incentive[] = hasRate
    ? [
        {
          id: `${listing.id}-apr`,
          name: `${SPECIAL_APR_PERCENT}% APR on the ${name}`,
          kind: 'apr',
          amount: 0,
          apr: SPECIAL_APR_PERCENT,
          expires,
          disclaimer: `For up to ${PAYMENT_TERM_MONTHS} months, subject to credit approval.`,
        },
      ]
    : [];
  const payment =
    wish.enableLease && hasRate
      ? calculatePayment(listing, { ...wish, defaultRate: false, type: 'lease' })
      : undefined;
  const lease: Incentive[] = payment
    ? [
        {
          id: `${listing.id}-lease`,
          name: `Lease for $${withThousands(payment.monthlyPayment)} a month for ${payment.term} months`,
          kind: 'lease',
          amount: 0,
          expires,
          disclaimer: `$${withThousands(payment.downPayment)} due at signing. 10,000 miles a year.`,
        },
      ]
    : [];
  return [...cash, ...rate, ...lease];
}
