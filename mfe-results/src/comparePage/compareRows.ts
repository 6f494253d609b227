import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { formatDollars, formatNumber, formatPrice } from '@forecourt/shared-contracts/rules';
import { LISTING_TYPE_LABELS } from '@forecourt/shared-contracts/entities/codes';
import { codeInWords, driveText, labelOf, placeText, TRANSMISSION_LABELS } from '../listing/facts.ts';

export interface ComparedListing {
  readonly listing: Listing;
  readonly owner: Owner;
}

export interface ComparisonRow {
  readonly label: string;
  /** One per vehicle; '–' where unknown. */
  readonly values: readonly string[];
  readonly isDifferent: boolean;
  /** Indexes of the best values; empty when all are equal. */
  readonly best: readonly number[];
}

interface RowDefinition {
  readonly label: string;
  readonly text: (vehicle: ComparedListing) => string | undefined;
  /** Whether less or more of a number is better. */
  readonly better?: {
    readonly prefers: 'less' | 'more';
    readonly of: (vehicle: ComparedListing) => number | undefined;
  };
}

const UNKNOWN = '–';

/** The rows in display order (AMB-123). */
const ROWS: readonly RowDefinition[] = [
  {
    label: 'Price',
    text: ({ listing }) => formatPrice(listing.pricingDetail.derivedPrice),
    better: { prefers: 'less', of: ({ listing }) => listing.pricingDetail.derivedPrice },
  },
  {
    label: 'Monthly payment',
    text: ({ listing: { pricingDetail } }) =>
      pricingDetail.payments && `${formatDollars(pricingDetail.payments.monthly)} estimated`,
    better: { prefers: 'less', of: ({ listing }) => listing.pricingDetail.payments?.monthly },
  },
  { label: 'Condition', text: ({ listing }) => LISTING_TYPE_LABELS[listing.listingType] },
  {
    label: 'Year',
    text: ({ listing }) => String(listing.year),
    better: { prefers: 'more', of: ({ listing }) => listing.year },
  },
  {
    label: 'Mileage',
    text: ({ listing }) => listing.mileage && `${formatNumber(listing.mileage.value)} mi`,
    better: { prefers: 'less', of: ({ listing }) => listing.mileage?.value },
  },
  {
    label: 'MPG',
    text: ({ listing: { specifications } }) =>
      specifications.mpg === undefined ? undefined : formatNumber(specifications.mpg),
    better: { prefers: 'more', of: ({ listing }) => listing.specifications.mpg },
  },
  {
    label: 'Electric range',
    text: ({ listing: { specifications } }) =>
      specifications.mileRange === undefined ? undefined : `${formatNumber(specifications.mileRange)} mi`,
    better: { prefers: 'more', of: ({ listing }) => listing.specifications.mileRange },
  },
  { label: 'Drive', text: ({ listing }) => driveText(listing) },
  { label: 'Engine', text: ({ listing }) => listing.engine.name ?? listing.specifications.engine },
  {
    label: 'Transmission',
    text: ({ listing }) => labelOf(TRANSMISSION_LABELS, listing.specifications.transmission),
  },
  { label: 'Fuel', text: ({ listing }) => listing.fuelType.name },
  {
    label: 'Doors',
    text: ({ listing }) => (listing.doors === undefined ? undefined : String(listing.doors)),
  },
  { label: 'Exterior', text: ({ listing }) => codeInWords(listing.color.exteriorColorSimple) },
  { label: 'Interior', text: ({ listing }) => codeInWords(listing.color.interiorColorSimple) },
  { label: 'Seller', text: ({ owner }) => owner.ownerName },
  { label: 'Place', text: ({ owner }) => placeText(owner) },
];

/** Indexes of the best numbers; none when fewer than two are known or all are equal. */
function bestOf(numbers: readonly (number | undefined)[], prefers: 'less' | 'more'): number[] {
  const knownNumbers = numbers.filter((value) => value !== undefined);
  const [min, max] = [Math.min(...knownNumbers), Math.max(...knownNumbers)];
  if (knownNumbers.length < 2 || min === max) return [];
  const best = prefers === 'less' ? min : max;
  return numbers.flatMap((value, at) => (value === best ? [at] : []));
}

/** The rows of the comparison, without rows that are unknown for all vehicles. */
export function comparisonRows(vehicles: readonly ComparedListing[]): ComparisonRow[] {
  return ROWS.flatMap(({ label, text, better }) => {
    const values = vehicles.map((vehicle) => text(vehicle) ?? UNKNOWN);
    if (values.every((value) => value === UNKNOWN)) return [];
    return [
      {
        label,
        values,
        isDifferent: new Set(values).size > 1,
        best: better ? bestOf(vehicles.map(better.of), better.prefers) : [],
      },
    ];
  });
}
