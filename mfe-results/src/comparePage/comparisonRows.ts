import { formatNumber } from '@forecourt/search/format';
import { formatPrice, paymentText } from '@forecourt/search/payments';
import { LISTING_TYPE_LABELS } from '@forecourt/upstream/codes';
import type { Listing, Owner } from '@forecourt/upstream/entities';
import {
  codeInWords,
  driveText,
  economyText,
  historyTexts,
  labelOf,
  sellerPlace,
  TRANSMISSION_LABELS,
} from '../listing/facts.ts';
import { dealText, marketDifference, monthlyOf, priceAgainstMarket, type Terms } from '../listing/price.ts';

export interface ComparedListing {
  readonly listing: Listing;
  readonly owner: Owner;
  /** Names of its features. */
  readonly features: readonly string[];
}

export interface ComparisonRow {
  readonly label: string;
  /** One per vehicle; '–' where unknown. Of a feature, `HAS_FEATURE` or '–'. */
  readonly values: readonly string[];
  readonly isDifferent: boolean;
  /** Indexes of the best values; empty when all are equal. */
  readonly best: readonly number[];
}

interface RowDefinition {
  readonly label: string;
  readonly text: (vehicle: ComparedListing, terms: Terms | undefined) => string | undefined;
  /** Whether less or more of a number is better. */
  readonly better?: {
    readonly prefers: 'less' | 'more';
    readonly of: (vehicle: ComparedListing, terms: Terms | undefined) => number | undefined;
  };
}

export const UNKNOWN = '–';

/** The rows in display order. */
const ROWS: readonly RowDefinition[] = [
  {
    label: 'Price',
    text: ({ listing }) => formatPrice(listing.pricingDetail.derivedPrice),
    better: { prefers: 'less', of: ({ listing }) => listing.pricingDetail.derivedPrice },
  },
  {
    // One row: the market says more than a label, and may say something else.
    label: 'Deal',
    text: ({ listing }) => priceAgainstMarket(listing) ?? dealText(listing),
    better: { prefers: 'more', of: ({ listing }) => marketDifference(listing) },
  },
  {
    label: 'Monthly payment',
    text: ({ listing }, terms) => {
      const monthly = monthlyOf(listing.pricingDetail, terms);
      if (monthly === undefined) return undefined;
      return monthly === 0 ? paymentText(monthly) : `${paymentText(monthly)} est.`;
    },
    better: { prefers: 'less', of: ({ listing }, terms) => monthlyOf(listing.pricingDetail, terms) },
  },
  { label: 'Condition', text: ({ listing }) => LISTING_TYPE_LABELS[listing.listingType] },
  {
    label: 'Year',
    text: ({ listing }) => String(listing.year),
    better: { prefers: 'more', of: ({ listing }) => listing.year },
  },
  { label: 'Trim', text: ({ listing }) => listing.trim?.name },
  {
    label: 'Mileage',
    text: ({ listing }) => listing.mileage && `${formatNumber(listing.mileage.value)} mi`,
    better: { prefers: 'less', of: ({ listing }) => listing.mileage?.value },
  },
  { label: 'History', text: ({ listing }) => historyTexts(listing).join(', ') || undefined },
  {
    label: 'Economy',
    text: ({ listing }) => economyText(listing),
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
  { label: 'Fuel', text: ({ listing }) => listing.fuelType.name || undefined },
  {
    label: 'Doors',
    text: ({ listing }) => (listing.doors === undefined ? undefined : String(listing.doors)),
  },
  { label: 'Exterior', text: ({ listing }) => codeInWords(listing.color.exteriorColorSimple) },
  { label: 'Interior', text: ({ listing }) => codeInWords(listing.color.interiorColorSimple) },
  { label: 'Seller', text: ({ owner }) => owner.ownerName },
  { label: 'Location', text: ({ owner }) => sellerPlace(owner) },
];

/** Indexes of the best numbers; none when fewer than two are known or all are equal. */
function bestOf(numbers: readonly (number | undefined)[], prefers: 'less' | 'more'): number[] {
  const knownNumbers = numbers.filter((value) => value !== undefined);
  const [min, max] = [Math.min(...knownNumbers), Math.max(...knownNumbers)];
  if (knownNumbers.length < 2 || min === max) return [];
  const best = prefers === 'less' ? min : max;
  return numbers.flatMap((value, at) => (value === best ? [at] : []));
}

/** The rows of the comparison, without rows that are unknown for all vehicles; payments are by the visitor's terms. */
export function comparisonRows(vehicles: readonly ComparedListing[], terms?: Terms): ComparisonRow[] {
  return ROWS.flatMap(({ label, text, better }) => {
    const values = vehicles.map((vehicle) => text(vehicle, terms) ?? UNKNOWN);
    if (values.every((value) => value === UNKNOWN)) return [];
    return [
      {
        label,
        values,
        isDifferent: new Set(values).size > 1,
        best: better
          ? bestOf(
              vehicles.map((vehicle) => better.of(vehicle, terms)),
              better.prefers,
            )
          : [],
      },
    ];
  });
}

export const HAS_FEATURE = '✓';

/** A row for each feature that a vehicle has; those that not all have come first. */
export function featureRows(vehicles: readonly ComparedListing[]): ComparisonRow[] {
  const names = [...new Set(vehicles.flatMap(({ features }) => features))];
  return names
    .map((label): ComparisonRow => {
      const values = vehicles.map(({ features }) => (features.includes(label) ? HAS_FEATURE : UNKNOWN));
      return { label, values, isDifferent: new Set(values).size > 1, best: [] };
    })
    .sort((one, other) => Number(other.isDifferent) - Number(one.isDifferent));
}
