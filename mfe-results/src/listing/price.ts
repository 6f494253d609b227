import { formatDollars } from '@forecourt/search/format';
import { monthlyPayment, WALLET_EXAMPLE_MONTHLY, formatPrice } from '@forecourt/search/payments';
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
function monthlyOf(
  { derivedPrice, payments }: Listing['pricingDetail'],
  terms: Terms | undefined,
): number | undefined {
  if (terms && derivedPrice !== undefined) return monthlyPayment(derivedPrice, terms);
  return payments?.monthly;
}

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
    ...(monthly !== undefined && { payment: `Est. ${formatDollars(monthly)}/mo` }),
  };
}

/** Great and Good are good-price deals. */
export const isGoodPriceDeal = (dealIndicator: string | undefined): boolean =>
  dealIndicator === 'Great' || dealIndicator === 'Good';

/** 'Great Price' or 'Good Price'; Fair and High deals have no label. */
export const dealText = ({ pricingDetail: { dealIndicator } }: Listing): string | undefined =>
  isGoodPriceDeal(dealIndicator) ? `${dealIndicator} Price` : undefined;

export type Wallet = SessionState['wallet'];

/** USD a month; an example until the visitor sets a budget. */
export const monthlyBudget = (wallet: Wallet): number => wallet?.monthlyBudget || WALLET_EXAMPLE_MONTHLY;

/** Terms of a loan. */
export type Terms = NonNullable<Parameters<typeof monthlyPayment>[1]>;

export const termsOf = (wallet: Wallet): Terms =>
  wallet
    ? {
        down: wallet.downPayment + wallet.tradeInValue,
        termMonths: wallet.termMonths,
        aprPercent: wallet.aprPercent,
      }
    : {};

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
