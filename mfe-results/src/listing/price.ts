import { formatDollars, formatNumber } from '@forecourt/search/format';
import {
  formatPrice,
  type LoanTerms,
  monthlyPayment,
  paymentText,
  WALLET_EXAMPLE_MONTHLY,
  walletTerms,
} from '@forecourt/search/payments';
import type { SessionState } from '@forecourt/search/state';
import type { Listing } from '@forecourt/upstream/entities';

/** Price lines of a card. */
export interface PriceLines {
  /** '$32,995' or 'Call for price'. */
  readonly current: string;
  /** The previous price of a reduced listing, shown struck through. */
  readonly previous?: string;
  /** 'Est. $512/mo'. */
  readonly payment?: string;
}

/** USD a month by the terms of the search or the visitor, otherwise the listing's. */
export function monthlyOf(
  { derivedPrice, payments }: Listing['pricingDetail'],
  terms: Terms | undefined,
): number | undefined {
  if (terms && derivedPrice !== undefined) return monthlyPayment(derivedPrice, terms);
  return payments?.monthly;
}

/** 'Est. $512/mo' */
export const estimateText = (monthly: number): string =>
  monthly === 0 ? paymentText(monthly) : `Est. ${paymentText(monthly)}`;

/** The price lines of a listing; the payment only while payments are on. */
export function priceLines(
  listing: Listing,
  options: { readonly payments: boolean; readonly terms?: Terms },
): PriceLines {
  const { derivedPrice, previousPrice } = listing.pricingDetail;
  const current = formatPrice(derivedPrice);
  if (derivedPrice === undefined) return { current };
  const isReduced = listing.isReducedPrice && previousPrice !== undefined && previousPrice > derivedPrice;
  const monthly = options.payments ? monthlyOf(listing.pricingDetail, options.terms) : undefined;
  return {
    current,
    ...(isReduced && { previous: formatDollars(previousPrice) }),
    ...(monthly !== undefined && { payment: estimateText(monthly) }),
  };
}

/** Great and Good are good-price deals. */
export const isGoodPriceDeal = (dealIndicator: string | undefined): boolean =>
  dealIndicator === 'Great' || dealIndicator === 'Good';

/** Dollars; less says nothing. */
const MARKET_DIFFERENCE_FROM = 200;
/** Dollars to which an average is rounded. */
const MARKET_STEP = 100;

/** Dollars by which similar vehicles cost more on average, rounded; undefined when too few are known. */
export function marketDifference({ pricingDetail: { derivedPrice, market } }: Listing): number | undefined {
  if (!market || derivedPrice === undefined) return undefined;
  return Math.round((market.average - derivedPrice) / MARKET_STEP) * MARKET_STEP;
}

/** '$1,900 below market', '$600 above market' or 'About the market price'. */
function marketText(difference: number): string {
  const amount = Math.abs(difference);
  if (amount < MARKET_DIFFERENCE_FROM) return 'About the market price';
  return `${formatDollars(amount)} ${difference > 0 ? 'below' : 'above'} market`;
}

/** The price against that of similar vehicles, with their number: '$1,900 below market (24 similar)'. */
export function priceAgainstMarket(listing: Listing): string | undefined {
  const difference = marketDifference(listing);
  return difference === undefined
    ? undefined
    : `${marketText(difference)} (${formatNumber(listing.pricingDetail.market!.similar)} similar)`;
}

/**
 * The deal of a good price in dollars, '$1,900 below market', else 'Great Price' or 'Good Price'; Fair and High deals have no
 * label, and none is shown that the prices of similar vehicles contradict.
 */
export function dealText(listing: Listing): string | undefined {
  const { dealIndicator } = listing.pricingDetail;
  if (!isGoodPriceDeal(dealIndicator)) return undefined;
  const difference = marketDifference(listing) ?? 0;
  if (difference <= -MARKET_DIFFERENCE_FROM) return undefined;
  return difference >= MARKET_DIFFERENCE_FROM ? marketText(difference) : `${dealIndicator} Price`;
}

export type Wallet = SessionState['wallet'];

/** USD a month; an example until the visitor sets a budget. */
export const monthlyBudget = (wallet: Wallet): number => wallet?.monthlyBudget || WALLET_EXAMPLE_MONTHLY;

export type Terms = LoanTerms;

export const termsOf = (wallet: Wallet): Terms => (wallet ? walletTerms(wallet) : {});

/** Monthly cost of one vehicle. */
export interface PaymentSnapshot {
  readonly listing: Listing;
  /** Whole USD. */
  readonly monthly: number;
}

/** The first vehicles of the results that fit the budget. */
export function paymentSnapshots(
  listings: readonly Listing[],
  wallet: Wallet,
  count: number,
): readonly PaymentSnapshot[] {
  const snapshots: PaymentSnapshot[] = [];
  for (const listing of listings) {
    const { derivedPrice } = listing.pricingDetail;
    if (derivedPrice === undefined) continue;
    const monthly = monthlyPayment(derivedPrice, termsOf(wallet));
    if (monthly <= monthlyBudget(wallet)) snapshots.push({ listing, monthly });
    if (snapshots.length === count) break;
  }
  return snapshots;
}
