import { createHash } from 'node:crypto';
import type {
  BodyStyle,
  ListingType,
  SellerType,
  StockListing,
  StockOwner,
  RowOutcome,
} from '../domain/stock.ts';
import type { FuelGroup } from '@forecourt/shared-contracts/entities/codes';
import { FEATURES } from '../domain/labels.ts';
import { type Catalog, nameKey } from '../domain/catalog.ts';
import { type ZipDirectory, type ZipPlace, milesBetween } from '../places/places.ts';
import {
  hasVinCheckDigit,
  UnreadableValue,
  parseColor,
  parseDay,
  parseMileage,
  parsePhotoUrls,
  parsePrice,
  parseYear,
} from './values.ts';
import { nearestMetro } from '../places/metros.data.ts';
import { type FeedMapping, type FeedRow, KNOWN_CODES } from './mapping.ts';
import { createVehicleResolver } from './resolveVehicle.ts';

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
  // Feeds repeat the same few places and vehicles.
  const placeOf = memoize((city = '', state = '', zip = '') => findPlace(zips, { city, state, zip }));
  const resolveVehicle = createVehicleResolver(catalog);
  const vehicleOf = memoize((make = '', model = '', trim = '', year = '') =>
    resolveVehicle(make, model, trim, Number(year)),
  );

  return (row) => {
    const year = parseYear(row.year ?? '', currentYear);
    if (!row.model) throw new UnreadableValue('model is missing');
    const vehicle = vehicleOf(row.make ?? '', row.model, row.trim ?? '', String(year));
    if (!vehicle.make.code || !vehicle.model.code) throw new UnreadableValue('make or model is missing');
    const place = placeOf(row.city ?? '', row.state ?? '', row.zip ?? '');
    const owner = ownerOf(mapping.source, row, place);
    const mileage = row.mileage ? parseMileage(row.mileage, mapping.distanceUnit) : undefined;
    const salePrice = row.price ? parsePrice(row.price) : undefined;
    const msrp = row.msrp ? parsePrice(row.msrp) : undefined;
    const { key, text, description, nth = 0 } = identityOf(row, owner.id, mileage, timesBefore);
    const digest = hash(`${mapping.source}|${key}|${text}`);
    const vin = vinOf(row);
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
      ...optionalField('bodyStyle', codeOf<BodyStyle>(row.bodyStyle, KNOWN_CODES.bodyStyle)),
      ...optionalField('fuel', codeOf<FuelGroup>(row.fuel, KNOWN_CODES.fuel)),
      ...optionalField('drive', driveOf(row.drive)),
      ...optionalField('transmission', transmissionOf(row.transmission)),
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
      isPlaceApproximate: place.isApproximate,
      hasInvalidVin: vin !== undefined && !hasVinCheckDigit(vin),
    };
  };
}

function optionalField<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  return value === undefined || value === '' ? {} : ({ [key]: value } as Partial<Record<K, T>>);
}

function vinOf(row: FeedRow): string | undefined {
  const vin = row.vin?.toUpperCase();
  return vin && /^[A-HJ-NPR-Z0-9]{17}$/.test(vin) ? vin : undefined;
}

function identityOf(
  row: FeedRow,
  ownerId: string,
  mileage: number | undefined,
  timesBefore: (description: number) => number,
): { key: StockPair['key']; text: string; description?: number; nth?: number } {
  const vin = vinOf(row);
  if (vin) return { key: 'vin', text: vin };
  if (row.stockNumber) return { key: 'stockNumber', text: `${ownerId}|${row.stockNumber}` };
  // Without the price: a reduced car is still the same car.
  const words = [row.year, row.make, row.model, row.trim, row.extColor].map((value) => nameKey(value ?? ''));
  const description = hash([ownerId, mileage, ...words].join('|')).slice(0, 16);
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

const MAX_MEMOIZED = 20_000;

/** Memoizes a function; the cache is cleared when it is full. */
function memoize<T>(compute: (...parts: string[]) => T): (...parts: string[]) => T {
  const cache = new Map<string, T>();
  return (...parts) => {
    const key = parts.join('\n');
    let result = cache.get(key);
    if (result === undefined) {
      result = compute(...parts);
      if (cache.size >= MAX_MEMOIZED) cache.clear();
      cache.set(key, result);
    }
    return result;
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A stand-in for a missing VIN; no real VIN starts with 0. */
function derivedVin(digest: string): string {
  return `0${digest.slice(0, 16).toUpperCase()}`;
}

/** The seller's place; approximate if the ZIP table lacks the city. */
function findPlace(zips: ZipDirectory, row: FeedRow): ZipPlace & { readonly isApproximate: boolean } {
  const byZip = zips.find((row.zip ?? '').slice(0, 5));
  const { city, state } = row;
  const inCity = city && state ? zips.findCity(city, state) : [];
  const [first] = inCity;
  if (first && byZip) {
    // The ZIP code may be that of the search that found the car, so take the nearest part of the city.
    const nearest = inCity.reduce((best, place) =>
      milesBetween(byZip, place) < milesBetween(byZip, best) ? place : best,
    );
    return { ...nearest, isApproximate: false };
  }
  if (first) return { ...first, isApproximate: false };
  if (byZip && (!state || byZip.state === state.toUpperCase()))
    return { ...byZip, ...optionalField('city', city), isApproximate: false };
  const inState = state ? zips.findState(state) : undefined;
  if (inState) return { ...inState, ...optionalField('city', city), isApproximate: true };
  const where = [city, state, row.zip].filter(Boolean).join(' ');
  throw new UnreadableValue(where ? `place '${where}' is unknown` : 'place is missing');
}

const PRIVATE_WORDS = /^(?:p|private|private seller|owner|fsbo|0|false|no)$/i;

function ownerOf(source: string, row: FeedRow, place: ZipPlace): StockOwner {
  const sellerType: SellerType = PRIVATE_WORDS.test(row.sellerType ?? 'd') ? 'p' : 'd';
  const name = row.sellerName ?? (sellerType === 'p' ? 'Private Seller' : '');
  if (!name) throw new UnreadableValue('seller is missing');
  const contact = sellerType === 'p' ? (row.sellerPhone ?? row.vin ?? row.stockNumber ?? '') : '';
  return {
    id: `${source}-${hash([name.toLowerCase(), place.city, place.state, contact].join('|')).slice(0, 12)}`,
    name,
    sellerType,
    ...optionalField('phone', row.sellerPhone),
    ...optionalField('website', /^https?:\/\//.test(row.sellerWebsite ?? '') ? row.sellerWebsite : undefined),
    ...optionalField('address', row.sellerAddress),
    city: place.city,
    state: place.state,
    zip: place.zip,
    latitude: place.latitude,
    longitude: place.longitude,
    dma: nearestMetro(place.latitude, place.longitude).dma,
    homeServices: [],
    preferredCta: 'email',
    hideEmailForm: false,
    isAlpha: false,
  };
}

function listingTypeOf(
  row: FeedRow,
  year: number,
  mileage: number | undefined,
  currentYear: number,
): ListingType {
  const text = (row.listingType ?? '').toUpperCase();
  const code = codeOf<ListingType>(text, KNOWN_CODES.listingType);
  if (code) return code;
  if (/CERT|CPO/.test(text)) return 'CERTIFIED';
  if (text) return /NEW/.test(text) ? 'NEW' : 'USED';
  return year >= currentYear && mileage !== undefined && mileage < NEW_CAR_MILES ? 'NEW' : 'USED';
}

function codeOf<T extends string>(text: string | undefined, codes: readonly string[]): T | undefined {
  const code = text?.toUpperCase();
  return code && codes.includes(code) ? (code as T) : undefined;
}

function driveOf(text = ''): string | undefined {
  if (/awd|4wd|4x4|all|four/i.test(text)) return 'AWD4WD';
  if (/fwd|front/i.test(text)) return 'FWD';
  return /rwd|rear|2wd/i.test(text) ? 'RWD' : undefined;
}

function transmissionOf(text = ''): string | undefined {
  if (/man|stick/i.test(text)) return 'MAN';
  return /aut|cvt|dct|dual/i.test(text) ? 'AUT' : undefined;
}

function smallNumber(text = ''): number | undefined {
  const value = Number(/\d+/.exec(text)?.[0] ?? NaN);
  return value >= 1 && value <= 20 ? value : undefined;
}

function featuresOf(text = ''): string[] {
  const codes = text.split(/[|;,]/).map((name) => featureByName.get(nameKey(name)));
  return [...new Set(codes.filter((code) => code !== undefined))];
}
