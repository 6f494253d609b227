import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { formatDollars, formatNumber } from '@forecourt/shared-contracts/rules';
import { MAX_CERTIFIED_TILES } from '../constants.ts';

/** Why a highlighted listing is urgent; undefined for unknown reasons (AMB-035). */
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

/** Short remarks between price and facts, most important first (A3-LISTING-06, A3-LISTING-07). */
export function remarks(listing: Listing): readonly string[] {
  return [
    urgencyText(listing),
    listing.isHot ? 'In demand' : undefined,
    listing.hasSpecialOffer ? 'Special offer' : undefined,
  ].filter((remark): remark is string => remark !== undefined);
}

type ProductTile = Listing['productTiles'][number];

/** A card's product tiles, at most two of them CERTIFIED (B9-MISC-01, AMB-036). */
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

/** Text alternative of a tile. */
export const tileText = ({ tileType, tileSubType = '' }: ProductTile): string =>
  tileType === 'CERTIFIED'
    ? 'Certified program'
    : (TILE_LABELS[tileSubType] ?? tileSubType.replaceAll('_', ' ').toLowerCase());

/** Labels of home services (AMB-087); unknown codes are omitted. */
const SERVICE_LABELS: Readonly<Record<string, string>> = {
  BUY_ONLINE: 'Buy online',
  HOME_DELIVERY: 'Home delivery',
  TEST_DRIVE: 'Test drive at home',
  VIRTUAL_WALKAROUND: 'Virtual walkaround',
};

/** 'Home delivery · Buy online': the dealer's home services, shipping first, without the labels in `shown`. */
export function serviceText(
  owner: Pick<Owner, 'homeServices' | 'shippingLabel'> | undefined,
  shown: readonly string[] = [],
): string | undefined {
  const usedLabels = new Set(shown.map((label) => label.toLowerCase()));
  const services = [owner?.shippingLabel, ...(owner?.homeServices ?? []).map((code) => SERVICE_LABELS[code])];
  const newLabels = services.filter((label): label is string => {
    const key = label?.toLowerCase();
    return key !== undefined && usedLabels.size !== usedLabels.add(key).size;
  });
  return newLabels.join(' · ') || undefined;
}
