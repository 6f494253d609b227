import type { Listing } from '@forecourt/shared-contracts/entities';
import { isGoodPriceDeal, monthlyPayment, WALLET_EXAMPLE_MONTHLY } from '@forecourt/shared-contracts/rules';
import { formatDollars, formatPrice } from '@forecourt/shared-contracts/ui';
import type { SessionState } from '@forecourt/shared-contracts/store';

/** What a card says about money. */
export interface PriceText {
  /** '$32,995' or 'Call for price'. */
  readonly current: string;
  /** The price before its reduction, to be struck through. */
  readonly previous?: string;
  /** 'Est. $512/mo'. */
  readonly payment?: string;
}

/** USD a month by the visitor's own terms, else as the listing says (A3-LISTING-10). */
function monthlyOf({ derivedPrice, payments }: Listing['pricingDetail'], wallet: Wallet): number | undefined {
  if (wallet && derivedPrice !== undefined) return monthlyPayment(derivedPrice, termsOf(wallet));
  return payments?.monthly;
}

/** The price lines of a listing; the payment only where payments are on (AMB-037). */
export function priceText(
  listing: Listing,
  options: { readonly payments: boolean; readonly wallet?: Wallet },
): PriceText {
  const { derivedPrice, previousPrice } = listing.pricingDetail;
  const current = formatPrice(derivedPrice);
  if (derivedPrice === undefined) return { current };
  const isReduced = listing.isReducedPrice && previousPrice !== undefined && previousPrice > derivedPrice;
  const monthly = options.payments ? monthlyOf(listing.pricingDetail, options.wallet ?? null) : undefined;
  return {
    current,
    ...(isReduced && { previous: formatDollars(previousPrice) }),
    ...(monthly !== undefined && { payment: `Est. ${formatDollars(monthly)}/mo` }),
  };
}

/** 'Great Price', 'Good Price', or nothing: Fair and High are no good-price deals (B3-LISTING-03). */
export const dealText = ({ pricingDetail: { dealIndicator } }: Listing): string | undefined =>
  isGoodPriceDeal(dealIndicator) ? `${dealIndicator} Price` : undefined;

export type Wallet = SessionState['wallet'];

/** USD a month; the example's where the visitor has set none (B9-MISC-03). */
export const monthlyBudget = (wallet: Wallet): number => wallet?.monthlyBudget || WALLET_EXAMPLE_MONTHLY;

/** The visitor's terms, or those of the example. */
export const termsOf = (wallet: Wallet): Parameters<typeof monthlyPayment>[1] =>
  wallet
    ? {
        down: wallet.downPayment + wallet.tradeInValue,
        termMonths: wallet.termMonths,
        aprPercent: wallet.aprPercent,
      }
    : {};

/** What one vehicle costs a month. */
export interface PaymentSnapshot {
  readonly listing: Listing;
  /** Whole USD. */
  readonly monthly: number;
}

/** The first vehicles of the results that the budget pays for. */
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
