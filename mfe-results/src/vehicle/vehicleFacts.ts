import type { Filter, Listing } from '@forecourt/shared-contracts/entities';
import { formatNumber } from '@forecourt/shared-contracts/rules';
import { LISTING_TYPE_LABELS } from '@forecourt/shared-contracts/entities/codes';
import { codeInWords, driveText, labelOf, TRANSMISSION_LABELS } from '../listing/facts.ts';

/** Combined mileage, with city and highway where both are known. */
function fuelEconomy({ specifications, mpgCity, mpgHighway }: Listing): string | undefined {
  const { mpg } = specifications;
  const parts =
    mpgCity !== undefined && mpgHighway !== undefined ? `${mpgCity} city, ${mpgHighway} highway` : undefined;
  if (mpg === undefined) return parts && `${parts} mpg`;
  return parts ? `${formatNumber(mpg)} mpg combined (${parts})` : `${formatNumber(mpg)} mpg`;
}

/** The known facts of a vehicle, in display order. */
export function factSheet(listing: Listing): readonly (readonly [name: string, value: string])[] {
  const { specifications, mileage, color, fuelType, listingType } = listing;
  const rows: (readonly [string, string | undefined])[] = [
    ['Condition', LISTING_TYPE_LABELS[listingType]],
    ['Mileage', mileage && `${formatNumber(mileage.value)} miles`],
    ['Body style', listing.bodyStyles.map(({ name }) => name).join(', ')],
    ['Engine', listing.engine.name ?? specifications.engine],
    ['Drive', driveText(listing)],
    ['Transmission', labelOf(TRANSMISSION_LABELS, specifications.transmission)],
    ['Fuel', fuelType.name],
    ['Fuel economy', fuelEconomy(listing)],
    [
      'Electric range',
      specifications.mileRange === undefined ? undefined : `${formatNumber(specifications.mileRange)} miles`,
    ],
    ['Exterior', codeInWords(color.exteriorColorSimple)],
    ['Interior', codeInWords(color.interiorColorSimple)],
    ['Doors', listing.doors === undefined ? undefined : String(listing.doors)],
    ['Bed', codeInWords(listing.truckBedLength)],
    ['VIN', listing.vin],
  ];
  return rows.filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== '');
}

const ACRONYM = /^(abs|aeb|awd|led|usb|gps)$/i;

/** 'HEATED_SEATS' → 'Heated seats'. */
function featureInWords(code: string): string {
  const text = code.replaceAll(/[_-]+/g, ' ').toLowerCase();
  return ACRONYM.test(text) ? text.toUpperCase() : text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Names features by the labels of the search's filters; a feature without a filter gets its code in words.
 */
export function featureNames(codes: readonly string[], filters: readonly Filter[] | undefined): string[] {
  const labels = new Map(
    (filters ?? [])
      .filter(({ name }) => name === 'featureCode')
      .flatMap(({ options }) => options.map(({ value, label }) => [value, label] as const)),
  );
  return codes.map((code) => labels.get(code) ?? featureInWords(code));
}
