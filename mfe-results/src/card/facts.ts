import { DRIVE_LABELS } from '@forecourt/shared-contracts/entities/codes';
import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { formatNumber } from '@forecourt/shared-contracts/ui';

const economy = ({ specifications, fuelTypeGroup }: Listing): string | undefined => {
  const { mileRange, mpg } = specifications;
  if (fuelTypeGroup === 'ELE' && mileRange !== undefined) return `${formatNumber(mileRange)} mi range`;
  return mpg === undefined ? undefined : `${formatNumber(mpg)} mpg`;
};

/** 'AWD/4WD'; undefined when the drive is not known. */
export const driveText = ({ driveType }: Listing): string | undefined =>
  driveType && (DRIVE_LABELS[driveType] ?? driveType);

/** Mileage, drive, fuel and economy (or electric range), as far as they are known. */
export function vehicleFacts(listing: Listing): readonly string[] {
  return [
    listing.mileage && `${formatNumber(listing.mileage.value)} mi`,
    driveText(listing),
    listing.fuelType.name,
    economy(listing),
  ].filter((fact): fact is string => !!fact);
}

/** What a card says about the seller. */
export interface SellerText {
  readonly name: string;
  /** '12 mi away'. */
  readonly distance?: string;
  /** 'Chicago, IL'. */
  readonly place?: string;
  readonly rating?: { readonly value: string; readonly count: string };
}

/** Name, distance, place and rating of a listing's seller. */
export function sellerText(listing: Listing, owner: Owner | undefined): SellerText {
  const miles = owner?.distanceFromSearch ?? listing.distance;
  const { city, state } = owner?.location?.address ?? {};
  const place = [city, state].filter(Boolean).join(', ');
  return {
    name: owner?.ownerName ?? listing.ownerName ?? 'Seller',
    ...(miles !== undefined && { distance: `${formatNumber(Math.round(miles))} mi away` }),
    ...(place && { place }),
    ...(owner?.rating && {
      rating: { value: owner.rating.value.toFixed(1), count: formatNumber(owner.rating.count) },
    }),
  };
}
