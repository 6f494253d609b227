import type { Listing } from '@forecourt/shared-contracts/entities';
import { isGoodPriceDeal } from '@forecourt/shared-contracts/rules';
import { formatNumber } from '@forecourt/shared-contracts/ui';
import { STILL_INTERESTED_VIEWS_OVER } from '../../constants.ts';

export type Reason = 'reducedPrice' | 'viewers' | 'deal' | 'interested';

type Judged = Pick<Listing, 'isReducedPrice' | 'pricingDetail'>;

/** Why to come back to a vehicle, the first that holds (B4-ALERT-04..07); `views` are those of the last 7 days. */
export function reasonFor({ isReducedPrice, pricingDetail }: Judged, views: number): Reason {
  if (isReducedPrice) return 'reducedPrice';
  if (views > STILL_INTERESTED_VIEWS_OVER) return 'viewers';
  return isGoodPriceDeal(pricingDetail.dealIndicator) ? 'deal' : 'interested';
}

export function reasonText(reason: Reason, { pricingDetail }: Judged, views: number): string {
  switch (reason) {
    case 'reducedPrice':
      return 'Its price was reduced';
    case 'viewers':
      return `${formatNumber(views)} people looked at it in the last 7 days`;
    case 'deal':
      return `${pricingDetail.dealIndicator} price for this vehicle`;
    case 'interested':
      return 'It is still for sale';
  }
}
