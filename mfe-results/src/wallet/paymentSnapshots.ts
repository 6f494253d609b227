import type { Listing } from '@forecourt/shared-contracts/entities';
import { monthlyPayment, WALLET_EXAMPLE_MONTHLY } from '@forecourt/shared-contracts/rules';
import type { SessionState } from '@forecourt/shared-contracts/store';

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
