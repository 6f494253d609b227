import type { Listing, Owner } from '@forecourt/shared-contracts/entities';
import { LISTING_TYPE_LABELS, DRIVE_LABELS } from '@forecourt/shared-contracts/entities/codes';
import { formatDollars, formatNumber, formatPrice } from '@forecourt/shared-contracts/ui';
import { inWords, placeOf } from '../vehicleWords.ts';
import { TRANSMISSION_LABELS } from '../transmissionLabels.ts';

export interface Compared {
  readonly listing: Listing;
  readonly owner: Owner;
}

export interface CompareRow {
  readonly label: string;
  /** In the order of the vehicles; '–' where it is not known. */
  readonly values: readonly string[];
  /** Do the vehicles differ? */
  readonly isDifferent: boolean;
  /** Places of the best values, where one is better than another: none when all are alike. */
  readonly best: readonly number[];
}

const UNKNOWN = '–';

interface Definition {
  readonly label: string;
  readonly text: (vehicle: Compared) => string | undefined;
  /** What is better: less or more of this number. */
  readonly better?: { readonly is: 'less' | 'more'; readonly of: (vehicle: Compared) => number | undefined };
}

const labelled = (labels: Readonly<Record<string, string>>, code: string | undefined) =>
  code === undefined ? undefined : (labels[code] ?? code);

/** The rows of the comparison in their order (AMB-123), and what else helps to choose. */
const ROWS: readonly Definition[] = [
  {
    label: 'Price',
    text: ({ listing }) => formatPrice(listing.pricingDetail.derivedPrice),
    better: { is: 'less', of: ({ listing }) => listing.pricingDetail.derivedPrice },
  },
  {
    label: 'Monthly payment',
    text: ({ listing: { pricingDetail } }) =>
      pricingDetail.payments && `${formatDollars(pricingDetail.payments.monthly)} estimated`,
    better: { is: 'less', of: ({ listing }) => listing.pricingDetail.payments?.monthly },
  },
  { label: 'Condition', text: ({ listing }) => LISTING_TYPE_LABELS[listing.listingType] },
  {
    label: 'Year',
    text: ({ listing }) => String(listing.year),
    better: { is: 'more', of: ({ listing }) => listing.year },
  },
  {
    label: 'Mileage',
    text: ({ listing }) => listing.mileage && `${formatNumber(listing.mileage.value)} mi`,
    better: { is: 'less', of: ({ listing }) => listing.mileage?.value },
  },
  {
    label: 'MPG',
    text: ({ listing: { specifications } }) =>
      specifications.mpg === undefined ? undefined : formatNumber(specifications.mpg),
    better: { is: 'more', of: ({ listing }) => listing.specifications.mpg },
  },
  {
    label: 'Electric range',
    text: ({ listing: { specifications } }) =>
      specifications.mileRange === undefined ? undefined : `${formatNumber(specifications.mileRange)} mi`,
    better: { is: 'more', of: ({ listing }) => listing.specifications.mileRange },
  },
  { label: 'Drive', text: ({ listing }) => labelled(DRIVE_LABELS, listing.driveType) },
  { label: 'Engine', text: ({ listing }) => listing.engine.name ?? listing.specifications.engine },
  {
    label: 'Transmission',
    text: ({ listing }) => labelled(TRANSMISSION_LABELS, listing.specifications.transmission),
  },
  { label: 'Fuel', text: ({ listing }) => listing.fuelType.name },
  {
    label: 'Doors',
    text: ({ listing }) => (listing.doors === undefined ? undefined : String(listing.doors)),
  },
  { label: 'Exterior', text: ({ listing }) => inWords(listing.color.exteriorColorSimple) },
  { label: 'Interior', text: ({ listing }) => inWords(listing.color.interiorColorSimple) },
  { label: 'Seller', text: ({ owner }) => owner.ownerName },
  { label: 'Place', text: ({ owner }) => placeOf(owner) },
];

/** Places of the best of some numbers; none where fewer than two are known or all are equal. */
function bestOf(numbers: readonly (number | undefined)[], is: 'less' | 'more'): number[] {
  const known = numbers.filter((value) => value !== undefined);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  if (known.length < 2 || least === most) return [];
  const wanted = is === 'less' ? least : most;
  return numbers.flatMap((value, at) => (value === wanted ? [at] : []));
}

/** What tells the vehicles apart, row by row; rows of which nothing is known are left out. */
export function compareRows(vehicles: readonly Compared[]): CompareRow[] {
  return ROWS.flatMap(({ label, text, better }) => {
    const values = vehicles.map((vehicle) => text(vehicle) ?? UNKNOWN);
    if (values.every((value) => value === UNKNOWN)) return [];
    return [
      {
        label,
        values,
        isDifferent: new Set(values).size > 1,
        best: better ? bestOf(vehicles.map(better.of), better.is) : [],
      },
    ];
  });
}
