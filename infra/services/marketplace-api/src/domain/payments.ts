import { formatNumber } from '@forecourt/search/format';
import {
  LOAN_TERMS_MONTHS,
  PAYMENT_APR_PERCENT,
  PAYMENT_DOWN_SHARE,
  PAYMENT_TERM_MONTHS,
  monthlyPayment,
} from '@forecourt/search/payments';
import type { Listing } from '@forecourt/upstream/entities';
import type { Incentive, PaymentCalculation } from './callTypes.ts';
import { type StockListing, type StockOwner, derivedPrice } from './stock.ts';

/** Dealers' annual rates in percent, by condition. */
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

/** Monthly payment of an amortized loan: P = (price − down) · r / (1 − (1 + r)^−n), r = APR / 12. */
export function paymentsFor(
  price: number,
  { down = price * PAYMENT_DOWN_SHARE, term = PAYMENT_TERM_MONTHS, apr = PAYMENT_APR_PERCENT } = {},
): Payments {
  return { monthly: monthlyPayment(price, { down, termMonths: term, aprPercent: apr }), term, apr };
}

/** Parameters that the page adds to a listing's payment URL. */
export interface PaymentOptions {
  readonly enableLease: boolean;
  readonly disableIncentives: boolean;
  readonly hasSpecialOffers: boolean;
  /** The market's rate instead of the dealer's; private sellers offer no loans. */
  readonly defaultRate: boolean;
  readonly type: 'finance' | 'lease';
  /** US dollars; a tenth of the price by default. */
  readonly downPayment?: number;
  /** Months. */
  readonly term?: number;
  /** Percent a year. */
  readonly apr?: number;
}

/** The maker's rebate included in the price, US dollars. */
export function rebateOf({ incentive, salePrice, msrp }: StockListing): number {
  const before = salePrice ?? msrp;
  return incentive === undefined || before === undefined ? 0 : Math.max(0, before - incentive);
}

function rateOf(listing: StockListing, options: PaymentOptions): number {
  if (options.apr !== undefined) return options.apr;
  if (options.defaultRate) return PAYMENT_APR_PERCENT;
  const isSpecial = options.hasSpecialOffers && listing.hasSpecialOffer && listing.listingType === 'NEW';
  return isSpecial ? SPECIAL_APR_PERCENT : DEALER_APR_PERCENT[listing.listingType];
}

const nearestTerm = (months: number): number =>
  LOAN_TERMS_MONTHS.reduce<number>(
    (best, term) => (Math.abs(term - months) < Math.abs(best - months) ? term : best),
    LOAN_TERMS_MONTHS[0],
  );

/** Depreciation plus interest: (cap + residual) times the money factor. */
function leaseMonthly(cap: number, listed: number, apr: number): number {
  const residual = listed * LEASE.residualShare;
  return Math.round((cap - residual) / LEASE.termMonths + (cap + residual) * (apr / 2400));
}

/** Monthly payment; undefined for a listing without a price. */
export function calculatePayment(
  listing: StockListing,
  options: PaymentOptions,
): PaymentCalculation | undefined {
  const derived = derivedPrice(listing);
  if (derived === undefined) return undefined;
  const rebate = rebateOf(listing);
  const price = options.disableIncentives ? derived + rebate : derived;
  const downPayment = Math.min(price, options.downPayment ?? Math.round(price * PAYMENT_DOWN_SHARE));
  const apr = rateOf(listing, options);
  const common = { apr, downPayment, price, incentives: options.disableIncentives ? 0 : rebate };
  if (options.type === 'lease' && options.enableLease && listing.listingType === 'NEW') {
    const monthlyPayment = leaseMonthly(price - downPayment, listing.msrp ?? price, apr);
    return { ...common, monthlyPayment: Math.max(0, monthlyPayment), term: LEASE.termMonths, type: 'lease' };
  }
  const term = nearestTerm(options.term ?? PAYMENT_TERM_MONTHS);
  const { monthly } = paymentsFor(price, { down: downPayment, term, apr });
  return { ...common, monthlyPayment: monthly, term, type: 'finance' };
}

/** Incentives derived from a listing's price and flags; they expire at the end of the month. */
export function incentivesOf(
  listing: StockListing,
  options: Pick<PaymentOptions, 'enableLease' | 'disableIncentives' | 'hasSpecialOffers'>,
  now: number,
): Incentive[] {
  if (options.disableIncentives) return [];
  const date = new Date(now);
  const monthEnd = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
  const expires = monthEnd.toISOString().slice(0, 10);
  const { make, model, year } = listing;
  const name = `${year} ${make.name} ${model.name}`;
  const rebate = rebateOf(listing);
  const hasRate = options.hasSpecialOffers && listing.hasSpecialOffer && listing.listingType === 'NEW';
  const cash: Incentive[] =
    rebate > 0
      ? [
          {
            id: `${listing.id}-cash`,
            name: `$${formatNumber(rebate)} customer cash on the ${name}`,
            kind: 'cash',
            amount: rebate,
            expires,
            disclaimer:
              'Included in the price shown. Cannot be combined with other offers from the manufacturer.',
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
    options.enableLease && hasRate
      ? calculatePayment(listing, { ...options, defaultRate: false, type: 'lease' })
      : undefined;
  const lease: Incentive[] = payment
    ? [
        {
          id: `${listing.id}-lease`,
          name: `Lease for $${formatNumber(payment.monthlyPayment)} a month for ${payment.term} months`,
          kind: 'lease',
          amount: 0,
          expires,
          disclaimer: `$${formatNumber(payment.downPayment)} due at signing. 10,000 miles a year.`,
        },
      ]
    : [];
  return [...cash, ...rate, ...lease];
}

/** Maximums for buying a vehicle unseen. */
const ECOMMERCE_LIMITS = { price: 150_000, mileage: 120_000 } as const;

const addressed = (path: string, query: Readonly<Record<string, string | number>>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;

/**
 * Payment services of a listing. The page adds
 * parameters to the URLs. Only dealers sell entirely online; a listing
 * without a price has no payments.
 */
export function paymentServicesOf(stock: StockListing, owner: StockOwner): Listing['paymentServices'] {
  const price = derivedPrice(stock);
  if (price === undefined) return undefined;
  const isOnline = owner.sellerType === 'd' && owner.homeServices.includes('BUY_ONLINE');
  return {
    digitalRetailingType: isOnline ? 'FULL' : 'NONE',
    dealerSettings: { leaseEnabled: owner.leases === true && stock.listingType === 'NEW' },
    uiEnabled: isOnline,
    paymentCalculationUrl: addressed('/payments/calculate', { listingId: stock.id, price }),
    incentivesUrl: addressed('/payments/incentives', { listingId: stock.id }),
  };
}

/** Whether the vehicle can be bought in its dealer's online shop. */
export function isEcommerceEligible(stock: StockListing, owner: StockOwner): boolean {
  const price = derivedPrice(stock);
  return (
    owner.ecommerce !== undefined &&
    price !== undefined &&
    price <= ECOMMERCE_LIMITS.price &&
    stock.mileage !== undefined &&
    stock.mileage <= ECOMMERCE_LIMITS.mileage
  );
}

/** Fields of the online-commerce program; the page checks eligibility when it shows the vehicle. */
export function esntialOf(stock: StockListing, owner: StockOwner): Listing['esntial'] {
  if (!owner.ecommerce || !owner.website) return undefined;
  return {
    eligibilityService: `/cars-for-sale/svc/esntial-eligibility?listingId=${encodeURIComponent(stock.id)}`,
    ecommWebsite: `${owner.website}/buy/${stock.vin}`,
    deemphasized: owner.ecommerce === 'deemphasized',
  };
}
