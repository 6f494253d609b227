import type { Listing } from '../entities/listing.ts';
import type { Owner } from '../entities/owner.ts';
import type { Chip } from '../catalog/chips.ts';
import type { FilterParam } from '../criteria/criteria.ts';
import { derivedPrice } from './pricing.ts';

/** A chip, or the chips of one filter together, which a listing does not meet. */
type MissingCriterion = Pick<Chip, 'key' | 'label' | 'section' | 'values'>;

type Seller = Pick<Owner, 'privateSeller' | 'homeServices'>;
type Texts = readonly (string | undefined)[];

/** 'AWD/4WD' and 'AWD4WD' are the same word. */
const word = (text: string) => text.toUpperCase().replace(/[^A-Z0-9|]/g, '');

const DEALS: Readonly<Record<string, string>> = { Great: 'greatprice', Good: 'goodprice' };

/** The words a listing's own fields have for a filter; an empty list is an unknown value. */
const LISTED: Partial<Record<FilterParam, (listing: Listing, owner: Seller | undefined) => Texts>> = {
  listingType: (listing) => [listing.listingType],
  driveGroup: (listing) => [listing.driveType, listing.specifications.driveType],
  vehicleStyleCode: (listing) => [
    ...listing.vehicleStyleCodes,
    ...listing.bodyStyles.map(({ code }) => code),
  ],
  fuelTypeGroup: (listing) => [listing.fuelTypeGroup],
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

/** Known number below or above the bound; an unknown one fails nothing (AMB-131). */
const isBelow = (value: number | undefined, bound: number) => value !== undefined && value < bound;
const isAbove = (value: number | undefined, bound: number) => value !== undefined && value > bound;

const isOutside = (value: number | undefined, { min, max }: NonNullable<Chip['range']>) =>
  (min !== undefined && isBelow(value, min)) || (max !== undefined && isAbove(value, max));

function failsNumber(listing: Listing, chip: Chip): boolean | undefined {
  const bound = Number.parseInt(chip.values[0] ?? '', 10);
  switch (chip.section) {
    case 'yearRange':
      return isOutside(listing.year, chip.range ?? {});
    case 'priceRange':
      return isOutside(derivedPrice(listing.pricingDetail), chip.range ?? {});
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

/** All words a listing has for a chip's filter: of its own fields, and of what the answer says besides. */
const listedFor = ({ param }: Chip, listing: Listing, owner: Seller | undefined): Texts =>
  param ? [...(LISTED[param]?.(listing, owner) ?? []), ...(listing.filterCodes?.[param] ?? [])] : [];

function isMet(listed: Texts, chip: Chip): boolean {
  const words = listed.filter((text) => text !== undefined).map(word);
  return [...chip.values, chip.label].some((text) => words.includes(word(text)));
}

/** Where, how and by whom is shown, not what the vehicle is: never compared (AMB-131). */
const NOT_COMPARED = ['marketExtension', 'keyword'];

/**
 * The selected chips which a showcased listing misses (B5-MISS-01..06,
 * AMB-131), in the order of the chips. Several values of one filter are
 * alternatives and make one entry; features must all be there and make one
 * each. A vehicle without a known
 * value fails, except for ranges, mileage, fuel economy and price.
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
    failsNumber(listing, chip) ?? !isMet(listedFor(chip, listing, owner), chip);
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
