import type { Listing, Owner } from '@forecourt/upstream/entities';
import type { Chip } from '../catalog/chips.ts';
import type { FilterParam } from '../criteria/criteria.ts';
import { readPaymentLimit } from '../criteria/paymentFilter.ts';
import { monthlyPayment } from '../payments/loan.ts';
import { derivedPrice } from '../payments/price.ts';

/** A chip, or all chips of one filter, that a listing does not meet. */
type MissingCriterion = Pick<Chip, 'key' | 'label' | 'section' | 'values'>;

type Seller = Pick<Owner, 'privateSeller' | 'homeServices'>;
type Texts = readonly (string | undefined)[];

/** Compares 'AWD/4WD' and 'AWD4WD' as equal. */
const normalize = (text: string) => text.toUpperCase().replace(/[^A-Z0-9|]/g, '');

const DEALS: Readonly<Record<string, string>> = { Great: 'greatprice', Good: 'goodprice' };

/** A listing's own values for a filter; an empty list is an unknown value. */
const LISTED: Partial<Record<FilterParam, (listing: Listing, owner: Seller | undefined) => Texts>> = {
  listingType: (listing) => [listing.listingType],
  driveGroup: (listing) => [listing.driveType, listing.specifications.driveType],
  vehicleStyleCode: (listing) => [
    ...listing.vehicleStyleCodes,
    ...listing.bodyStyles.map(({ code }) => code),
  ],
  fuelTypeGroup: (listing) => [listing.fuelTypeGroup || undefined],
  makeCode: (listing) => [listing.makeCode],
  modelCode: (listing) => [listing.modelCode],
  trimCode: ({ trim, modelCode }) => [trim?.code, trim && `${modelCode}|${trim.code}`],
  extColorSimple: (listing) => [listing.color.exteriorColorSimple],
  intColorSimple: (listing) => [listing.color.interiorColorSimple],
  transmissionCode: (listing) => [listing.specifications.transmission],
  engineDisplacement: (listing) => [listing.displacementUOM],
  engineCode: (listing) => [listing.engine.code, listing.engine.name],
  featureCode: (listing) => listing.features,
  dealType: ({ pricingDetail }) => [pricingDetail.dealIndicator && DEALS[pricingDetail.dealIndicator]],
  doorCode: ({ doors }) => [doors === undefined ? undefined : String(doors)],
  sellerType: (_, owner) => [owner && (owner.privateSeller ? 'p' : 'd')],
  homeServices: (_, owner) => owner?.homeServices ?? [],
  truckBedLength: (listing) => [listing.truckBedLength],
};

/** Whether a known number is below or above the bound; an unknown one never is (AMB-131). */
const isBelow = (value: number | undefined, bound: number) => value !== undefined && value < bound;
const isAbove = (value: number | undefined, bound: number) => value !== undefined && value > bound;

const isOutside = (value: number | undefined, { min, max }: NonNullable<Chip['range']>) =>
  (min !== undefined && isBelow(value, min)) || (max !== undefined && isAbove(value, max));

function failsPayment(price: number | undefined, value: string): boolean {
  const limit = readPaymentLimit(value);
  return limit !== undefined && price !== undefined && monthlyPayment(price, limit.terms) > limit.max;
}

function failsNumber(listing: Listing, chip: Chip): boolean | undefined {
  const bound = Number.parseInt(chip.values[0] ?? '', 10);
  switch (chip.section) {
    case 'yearRange':
      return isOutside(listing.year, chip.range ?? {});
    case 'priceRange':
      return isOutside(derivedPrice(listing.pricingDetail), chip.range ?? {});
    case 'monthlyPayment':
      return failsPayment(derivedPrice(listing.pricingDetail), chip.values[0] ?? '');
    case 'mileage':
      return isAbove(listing.mileage?.value, bound);
    case 'mpgRange':
      return isBelow(listing.specifications.mpg ?? listing.mpgHighway, bound);
    case 'electricMileRange':
      return isBelow(listing.specifications.mileRange, bound);
    default:
      return undefined;
  }
}

/** All values of a listing for a chip's filter: from its own fields and from the upstream's filter values. */
const valuesFor = ({ param }: Chip, listing: Listing, owner: Seller | undefined): Texts =>
  param ? [...(LISTED[param]?.(listing, owner) ?? []), ...(listing.filterCodes?.[param] ?? [])] : [];

function isMet(listed: Texts, chip: Chip): boolean {
  const normalizedValues = listed.filter((text) => text !== undefined).map(normalize);
  return [...chip.values, chip.label].some((text) => normalizedValues.includes(normalize(text)));
}

/** Never compared: they describe the search, not the vehicle (AMB-131). */
const NOT_COMPARED = ['marketExtension', 'area', 'keyword'];

/**
 * The selected chips that a showcased listing doesn't meet, in chip order. Several
 * values of one filter are alternatives and make one entry; every missing feature makes its own. An unknown
 * value doesn't meet a chip, except for ranges, mileage, fuel economy and price.
 */
export function missingCriteria(
  listing: Listing,
  chips: readonly Chip[],
  owner?: Seller,
): readonly MissingCriterion[] {
  const groups = new Map<string, Chip[]>();
  for (const chip of chips) {
    if ((chip.kind !== 'value' && chip.kind !== 'range') || NOT_COMPARED.includes(chip.section)) continue;
    const name = chip.param === 'featureCode' ? chip.key : chip.section;
    groups.set(name, [...(groups.get(name) ?? []), chip]);
  }
  const isMissing = (chip: Chip) =>
    failsNumber(listing, chip) ?? !isMet(valuesFor(chip, listing, owner), chip);
  return [...groups].flatMap(([name, [first, ...others]]): MissingCriterion[] => {
    if (!first || ![first, ...others].every(isMissing)) return [];
    if (others.length === 0) return [first];
    const all = [first, ...others];
    return [
      {
        key: name,
        label: all.map((chip) => chip.label).join(' or '),
        section: first.section,
        values: all.flatMap((chip) => chip.values),
      },
    ];
  });
}
