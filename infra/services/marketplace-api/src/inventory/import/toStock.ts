import type { ListingType, StockListing, StockOwner, RowOutcome } from '../../domain/stock.ts';
import { FEATURES } from '@forecourt/upstream/features';
import { type Catalog, nameKey } from '../../domain/catalog.ts';
import type { ZipDirectory } from '../../domain/places/index.ts';
import {
  digestOf,
  memoize,
  optionalField,
  UnreadableValue,
  parseDay,
  parseMileage,
  parsePhotoUrls,
  parsePrice,
  parseYear,
} from './values.ts';
import type { FeedMapping, FeedRow } from './mapping.ts';
import { createSellers } from './sellers.ts';
import { createVehicleResolver, type ResolvedVehicle } from './resolveVehicle.ts';
import {
  bodyStyleCode,
  fuelCode,
  parseColor,
  parseDrive,
  parseListingType,
  parseTransmission,
} from './vehicleWords.ts';
import { WMIS_BY_MAKE } from './wmi.data.ts';

/** Values of letters in a VIN (49 CFR 565.15); digits stand for themselves. */
const VALUES: Readonly<Record<string, number>> = {
  ...Object.fromEntries([...'0123456789'].map((digit) => [digit, Number(digit)])),
  ...Object.fromEntries([...'ABCDEFGH'].map((letter, index) => [letter, index + 1])),
  ...Object.fromEntries([...'JKLMN'].map((letter, index) => [letter, index + 1])),
  ...{ P: 7, R: 9 },
  ...Object.fromEntries([...'STUVWXYZ'].map((letter, index) => [letter, index + 2])),
};
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const CHECK_POSITION = 8;
/** Of North American cars and light trucks, a letter here stands for the model years from 2010 on. */
const ERA_POSITION = 6;
const YEAR_POSITION = 9;
/** Model years in turn, from 1980 on. */
const YEAR_CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const FIRST_YEAR = 1980;

/** Whether the ninth character is the check digit of the others. */
export function isCheckDigitRight(vin: string): boolean {
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * (VALUES[vin[index]!] ?? 0), 0);
  const digit = sum % 11;
  return vin[CHECK_POSITION] === (digit === 10 ? 'X' : String(digit));
}

/** Vehicles built for North America (1 to 5 in front) must have a check digit; elsewhere it is optional. */
export const isVinPlausible = (vin: string): boolean => !/^[1-5]/.test(vin) || isCheckDigitRight(vin);

/** What a VIN says about its vehicle. */
export interface DecodedVin {
  /** The makes of its manufacturer identifier; empty when the table lacks it. */
  readonly makes: readonly string[];
  /** Undefined for a character that stands for no year, or a year still to come. */
  readonly year: number | undefined;
  /** Whether the row names another make or a model year that the VIN's character doesn't stand for. */
  contradicts(row: { readonly make: string; readonly year: number }): boolean;
}

const makeKeys = new Set(Object.keys(WMIS_BY_MAKE).map(nameKey));
const makesByWmi = Map.groupBy(
  Object.entries(WMIS_BY_MAKE).flatMap(([make, wmis]) => wmis.split(' ').map((wmi) => [wmi, make] as const)),
  ([wmi]) => wmi,
);

/**
 * Reads manufacturer and model year from a VIN. Undefined unless its check digit is right: European vehicles need not have
 * one, and their tenth character need not be a year.
 */
export function decodeVin(vin: string, newestYear: number): DecodedVin | undefined {
  if (!isCheckDigitRight(vin)) return undefined;
  const makes = (makesByWmi.get(vin.slice(0, 3)) ?? []).map(([, make]) => make);
  const code = YEAR_CODES.indexOf(vin[YEAR_POSITION]!);
  const isLate = /[A-Z]/.test(vin[ERA_POSITION]!);
  const year = FIRST_YEAR + code + (isLate ? YEAR_CODES.length : 0);
  return {
    makes,
    year: code < 0 || year > newestYear ? undefined : year,
    contradicts: (row) =>
      (makes.length > 0 &&
        makeKeys.has(nameKey(row.make)) &&
        !makes.some((make) => nameKey(make) === nameKey(row.make))) ||
      // Heavy trucks have digits at the position of the era, so years are compared by their code.
      (code >= 0 && (row.year - FIRST_YEAR - code) % YEAR_CODES.length !== 0),
  };
}

export interface StockPair extends RowOutcome {
  readonly owner: StockOwner;
  readonly listing: StockListing;
  /** How many rows of this feed had the same description before. */
  readonly nth: number;
}

export interface ConvertOptions {
  readonly mapping: FeedMapping;
  readonly zips: ZipDirectory;
  readonly catalog: Catalog;
  readonly today: Date;
  /** How often a description occurred before in this feed. */
  readonly timesBefore: (description: number) => number;
}

/** Without a condition in the feed, a car of the current or next model year below this counts as new. */
const NEW_CAR_MILES = 500;
const MILLISECONDS_PER_DAY = 86_400_000;
const featureByName = new Map(
  Object.entries(FEATURES).flatMap(([code, label]) => [
    [code, code] as const,
    [nameKey(label), code] as const,
  ]),
);

/** Returns a function that finds a row's vehicle; where the feed has no make, it takes the one of the VIN. */
function createVehicleFinder(catalog: Catalog) {
  const resolveVehicle = createVehicleResolver(catalog);
  const vehicleOf = memoize((make = '', model = '', trim = '', year = '', bodyStyle = '', fuel = '') =>
    resolveVehicle(make, model, trim, Number(year), { bodyStyle, fuel }),
  );
  return (row: FeedRow, year: number, decoded: DecodedVin | undefined): ResolvedVehicle => {
    const { make = '', model = '', trim = '', bodyStyle = '', fuel = '' } = row;
    if (!model) throw new UnreadableValue('model is missing');
    const described = [model, trim, String(year), bodyStyle, fuel] as const;
    const vehicle = vehicleOf(make, ...described);
    const [known, ...others] = decoded?.makes ?? [];
    if (make || !known || others.length > 0 || vehicle.isModelKnown) return vehicle;
    // The model may begin with the make.
    return nameKey(model).startsWith(nameKey(known)) ? vehicle : vehicleOf(known, ...described);
  };
}

/**
 * Returns a function that converts a row to a listing with its seller. It throws
 * `UnreadableValue` for an invalid row. Identical descriptions without VIN and
 * stock number are numbered, so that none is lost.
 */
export function createConverter({
  mapping,
  zips,
  catalog,
  today,
  timesBefore,
}: ConvertOptions): (row: FeedRow) => StockPair {
  const currentYear = today.getUTCFullYear();
  const todayInDays = Math.floor(today.getTime() / MILLISECONDS_PER_DAY);
  // Feeds repeat the same few places, sellers, vehicles and words.
  const vehicleOf = createVehicleFinder(catalog);
  const keyOfName = memoize((name = '') => nameKey(name));
  const sellerOf = createSellers(mapping.source, zips);

  return (row) => {
    const vin = vinOf(row);
    const decoded = vin === undefined ? undefined : decodeVin(vin, currentYear + 2);
    const year = (row.year ? undefined : decoded?.year) ?? parseYear(row.year ?? '', currentYear);
    const vehicle = vehicleOf(row, year, decoded);
    if (!vehicle.make.code || !vehicle.model.code) throw new UnreadableValue('make or model is missing');
    const { owner, isPlaceApproximate } = sellerOf(row);
    const mileage = row.mileage ? parseMileage(row.mileage, mapping.distanceUnit) : undefined;
    const salePrice = row.price ? parsePrice(row.price) : undefined;
    const msrp = row.msrp ? parsePrice(row.msrp) : undefined;
    const {
      key,
      text,
      description,
      nth = 0,
    } = identityOf(row, owner.id, mileage, { timesBefore, keyOfName });
    const digest = digestOf(`${mapping.source}|${key}|${text}`);
    const photoUrls = row.photoUrls ? parsePhotoUrls(row.photoUrls) : [];
    const { isModelKnown, ...resolved } = vehicle;
    const listing: StockListing = {
      ...resolved,
      id: `${mapping.source}-${digest.slice(0, 14)}`,
      vin: vin ?? derivedVin(digest),
      ...(row.stockNumber && { stockNumber: row.stockNumber }),
      ownerId: owner.id,
      year,
      listingType: listingTypeOf(row, year, mileage, currentYear),
      ...optionalField('bodyStyle', bodyStyleCode(row.bodyStyle ?? '')),
      ...optionalField('fuel', fuelCode(row.fuel ?? '')),
      ...optionalField('drive', parseDrive(row.drive ?? '', vehicle.bodyStyle)),
      ...optionalField('transmission', parseTransmission(row.transmission ?? '')),
      ...optionalField('engineName', row.engine),
      ...optionalField('doors', smallNumber(row.doors)),
      ...optionalField('seats', smallNumber(row.seats)),
      ...optionalField('extColor', parseColor(row.extColor ?? '')),
      ...optionalField('intColor', parseColor(row.intColor ?? '')),
      ...optionalField('mileage', mileage),
      ...optionalField('salePrice', salePrice),
      ...optionalField('msrp', msrp),
      features: featuresOf(row.features),
      packages: [],
      history: [],
      listedOn: parseDay(row.listedOn ?? '') ?? todayInDays,
      viewCount: 0,
      isHot: false,
      hasSpecialOffer: false,
      moneyBack: false,
      extendedDelivery: false,
      ...(photoUrls.length > 0 && { photoUrls }),
    };
    return {
      owner,
      listing,
      key,
      nth,
      ...optionalField('description', description),
      isModelKnown,
      isPlaceApproximate,
      hasInvalidVin: vin !== undefined && !isVinPlausible(vin),
      contradictsVin: decoded?.contradicts({ make: vehicle.make.name, year }) ?? false,
    };
  };
}

function vinOf(row: FeedRow): string | undefined {
  const vin = row.vin?.toUpperCase();
  return vin && /^[A-HJ-NPR-Z0-9]{17}$/.test(vin) ? vin : undefined;
}

function identityOf(
  row: FeedRow,
  ownerId: string,
  mileage: number | undefined,
  {
    timesBefore,
    keyOfName,
  }: Pick<ConvertOptions, 'timesBefore'> & { readonly keyOfName: (name: string) => string },
): { key: StockPair['key']; text: string; description?: number; nth?: number } {
  const vin = vinOf(row);
  if (vin) return { key: 'vin', text: vin };
  if (row.stockNumber) return { key: 'stockNumber', text: `${ownerId}|${row.stockNumber}` };
  // Without the price: a reduced car is still the same car.
  const words = [row.year, row.make, row.model, row.trim, row.extColor].map((value) =>
    keyOfName(value ?? ''),
  );
  const description = digestOf([ownerId, mileage, ...words].join('|')).slice(0, 16);
  // Twelve hexadecimal digits fit a number, which takes less memory than a string.
  const number = Number.parseInt(description.slice(0, 12), 16);
  const nth = timesBefore(number);
  return {
    key: 'description',
    text: nth ? `${description}#${nth}` : description,
    description: number,
    nth,
  };
}

/** A stand-in for a missing VIN; no real VIN starts with 0. */
function derivedVin(digest: string): string {
  return `0${digest.slice(0, 16).toUpperCase()}`;
}

function listingTypeOf(
  row: FeedRow,
  year: number,
  mileage: number | undefined,
  currentYear: number,
): ListingType {
  const isNew = year >= currentYear && mileage !== undefined && mileage < NEW_CAR_MILES;
  return parseListingType(row.listingType ?? '') ?? (isNew ? 'NEW' : 'USED');
}

function smallNumber(text = ''): number | undefined {
  const value = Number(/\d+/.exec(text)?.[0] ?? NaN);
  return value >= 1 && value <= 20 ? value : undefined;
}

function featuresOf(text = ''): string[] {
  const codes = text.split(/[|;,]/).map((name) => featureByName.get(nameKey(name)));
  return [...new Set(codes.filter((code) => code !== undefined))];
}
