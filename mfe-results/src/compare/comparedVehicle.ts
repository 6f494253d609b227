import { formatNumber } from '@forecourt/search/format';
import { formatPrice } from '@forecourt/search/payments';
import { detailUrl } from '@forecourt/search/url';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import { driveText, economyText, sellerText, primaryPicture } from '../listing/facts.ts';
import { COMPARE_CAPACITY } from '../constants.ts';

/** The rows in display order. */
export const COMPARE_ROWS = [
  ['price', 'Price'],
  ['mileage', 'Mileage'],
  ['economy', 'Economy'],
  ['drive', 'Drive'],
  ['engine', 'Engine'],
  ['doors', 'Doors'],
  ['colors', 'Colors'],
  ['seller', 'Seller'],
  ['distance', 'Distance'],
] as const;
export type CompareRow = (typeof COMPARE_ROWS)[number][0];

/** Text snapshot of a listing, which outlives the search that found it. */
export interface ComparedVehicle {
  readonly id: string;
  readonly title: string;
  readonly href: string;
  readonly picture?: { readonly src: string; readonly alt: string };
  /** Unknown rows are missing. */
  readonly rows: Readonly<Partial<Record<CompareRow, string>>>;
}

const capitalize = (color: string | undefined) =>
  color && color.charAt(0).toUpperCase() + color.slice(1).toLowerCase();

function colors({ color }: Listing): string | undefined {
  const exterior = capitalize(color.exteriorColorSimple);
  const interior = capitalize(color.interiorColorSimple);
  return exterior && interior
    ? `${exterior} exterior, ${interior.toLowerCase()} interior`
    : (exterior ?? interior);
}

/** '118 MPGe · 327 mi range'. */
function economy(listing: Listing): string | undefined {
  const { mileRange } = listing.specifications;
  const range = mileRange === undefined ? undefined : `${formatNumber(mileRange)} mi range`;
  return [economyText(listing), range].filter(Boolean).join(' · ') || undefined;
}

export function comparedVehicle(listing: Listing, owner: Owner | undefined): ComparedVehicle {
  const seller = sellerText(listing, owner);
  const picture = primaryPicture(listing);
  const rows = {
    price: formatPrice(listing.pricingDetail.derivedPrice),
    mileage: listing.mileage && `${formatNumber(listing.mileage.value)} mi`,
    economy: economy(listing),
    drive: driveText(listing),
    engine: listing.engine.name ?? listing.specifications.engine,
    doors: listing.doors === undefined ? undefined : String(listing.doors),
    colors: colors(listing),
    seller: seller.name,
    distance: seller.distance,
  } satisfies Record<CompareRow, string | undefined>;
  return {
    id: listing.id,
    title: listing.title,
    href: detailUrl(listing, 'compare'),
    ...(picture && { picture }),
    rows: Object.fromEntries(Object.entries(rows).filter(([, text]) => text)),
  };
}

/** Whether the vehicles differ in a row; unknown differs from known. */
export const differs = (vehicles: readonly ComparedVehicle[], row: CompareRow): boolean =>
  new Set(vehicles.map(({ rows }) => rows[row])).size > 1;

/** The comparison page. */
export const COMPARE_PATH = '/cars-for-sale/compare';

/** Link to the comparison of these listings, at most five. */
export function compareUrl(ids: readonly string[]): string {
  const comparedListingIds = ids.slice(0, COMPARE_CAPACITY);
  return comparedListingIds.length === 0
    ? COMPARE_PATH
    : `${COMPARE_PATH}?listingIds=${comparedListingIds.map(encodeURIComponent).join(',')}`;
}
