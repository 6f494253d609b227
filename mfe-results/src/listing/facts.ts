import { formatNumber, formatPlace } from '@forecourt/search/format';
import type { Listing, Owner } from '@forecourt/upstream/entities';

/** Short labels of the drive codes; unknown codes are shown unchanged. */
const DRIVE_LABELS: Readonly<Record<string, string>> = {
  AWD4WD: 'AWD/4WD',
  FWD: 'FWD',
  RWD: 'RWD',
};

/**
 * Splits a title into the vehicle and its trim, which take a line each so that cards of a row align. A title
 * that does not end with the trim stays in one part.
 */
export function titleParts({ title, trim }: Pick<Listing, 'title' | 'trim'>): readonly [string, string?] {
  const end = trim && ` ${trim.name}`;
  return end && title.length > end.length && title.endsWith(end)
    ? [title.slice(0, -end.length), trim.name]
    : [title];
}

/** The title with hyphens at which no line breaks: 'F-150' stays in one piece. */
export const unbroken = (title: string): string => title.replaceAll('-', '\u2011');

/** 'mpg', or for an electric car its equivalent. */
export const economyUnit = ({ fuelTypeGroup }: Pick<Listing, 'fuelTypeGroup'>): string =>
  fuelTypeGroup === 'ELE' ? 'MPGe' : 'mpg';

/** '24 mpg', or '118 MPGe' for an electric car. */
export const economyText = (
  listing: Pick<Listing, 'fuelTypeGroup' | 'specifications'>,
): string | undefined => {
  const { mpg } = listing.specifications;
  return mpg === undefined ? undefined : `${formatNumber(mpg)} ${economyUnit(listing)}`;
};

const economy = (listing: Listing): string | undefined => {
  const { mileRange } = listing.specifications;
  if (listing.fuelTypeGroup === 'ELE' && mileRange !== undefined)
    return `${formatNumber(mileRange)} mi range`;
  return economyText(listing);
};

/** The label of a code; unknown codes are shown unchanged. */
export const labelOf = (
  labels: Readonly<Record<string, string>>,
  code: string | undefined,
): string | undefined => (code !== undefined && Object.hasOwn(labels, code) ? labels[code] : code);

/** 'DARK_RED' → 'Dark red'. Color and bed codes have no separate labels. */
export const codeInWords = (code: string | undefined): string | undefined =>
  code ? code.charAt(0).toUpperCase() + code.slice(1).toLowerCase().replaceAll('_', ' ') : undefined;

/** The VIN; undefined for a vehicle whose feed has none, which has a stand-in: no VIN starts with 0. */
export const vinOf = ({ vin }: Pick<Listing, 'vin'>): string | undefined =>
  vin.startsWith('0') ? undefined : vin;

/** 'AWD/4WD'; undefined when unknown. */
export const driveText = ({ driveType }: Listing): string | undefined => labelOf(DRIVE_LABELS, driveType);

/** The known ones of mileage, drive and economy (or electric range, or fuel): what shoppers compare first. */
export function vehicleFacts(listing: Listing): readonly string[] {
  return [
    listing.mileage && `${formatNumber(listing.mileage.value)} mi`,
    driveText(listing),
    economy(listing) ?? listing.fuelType.name,
  ].filter((fact): fact is string => !!fact);
}

/** 'Chicago, IL'. */
export const sellerPlace = (owner: Owner | undefined): string | undefined =>
  formatPlace(owner?.location?.address);

/** Seller details as text. */
export interface SellerText {
  readonly name: string;
  /** '12 mi away', 'In Chicago'. */
  readonly distance?: string;
  /** 'Chicago, IL'. */
  readonly place?: string;
  readonly rating?: { readonly value: string; readonly count: string };
}

/** '12 mi away'; less than half a mile is 'In Chicago'. */
function distanceText(miles: number | undefined, city: string | undefined): string | undefined {
  if (miles === undefined) return undefined;
  if (city && Math.round(miles) === 0) return `In ${city}`;
  return `${formatNumber(Math.round(miles))} mi away`;
}

/** Name, distance, place and rating of a listing's seller. */
export function sellerText(listing: Listing, owner: Owner | undefined): SellerText {
  const miles = owner?.distanceFromSearch ?? listing.distance;
  const place = sellerPlace(owner);
  const distance = distanceText(miles, owner?.location?.address.city);
  return {
    name: owner?.ownerName ?? listing.ownerName ?? 'Seller',
    ...(distance && { distance }),
    ...(place && { place }),
    ...(owner?.rating && {
      rating: { value: owner.rating.value.toFixed(1), count: formatNumber(owner.rating.count) },
    }),
  };
}

export const TRANSMISSION_LABELS: Readonly<Record<string, string>> = { AUT: 'Automatic', MAN: 'Manual' };

type ProductTile = Listing['productTiles'][number];

const TILE_LABELS: Readonly<Record<string, string>> = {
  ONE_OWNER: 'One owner',
  NO_ACCIDENTS: 'No accidents reported',
  TOP_RATED: 'Top rated dealer',
  HOME_DELIVERY: 'Home Delivery',
};

/** Text alternative of a tile. */
export const tileText = ({ tileType, tileSubType = '' }: ProductTile): string =>
  tileType === 'CERTIFIED'
    ? 'Certified program'
    : (TILE_LABELS[tileSubType] ?? tileSubType.replaceAll('_', ' ').toLowerCase());

/** 'One owner', 'No accidents reported': what the vehicle's history report says. */
export const historyTexts = ({ productTiles }: Pick<Listing, 'productTiles'>): readonly string[] =>
  productTiles.filter(({ tileType }) => tileType === 'HISTORY').map(tileText);

/** Labels of home services; unknown codes are omitted. */
const SERVICE_LABELS: Readonly<Record<string, string>> = {
  BUY_ONLINE: 'Buy Online',
  HOME_DELIVERY: 'Home Delivery',
  TEST_DRIVE: 'Test Drive at Home',
  VIRTUAL_WALKAROUND: 'Virtual Walkaround',
};

/** 'Home Delivery · Buy Online': the dealer's home services, shipping first, without the labels in `shown`. */
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

/** What shoppers ask first, in display order: '27,876 mi', 'One owner', '30 mpg', '5 seats', '6 mi away'. */
export function keyFacts(listing: Listing, owner: Owner): readonly string[] {
  const { mileage, seats } = listing;
  return [
    mileage && `${formatNumber(mileage.value)} mi`,
    ...historyTexts(listing),
    economy(listing) ?? listing.fuelType.name,
    driveText(listing),
    seats && `${seats} seats`,
    sellerText(listing, owner).distance,
  ].filter((fact): fact is string => !!fact);
}

export type Picture = Listing['images']['sources'][number];

/** A listing's primary picture, else its first. */
export const primaryPicture = ({ images: { sources, primary } }: Listing): Picture | undefined =>
  sources[primary] ?? sources[0];

/** The primary picture first. */
export function orderedPictures(listing: Listing): readonly Picture[] {
  const first = primaryPicture(listing);
  return first ? [first, ...listing.images.sources.filter((picture) => picture !== first)] : [];
}

/** Attributes by which the browser chooses a variant for its width; none for a drawing, which has one. */
export function variantsOf({ src, widths }: Picture, sizes: string): { srcSet?: string; sizes?: string } {
  if (!widths || widths.length < 2) return {};
  const base = src.replace(/\d+$/, '');
  return { srcSet: widths.map((width) => `${base}${width} ${width}w`).join(', '), sizes };
}
