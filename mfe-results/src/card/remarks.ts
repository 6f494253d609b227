import type { Listing } from '@forecourt/shared-contracts/entities';
import { formatDollars, formatNumber } from '@forecourt/shared-contracts/ui';

/** Reason why a highlighted listing should be looked at soon; unknown kinds say nothing (AMB-035). */
export function urgencyText({ vehicleHighlight }: Listing): string | undefined {
  const value = vehicleHighlight?.urgencyDriverValue;
  if (!vehicleHighlight?.isVehicleHighlight || value === undefined) return undefined;
  switch (vehicleHighlight.urgencyDriverType) {
    case 'PRICE_DROP':
      return `Price dropped ${formatDollars(value)}`;
    case 'HIGH_INTEREST':
      return `${formatNumber(value)} shoppers are looking`;
    case 'NEW_LISTING':
      return value === 0
        ? 'Listed today'
        : `Listed ${formatNumber(value)} ${value === 1 ? 'day' : 'days'} ago`;
    default:
      return undefined;
  }
}

/** The short remarks between price and facts, most telling first (A3-LISTING-06, A3-LISTING-07). */
export function remarks(listing: Listing): readonly string[] {
  return [
    urgencyText(listing),
    listing.isHot ? 'In demand' : undefined,
    listing.hasSpecialOffer ? 'Special offer' : undefined,
  ].filter((remark): remark is string => remark !== undefined);
}
