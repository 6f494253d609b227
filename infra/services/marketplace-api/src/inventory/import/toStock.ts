import type { ListingType, StockListing, StockOwner, RowOutcome } from '../../domain/stock.ts';
import { FEATURES } from '@forecourt/upstream/features';
import { CYLINDERS } from '../../domain/labels.ts';
import { type Catalog, nameKey } from '../../domain/catalog.ts';
import type { ZipDirectory } from '../../domain/places/index.ts';
import {
  digestOf,
  memoize,
  optionalField,
  UnreadableValue,
  parseMileage,
  parsePrice,
  parseYear,
} from './values.ts';
import type { FeedField, FeedMapping, FeedRow } from './mapping.ts';
import { isListingDay, parseDay } from './parseDay.ts';
import { parsePhotoUrls } from './parsePhotoUrls.ts';
import type { AddNote } from './rowNotes.ts';
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
import { type DecodedVin, decodeVin, isVinPlausible, knownMake, readVin } from './vin.ts';

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
  readonly note: AddNote;
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

/** Whether the first word or two of a model name a make. */
function beginsWithMake(catalog: Catalog, model: string): boolean {
  const [first = '', second = ''] = model.split(/\s+/);
  return [first, `${first} ${second}`].some(
    (name) => catalog.findMakeByName(name) !== undefined || knownMake(name) !== undefined,
  );
}

/** Returns a function that finds a row's vehicle; where the feed has no make, it takes the one of the VIN. */
function createVehicleFinder(catalog: Catalog, hasTrims: boolean) {
  const resolveVehicle = createVehicleResolver(catalog);
  const vehicleOf = memoize((make = '', model = '', trim = '', year = '', bodyStyle = '', fuel = '') =>
    resolveVehicle(make, model, hasTrims ? trim : undefined, Number(year), { bodyStyle, fuel }),
  );
  return (row: FeedRow, year: number, decoded: DecodedVin | undefined): ResolvedVehicle => {
    const { make = '', model = '', trim = '', bodyStyle = '' } = row;
    if (!model) throw new UnreadableValue('model is missing');
    // An engine's name often says what it burns.
    const fuel = row.fuel ?? row.engine ?? '';
    const described = [model, trim, String(year), bodyStyle, fuel] as const;
    const [known, ...others] = decoded?.makes ?? [];
    // The model may begin with the make.
    const isNamed = make !== '' || known === undefined || others.length > 0 || beginsWithMake(catalog, model);
    return vehicleOf(isNamed ? make : known, ...described);
  };
}

/** Reads optional values; what can't be read is noted and left out. */
function createReaders(note: AddNote) {
  const read = <T>(field: FeedField, text: string | undefined, parse: (text: string) => T | undefined) => {
    if (text === undefined) return undefined;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof UnreadableValue)) throw error;
      note(field, error.kind, text);
      return undefined;
    }
  };
  /** A word of a list; others are noted. */
  const word = <T>(field: FeedField, text: string | undefined, parse: (text: string) => T | undefined) => {
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) note(field, 'unknown', text);
    return value;
  };
  return { read, word };
}

/** The fields of a listing that stand in a row alone, whatever its vehicle, seller and identity are. */
function createFactReader({ mapping, today, note }: ConvertOptions) {
  const todayInDays = Math.floor(today.getTime() / MILLISECONDS_PER_DAY);
  const { read, word } = createReaders(note);
  const rates = mapping.currencyRates;
  const money = {
    price: { currency: unitsOf(mapping, 'price').currency, rates },
    msrp: { currency: unitsOf(mapping, 'msrp').currency, rates },
  };
  const unit = unitsOf(mapping, 'mileage').unit ?? mapping.distanceUnit;

  function listedOnOf(text: string | undefined): number {
    const day = text === undefined ? undefined : parseDay(text);
    if (day !== undefined && isListingDay(day, todayInDays)) return Math.min(day, todayInDays);
    if (text !== undefined) note('listedOn', day === undefined ? 'unreadable' : 'implausible', text);
    return todayInDays;
  }

  function photosOf(text: string | undefined): Pick<StockListing, 'photoUrls'> {
    if (text === undefined) return {};
    const { urls, unreadable, beyond } = parsePhotoUrls(text);
    for (const entry of unreadable) note('photoUrls', 'unreadable', entry);
    if (beyond > 0) note('photoUrls', 'shortened', String(urls.length + beyond));
    return urls.length > 0 ? { photoUrls: urls } : {};
  }

  return {
    word,
    mileage(row: FeedRow): number | undefined {
      const mileage = read('mileage', row.mileage, (text) => parseMileage(text, unit));
      if (mileage === undefined) note('mileage', 'missing', row.mileage);
      return mileage;
    },
    facts(row: FeedRow) {
      const salePrice = read('price', row.price, (text) => parsePrice(text, money.price));
      const msrp = read('msrp', row.msrp, (text) => parsePrice(text, money.msrp));
      if (salePrice === undefined && msrp === undefined) note('price', 'missing', row.price);
      return {
        ...optionalField('transmission', word('transmission', row.transmission, parseTransmission)),
        ...optionalField('engineName', row.engine),
        ...optionalField('engineCode', word('cylinders', row.cylinders, cylinderCode)),
        ...optionalField('doors', word('doors', row.doors, smallNumber)),
        ...optionalField('seats', word('seats', row.seats, smallNumber)),
        ...optionalField('extColor', word('extColor', row.extColor, parseColor)),
        ...optionalField('intColor', word('intColor', row.intColor, parseColor)),
        ...optionalField('salePrice', salePrice),
        ...optionalField('msrp', msrp),
        features: featuresOf(row.features),
        listedOn: listedOnOf(row.listedOn),
        ...photosOf(row.photoUrls),
      };
    },
  };
}

/** The unit and currency of a mapped column. */
function unitsOf(
  { fields }: FeedMapping,
  field: FeedField,
): { readonly unit?: 'mi' | 'km' | undefined; readonly currency?: string | undefined } {
  const source = fields[field];
  return typeof source === 'object' && !('constant' in source) ? source : {};
}

/**
 * Returns a function that converts a row to a listing with its seller. It throws
 * `UnreadableValue` for a row without identity, year, make, model, seller or place;
 * what else can't be read is noted and left out. Identical descriptions without VIN and
 * stock number are numbered, so that none is lost.
 */
export function createConverter(options: ConvertOptions): (row: FeedRow) => StockPair {
  const { mapping, zips, catalog, today, timesBefore, note } = options;
  const currentYear = today.getUTCFullYear();
  // Feeds repeat the same few places, sellers, vehicles and words.
  const vehicleOf = createVehicleFinder(catalog, mapping.fields.trim !== undefined);
  const keyOfName = memoize((name = '') => nameKey(name));
  const sellerOf = createSellers(mapping.source, zips);
  const reader = createFactReader(options);

  const vinOf = (text: string | undefined): string | undefined => {
    const vin = text === undefined ? undefined : readVin(text);
    if (text !== undefined && vin !== text) note('vin', vin === undefined ? 'unreadable' : 'corrected', text);
    return vin;
  };

  return (row) => {
    const vin = vinOf(row.vin);
    const decoded = vin === undefined ? undefined : decodeVin(vin, currentYear + 2);
    const year = row.year === undefined ? decoded?.year : parseYear(row.year, currentYear);
    if (year === undefined) throw new UnreadableValue('year is missing');
    const { isModelKnown, ...vehicle } = vehicleOf(row, year, decoded);
    if (!vehicle.make.code || !vehicle.model.code) throw new UnreadableValue('make or model is missing');
    const { owner, isPlaceApproximate } = sellerOf(row);
    const mileage = reader.mileage(row);
    const identity = identityOf(row, vin, owner.id, mileage, { timesBefore, keyOfName });
    const { key, description, nth = 0 } = identity;
    const digest = digestOf(`${mapping.source}|${key}|${identity.text}`);
    const bodyStyle = bodyStyleCode(row.bodyStyle ?? '') ?? vehicle.bodyStyle;
    const fuel = fuelCode(row.fuel ?? '') ?? vehicle.fuel;
    if (row.bodyStyle !== undefined && bodyStyle === undefined) note('bodyStyle', 'unknown', row.bodyStyle);
    if (row.fuel !== undefined && fuel === undefined) note('fuel', 'unknown', row.fuel);
    const listing: StockListing = {
      ...vehicle,
      id: `${mapping.source}-${digest.slice(0, 14)}`,
      vin: vin ?? derivedVin(digest),
      ...(row.stockNumber && { stockNumber: row.stockNumber }),
      ownerId: owner.id,
      year,
      listingType:
        reader.word('listingType', row.listingType, parseListingType) ??
        defaultListingType(year, mileage, currentYear),
      ...optionalField('bodyStyle', bodyStyle),
      ...optionalField('fuel', fuel),
      ...optionalField(
        'drive',
        reader.word('drive', row.drive, (text) => parseDrive(text, bodyStyle)),
      ),
      ...optionalField('mileage', mileage),
      packages: [],
      history: [],
      viewCount: 0,
      isHot: false,
      hasSpecialOffer: false,
      moneyBack: false,
      extendedDelivery: false,
      ...reader.facts(row),
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

function identityOf(
  row: FeedRow,
  vin: string | undefined,
  ownerId: string,
  mileage: number | undefined,
  {
    timesBefore,
    keyOfName,
  }: Pick<ConvertOptions, 'timesBefore'> & { readonly keyOfName: (name: string) => string },
): { key: StockPair['key']; text: string; description?: number; nth?: number } {
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

const defaultListingType = (year: number, mileage: number | undefined, currentYear: number): ListingType =>
  year >= currentYear && mileage !== undefined && mileage < NEW_CAR_MILES ? 'NEW' : 'USED';

/** '4-Cylinder', 'V6' and '8' name codes. */
function cylinderCode(text: string): string | undefined {
  const code = `${/\d+/.exec(text)?.[0] ?? ''}CLDR`;
  return Object.hasOwn(CYLINDERS, code) ? code : undefined;
}

function smallNumber(text = ''): number | undefined {
  const value = Number(/\d+/.exec(text)?.[0] ?? NaN);
  return value >= 1 && value <= 20 ? value : undefined;
}

function featuresOf(text = ''): string[] {
  const codes = text.split(/[|;,\n]/).map((name) => featureByName.get(nameKey(name)));
  return [...new Set(codes.filter((code) => code !== undefined))];
}
