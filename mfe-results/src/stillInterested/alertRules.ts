import type { BrowsingHistory } from '../callTypes.ts';
import type { Listing } from '@forecourt/shared-contracts/entities';
import {
  BROWSING_HISTORY_REFETCH_MS,
  STILL_INTERESTED_VEHICLES,
  STILL_INTERESTED_VIEWS_OVER,
  FIXED_AD_SIZES,
  STILL_INTERESTED_BOTTOMS,
} from '../constants.ts';
import { isGoodPriceDeal } from '@forecourt/shared-contracts/rules';
import { formatNumber } from '@forecourt/shared-contracts/rules';
export type SeenVehicle = BrowsingHistory['vehicles'][number];

/** May the history be fetched again? Times in ms; `last` undefined = never fetched (A4-FLOW-06). */
export const isFetchDue = (last: number | undefined, now: number): boolean =>
  last === undefined || now - last >= BROWSING_HISTORY_REFETCH_MS;

/**
 * Vehicles to come back to: of the ten that were looked at last, those not
 * opened in this session and not dismissed (B9-STILL-01, AMB-145, AMB-032).
 */
export function alertCandidates(
  vehicles: readonly SeenVehicle[],
  { viewed, dismissed }: { readonly viewed: readonly string[]; readonly dismissed: readonly string[] },
): readonly SeenVehicle[] {
  const left = new Set([...viewed, ...dismissed]);
  return [...vehicles]
    .sort((one, other) => other.viewedAt - one.viewedAt)
    .slice(0, STILL_INTERESTED_VEHICLES)
    .filter(({ listingId }) => !left.has(listingId));
}

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

/** px between the viewport's bottom and the alert, above a fixed ad of `adHeight` px; 0 = none (B9-STILL-04, AMB-146). */
export function alertBottom(adHeight: number): number {
  if (adHeight === 0) return STILL_INTERESTED_BOTTOMS.noAd;
  return adHeight <= FIXED_AD_SIZES.small[1] ? STILL_INTERESTED_BOTTOMS.smallAd : STILL_INTERESTED_BOTTOMS.ad;
}
