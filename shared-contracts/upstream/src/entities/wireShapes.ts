import { z } from 'zod';
import { SELLER_TYPES } from './codes.ts';
import { type Listing, listingSchema, type Owner, ownerSchema } from './listing.ts';

/** The specs have both 'Civic' and {code, name}; normalizes to one form. */
function codeName(value: unknown, code: unknown): { code: string; name: string } | undefined {
  if (typeof value === 'string' && value)
    return { code: typeof code === 'string' ? code : value, name: value };
  const { code: ownCode, name } = asRecord(value);
  if (typeof name !== 'string') return undefined;
  return { code: typeof ownCode === 'string' ? ownCode : typeof code === 'string' ? code : name, name };
}

/** The vehicle's name without its extras, unless it has no other name. */
const cutTitle = (title: string) => title.split(' w/')[0] || title.trim();

/** Fills each of the two shapes of the specs from the other (AMB-010). */
function normalizeListing(raw: unknown): unknown {
  const source = asRecord(raw);
  const specifications = asRecord(source['specifications']);
  const pricing = asRecord(source['pricingDetail']);
  const make = codeName(source['make'], source['makeCode']);
  const model = codeName(source['model'], source['modelCode']);
  const miles = asRecord(source['mileage'])['value'] ?? specifications['mileage'];
  const bodyStyles =
    source['bodyStyles'] ?? (asList(source['vehicleStyleCodes']) ?? []).map((code) => ({ code, name: code }));
  const fuelType = codeName(source['fuelType'], source['fuelTypeGroup']);
  const driveType = source['driveType'] ?? specifications['driveType'];
  const engine = asRecord(source['engine']);
  const engineName = engine['name'] ?? specifications['engine'];
  return {
    ...source,
    title: typeof source['title'] === 'string' ? cutTitle(source['title']) : source['title'],
    listingType: typeof source['listingType'] === 'string' ? source['listingType'].toUpperCase() : undefined,
    make,
    model,
    makeCode: source['makeCode'] ?? make?.code,
    modelCode: source['modelCode'] ?? model?.code,
    trim: codeName(source['trim'], source['trimCode']),
    bodyStyles,
    vehicleStyleCodes:
      source['vehicleStyleCodes'] ?? asList(bodyStyles)?.map((style) => asRecord(style)['code']),
    fuelType: fuelType ?? { code: source['fuelTypeGroup'], name: source['fuelTypeGroup'] },
    fuelTypeGroup: source['fuelTypeGroup'] ?? fuelType?.code,
    driveType,
    mileage: miles === undefined ? undefined : { value: miles },
    specifications: { ...specifications, mileage: miles, driveType, engine: engineName },
    color: source['color'] ?? {},
    engine: { ...engine, name: engineName },
    ownerName: asRecord(source['owner'])['privateSeller'] === true ? SELLER_TYPES.p : source['ownerName'],
    pricingDetail: {
      ...pricing,
      derivedPrice:
        pricing['derivedPrice'] ?? pricing['incentive'] ?? pricing['salePrice'] ?? pricing['msrp'],
    },
    images: source['images'] ?? { primary: 0, sources: [] },
  };
}

/** Parses a listing in either shape of the specs into the form that pages use. */
export const anyListingSchema = z.preprocess(normalizeListing, listingSchema);

/** Normalizes one listing. Throws a ZodError for invalid input (no id, no make). */
export const toListing = (raw: unknown): Listing => anyListingSchema.parse(raw);

/** The specs have both 'https://…' and {href}; normalizes to one form. */
const wrapped = (value: unknown, key: 'href' | 'value') =>
  typeof value === 'string' ? (value ? { [key]: value } : undefined) : value;

/** Fills each of the two shapes of the specs from the other (AMB-011). */
function normalizeOwner(raw: unknown): unknown {
  const source = asRecord(raw);
  // A private seller's name is never passed on.
  const name = source['privateSeller'] === true ? SELLER_TYPES.p : (source['ownerName'] ?? source['name']);
  const picture = asRecord(asList(asRecord(source['images'])['sources'])?.[0])['src'];
  const logo = source['logo'] ?? (picture === undefined ? undefined : { src: picture });
  return {
    ...source,
    name,
    ownerName: name,
    logo,
    images: source['images'] ?? { sources: logo === undefined ? [] : [logo] },
    website: wrapped(source['website'], 'href'),
    phone: wrapped(source['phone'], 'value'),
  };
}

/** Parses a seller in either shape of the specs into the form that pages use. */
export const anyOwnerSchema = z.preprocess(normalizeOwner, ownerSchema);

/** Normalizes one seller. Throws a ZodError for invalid input (no id, no name). */
export const toOwner = (raw: unknown): Owner => anyOwnerSchema.parse(raw);

/** External input before validation. */
type LooseRecord = Readonly<Record<string, unknown>>;

/** The value as an object; empty for anything else. */
const asRecord = (value: unknown): LooseRecord =>
  typeof value === 'object' && value !== null ? (value as LooseRecord) : {};

/** The value as an array; undefined for anything else. */
const asList = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? (value as unknown[]) : undefined;
