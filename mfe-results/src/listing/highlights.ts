import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { formatDollars, formatNumber } from '@forecourt/shared-contracts/ui';
import { MAX_CERTIFIED_TILES } from '../constants.ts';

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

type ProductTile = Listing['productTiles'][number];

/** The tiles of a card: of the CERTIFIED ones two at most (B9-MISC-01, AMB-036). */
export function shownTiles(tiles: readonly ProductTile[]): readonly ProductTile[] {
  let certified = 0;
  return tiles.filter(({ tileType }) => tileType !== 'CERTIFIED' || ++certified <= MAX_CERTIFIED_TILES);
}

const TILE_LABELS: Readonly<Record<string, string>> = {
  ONE_OWNER: 'One owner',
  NO_ACCIDENTS: 'No accidents reported',
  TOP_RATED: 'Top rated dealer',
  HOME_DELIVERY: 'Home delivery',
};

/** What a tile's picture says. */
export const tileText = ({ tileType, tileSubType = '' }: ProductTile): string =>
  tileType === 'CERTIFIED'
    ? 'Certified program'
    : (TILE_LABELS[tileSubType] ?? tileSubType.replaceAll('_', ' ').toLowerCase());

/** Words of the services at home (AMB-087); a code that is not known is left out. */
const SERVICE_LABELS: Readonly<Record<string, string>> = {
  BUY_ONLINE: 'Buy online',
  HOME_DELIVERY: 'Home delivery',
  TEST_DRIVE: 'Test drive at home',
  VIRTUAL_WALKAROUND: 'Virtual walkaround',
};

/**
 * 'Home delivery · Buy online': what the dealer does at the shopper's home,
 * shipping first, without what is `said` already; undefined for nothing.
 */
export function serviceText(
  owner: Pick<Owner, 'homeServices' | 'shippingLabel'> | undefined,
  said: readonly string[] = [],
): string | undefined {
  const known = new Set(said.map((words) => words.toLowerCase()));
  const services = [owner?.shippingLabel, ...(owner?.homeServices ?? []).map((code) => SERVICE_LABELS[code])];
  const fresh = services.filter((words): words is string => {
    const key = words?.toLowerCase();
    return key !== undefined && known.size !== known.add(key).size;
  });
  return fresh.join(' · ') || undefined;
}
