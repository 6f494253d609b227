import type { Listing } from '@forecourt/shared-contracts/entities';
import { isGoodPriceDeal } from '@forecourt/shared-contracts/rules';
import { formatDollars } from '@forecourt/shared-contracts/ui';

/** What a card says about money. */
export interface PriceText {
  /** '$32,995' or 'Call for price'. */
  readonly current: string;
  /** The price before its reduction, to be struck through. */
  readonly previous?: string;
  /** 'Est. $512/mo'. */
  readonly payment?: string;
}

const CALL_FOR_PRICE = 'Call for price';

/** The price lines of a listing; the payment only where payments are on (A3-LISTING-10, AMB-037). */
export function priceText(listing: Listing, options: { readonly payments: boolean }): PriceText {
  const { derivedPrice, previousPrice, payments } = listing.pricingDetail;
  if (derivedPrice === undefined) return { current: CALL_FOR_PRICE };
  const isReduced = listing.isReducedPrice && previousPrice !== undefined && previousPrice > derivedPrice;
  return {
    current: formatDollars(derivedPrice),
    ...(isReduced && { previous: formatDollars(previousPrice) }),
    ...(options.payments && payments && { payment: `Est. ${formatDollars(payments.monthly)}/mo` }),
  };
}

/** 'Great Price', 'Good Price', or nothing: Fair and High are no good-price deals (B3-LISTING-03). */
export const dealText = ({ pricingDetail: { dealIndicator } }: Listing): string | undefined =>
  isGoodPriceDeal(dealIndicator) ? `${dealIndicator} Price` : undefined;
