import { basename } from 'node:path';
import type { FeedField, SourceRow } from './mapping.ts';
import { openFeed } from './openFeed.ts';
import { parseNumber } from './values.ts';

/** Rows that are looked at. */
const SAMPLE = 200;

interface Hint {
  /** Names of columns, without punctuation and in lower case. The first are the surest. */
  readonly names: readonly string[];
  /** What most values look like. */
  readonly looks?: (text: string) => boolean;
}

const isBetween = (low: number, high: number) => (text: string) => {
  const value = parseNumber(text.replace(/[$€£]|mi(les)?|km/gi, '').trim());
  return value !== undefined && value >= low && value <= high;
};
const matches = (pattern: RegExp) => (text: string) => pattern.test(text);

/** The usual names of dealers' tools, and what the values look like. */
const HINTS: Readonly<Partial<Record<FeedField, Hint>>> = {
  vin: {
    names: ['vin', 'vinnumber', 'vehicleidentificationnumber'],
    looks: matches(/^[A-HJ-NPR-Z0-9]{17}$/i),
  },
  stockNumber: { names: ['stocknumber', 'stock', 'stockno', 'stocknum', 'stockid', 'dealerstocknumber'] },
  listingType: {
    names: ['condition', 'newused', 'type', 'listingtype', 'vehicletype', 'stocktype'],
    looks: matches(/^(new|used|cpo|certified.*|n|u|c)$/i),
  },
  year: { names: ['year', 'modelyear', 'vehicleyear', 'my'], looks: isBetween(1950, 2100) },
  make: { names: ['make', 'brand', 'manufacturer', 'makename'] },
  model: { names: ['model', 'modelname'] },
  trim: { names: ['trim', 'trimlevel', 'series', 'style', 'trimname'] },
  bodyStyle: { names: ['bodystyle', 'body', 'bodytype', 'bodycode'] },
  fuel: { names: ['fuel', 'fueltype', 'enginefuel'] },
  drive: {
    names: ['drivetrain', 'drive', 'drivetype', 'drivetraintype'],
    looks: matches(/[afr24]wd|4x4|front|rear|all/i),
  },
  transmission: {
    names: ['transmission', 'trans', 'transmissiontype'],
    looks: matches(/auto|man|cvt|speed/i),
  },
  engine: { names: ['engine', 'enginedescription', 'enginename'] },
  doors: { names: ['doors', 'doorcount', 'numberofdoors'], looks: isBetween(1, 6) },
  seats: { names: ['seats', 'seating', 'passengercapacity', 'seatingcapacity'], looks: isBetween(1, 20) },
  extColor: {
    names: ['exteriorcolor', 'extcolor', 'color', 'colour', 'exteriorcolour', 'exteriorbasecolor'],
  },
  intColor: { names: ['interiorcolor', 'intcolor', 'interiorcolour', 'interior'] },
  mileage: {
    names: ['mileage', 'miles', 'odometer', 'odometerreading', 'kilometers', 'km'],
    looks: isBetween(0, 500_000),
  },
  price: {
    names: ['price', 'sellingprice', 'saleprice', 'internetprice', 'askingprice', 'listprice', 'finalprice'],
    looks: isBetween(300, 2_000_000),
  },
  msrp: { names: ['msrp', 'retailprice', 'stickerprice', 'retail'], looks: isBetween(3_000, 2_000_000) },
  features: { names: ['features', 'options', 'equipment', 'optiondescription'] },
  photoUrls: {
    names: [
      'photourls',
      'photos',
      'photourl',
      'images',
      'imageurls',
      'imagelist',
      'imageurl',
      'pictures',
      'picture',
      'pictureurls',
      'photo',
      'image',
    ],
    looks: matches(/^https?:\/\//i),
  },
  listedOn: {
    names: ['dateinstock', 'listedon', 'instockdate', 'datelisted', 'inventorydate', 'firstseen'],
    looks: matches(/^\d{4}-\d{2}-\d{2}|^\d{1,2}\/\d{1,2}\/\d{4}/),
  },
  sellerName: {
    names: ['dealername', 'dealer', 'sellername', 'seller', 'dealershipname', 'dealership', 'store'],
  },
  sellerType: { names: ['sellertype', 'isdealer', 'dealertype'] },
  sellerPhone: {
    names: ['dealerphone', 'phone', 'sellerphone', 'telephone'],
    looks: matches(/\d{3}.*\d{4}/),
  },
  sellerWebsite: { names: ['dealerwebsite', 'website', 'dealerurl'], looks: matches(/^https?:\/\//i) },
  sellerAddress: { names: ['dealeraddress', 'address', 'street', 'streetaddress'] },
  city: { names: ['city', 'dealercity', 'sellercity'] },
  state: { names: ['state', 'dealerstate', 'region', 'province'], looks: matches(/^[A-Z]{2}$/i) },
  zip: {
    names: ['zip', 'zipcode', 'postalcode', 'dealerzip', 'dealerzipcode', 'scrapezip'],
    looks: matches(/^\d{5}(-\d{4})?$/),
  },
};

/** A proposed mapping, as JSON for a file, and what the operator should look at. */
export interface Suggestion {
  readonly mapping: {
    readonly source: string;
    readonly photoHosts?: readonly string[];
    readonly fields: Partial<Record<FeedField, unknown>>;
  };
  readonly notes: readonly string[];
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const textsOf = (value: unknown): string[] =>
  [value]
    .flat()
    .map((item) => (typeof item === 'string' || typeof item === 'number' ? String(item) : '').trim())
    .filter(Boolean);

/** Between 0 and 1: by the name, and by the share of values that look right. */
function confidence({ names, looks }: Hint, column: string, values: readonly string[]): number {
  const name = plain(column);
  const place = names.indexOf(name);
  const byName =
    place >= 0 ? 1 - place * 0.02 : names.some((each) => each.length > 4 && name.includes(each)) ? 0.55 : 0;
  if (!looks || values.length === 0) return byName * (looks ? 0.6 : 0.9);
  const fit = values.filter(looks).length / values.length;
  // A common name is accepted if its values fit; values alone are weak evidence.
  return fit < 0.5
    ? byName * 0.3
    : byName > 0
      ? byName * (0.6 + 0.4 * fit)
      : fit > 0.95 && names[0] === 'vin'
        ? 0.9
        : 0;
}

/** Reads the beginning of a feed and proposes a source column for each field that it finds. */
export async function suggestMapping(path: string): Promise<Suggestion> {
  const columns = await columnsOfFeed(path);
  const candidates = (Object.entries(HINTS) as [FeedField, Hint][])
    .flatMap(([field, hint]) =>
      [...columns].map(([column, values]) => ({ field, column, sure: confidence(hint, column, values) })),
    )
    .filter(({ sure }) => sure >= 0.4)
    .sort((a, b) => b.sure - a.sure);
  const chosen = new Map<FeedField, { column: string; sure: number }>();
  const used = new Set<string>();
  for (const { field, column, sure } of candidates) {
    if (chosen.has(field) || used.has(column)) continue;
    chosen.set(field, { column, sure });
    used.add(column);
  }
  const fields: Partial<Record<FeedField, unknown>> = {};
  for (const [field, { column }] of chosen) fields[field] = column;
  const notes = [...chosen].map(
    ([field, { column, sure }]) => `${field}: '${column}', ${Math.round(sure * 100)} % sure`,
  );
  if (!fields.city && !fields.zip) proposePlace(columns, used, fields, notes);
  for (const field of ['year', 'make', 'model', 'price', 'mileage', 'sellerName'] as const)
    if (!fields[field]) notes.push(`${field}: no column found; please add one or a constant`);
  if (!fields.zip && !fields.city) notes.push('place: no column found; please add zip, or city and state');
  const unused = [...columns.keys()].filter((column) => !used.has(column));
  if (unused.length > 0) notes.push(`Not mapped: ${unused.join(', ')}`);
  const hosts = photoHosts(chosen.get('photoUrls')?.column, columns);
  return {
    mapping: {
      source: plain(basename(path).replace(/\.\w+$/, '')) || 'feed',
      ...(hosts.length > 0 && { photoHosts: hosts }),
      fields,
    },
    notes,
  };
}

/** 'Pasadena, CA (19 mi.)' in one column. */
function proposePlace(
  columns: ReadonlyMap<string, readonly string[]>,
  used: Set<string>,
  fields: Partial<Record<FeedField, unknown>>,
  notes: string[],
): void {
  const place = [...columns].find(
    ([column, values]) =>
      !used.has(column) && values.length > 0 && values.every((text) => /^.+, [A-Z]{2}\b/.test(text)),
  )?.[0];
  if (place === undefined) return;
  used.add(place);
  fields.city = { column: place, pattern: '^(.*), [A-Z]{2}\\b' };
  fields.state = { column: place, pattern: ', ([A-Z]{2})\\b' };
  notes.push(`city and state: parts of '${place}'`);
}

function photoHosts(column: string | undefined, columns: ReadonlyMap<string, readonly string[]>): string[] {
  const urls = (columns.get(column ?? '') ?? []).flatMap(
    (text) => text.match(/https?:\/\/[^/\s|;,"]+/gi) ?? [],
  );
  return [...new Set(urls.map((url) => new URL(url).hostname))];
}

/** Values of the first rows by column. */
async function columnsOfFeed(path: string): Promise<Map<string, string[]>> {
  const columns = new Map<string, string[]>();
  const { rows } = openFeed(path, { encoding: 'auto', delimiter: 'auto' });
  let read = 0;
  for await (const row of rows) {
    if ('row' in row) addValues(columns, row.row);
    read += 1;
    if (read >= SAMPLE) break;
  }
  return columns;
}

function addValues(columns: Map<string, string[]>, row: SourceRow): void {
  for (const [column, value] of Object.entries(row)) {
    const values = columns.get(column) ?? [];
    values.push(...textsOf(value));
    columns.set(column, values);
  }
}
