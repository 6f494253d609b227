import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { DRIVE_LABELS, LISTING_TYPE_LABELS } from '@forecourt/shared-contracts/entities/codes';
import { formatNumber } from '@forecourt/shared-contracts/ui';
import { TRANSMISSION_LABELS } from './transmissionLabels.ts';

const labelled = (labels: Readonly<Record<string, string>>, code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(labels, code) ? labels[code] : code;

/** 'BLUE' → 'Blue', 'DARK_RED' → 'Dark red': colour codes are their own names. */
export const inWords = (code: string | undefined): string | undefined =>
  code ? code.charAt(0).toUpperCase() + code.slice(1).toLowerCase().replaceAll('_', ' ') : undefined;

export const placeOf = (owner: Owner | undefined): string | undefined =>
  [owner?.location?.address.city, owner?.location?.address.state].filter(Boolean).join(', ') || undefined;

/** Miles a gallon as they are said of a fuel: combined, else city and highway. */
function economyOf({ specifications, mpgCity, mpgHighway }: Listing): string | undefined {
  const { mpg } = specifications;
  const parts =
    mpgCity !== undefined && mpgHighway !== undefined ? `${mpgCity} city, ${mpgHighway} highway` : undefined;
  if (mpg === undefined) return parts && `${parts} mpg`;
  return parts ? `${formatNumber(mpg)} mpg combined (${parts})` : `${formatNumber(mpg)} mpg`;
}

/** What is known of a vehicle, in the order in which shoppers ask; what is not known is missing. */
export function factsOf(listing: Listing): readonly (readonly [name: string, value: string])[] {
  const { specifications, mileage, color, fuelType, listingType } = listing;
  const rows: (readonly [string, string | undefined])[] = [
    ['Condition', LISTING_TYPE_LABELS[listingType]],
    ['Mileage', mileage && `${formatNumber(mileage.value)} miles`],
    ['Body style', listing.bodyStyles.map(({ name }) => name).join(', ')],
    ['Engine', listing.engine.name ?? specifications.engine],
    ['Drive', labelled(DRIVE_LABELS, listing.driveType)],
    ['Transmission', labelled(TRANSMISSION_LABELS, specifications.transmission)],
    ['Fuel', fuelType.name],
    ['Fuel economy', economyOf(listing)],
    [
      'Electric range',
      specifications.mileRange === undefined ? undefined : `${formatNumber(specifications.mileRange)} miles`,
    ],
    ['Exterior', inWords(color.exteriorColorSimple)],
    ['Interior', inWords(color.interiorColorSimple)],
    ['Doors', listing.doors === undefined ? undefined : String(listing.doors)],
    ['Bed', inWords(listing.truckBedLength)],
    ['VIN', listing.vin],
  ];
  return rows.filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== '');
}

/** 'tel:+13125550100' of a US number in any usual writing. */
export function telUrl(phone: string): string {
  const digits = phone.replace(/\D/g, '');
  return `tel:+${digits.length === 10 ? `1${digits}` : digits}`;
}

/** Only web pages are linked: the address is the seller's own text. */
export const webUrl = (href: string | undefined): string | undefined =>
  href !== undefined && /^https?:\/\//i.test(href) && URL.canParse(href) ? href : undefined;
