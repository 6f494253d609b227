import type { BrowsingHistory } from '../callTypes.ts';
import type { Listing } from '@forecourt/shared-contracts/entities';
import {
  BROWSING_HISTORY_REFETCH_MS,
  STILL_INTERESTED_VEHICLES,
  STILL_INTERESTED_VIEWS_OVER,
  FIXED_AD_SIZES,
  STILL_INTERESTED_BOTTOMS,
} from '../constants.ts';
import { isGoodPriceDeal } from '../listing/price.ts';
import { formatNumber } from '@forecourt/shared-contracts/rules';
export type ViewedVehicle = BrowsingHistory['vehicles'][number];

/**
 * Whether the history may be fetched again; times in ms, `last` undefined before the first fetch
 * (A4-FLOW-06).
 */
export const isFetchDue = (last: number | undefined, now: number): boolean =>
  last === undefined || now - last >= BROWSING_HISTORY_REFETCH_MS;

/**
 * Candidates for the alert: of the last ten viewed vehicles, those neither opened in this session nor
 * dismissed (B9-STILL-01, AMB-145, AMB-032).
 */
export function alertCandidates(
  vehicles: readonly ViewedVehicle[],
  { viewed, dismissed }: { readonly viewed: readonly string[]; readonly dismissed: readonly string[] },
): readonly ViewedVehicle[] {
  const excludedIds = new Set([...viewed, ...dismissed]);
  return [...vehicles]
    .sort((one, other) => other.viewedAt - one.viewedAt)
    .slice(0, STILL_INTERESTED_VEHICLES)
    .filter(({ listingId }) => !excludedIds.has(listingId));
}

export type Reason = 'reducedPrice' | 'viewers' | 'deal' | 'interested';

type AlertListing = Pick<Listing, 'isReducedPrice' | 'pricingDetail'>;

/** The first reason that applies (B4-ALERT-04..07); `views` are those of the last 7 days. */
export function reasonFor({ isReducedPrice, pricingDetail }: AlertListing, views: number): Reason {
  if (isReducedPrice) return 'reducedPrice';
  if (views > STILL_INTERESTED_VIEWS_OVER) return 'viewers';
  return isGoodPriceDeal(pricingDetail.dealIndicator) ? 'deal' : 'interested';
}

export function reasonText(reason: Reason, { pricingDetail }: AlertListing, views: number): string {
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

/** px between the viewport's bottom and the alert, above a fixed ad of `adHeight` px (B9-STILL-04, AMB-146). */
export function alertBottom(adHeight: number): number {
  if (adHeight === 0) return STILL_INTERESTED_BOTTOMS.noAd;
  return adHeight <= FIXED_AD_SIZES.small[1] ? STILL_INTERESTED_BOTTOMS.smallAd : STILL_INTERESTED_BOTTOMS.ad;
}
