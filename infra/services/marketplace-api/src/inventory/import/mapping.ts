import { z } from 'zod';
import { OTHER_VEHICLE_KINDS } from './otherVehicles.ts';

/** Fields of a listing and its seller that a feed can provide. */
const FEED_FIELDS = [
  'vin',
  'stockNumber',
  /** Whether it is for sale: available, sold, pending… */
  'status',
  /** Car, motorcycle, trailer… */
  'vehicleType',
  'listingType',
  'year',
  'make',
  'model',
  'trim',
  'bodyStyle',
  'fuel',
  'drive',
  'transmission',
  'engine',
  'cylinders',
  'doors',
  'seats',
  'extColor',
  'intColor',
  'mileage',
  'price',
  'msrp',
  'features',
  'photoUrls',
  'listedOn',
  'sellerName',
  'sellerType',
  'sellerPhone',
  'sellerWebsite',
  'sellerAddress',
  'city',
  'state',
  'zip',
] as const;
export type FeedField = (typeof FEED_FIELDS)[number];

/** Fields that hold several values: all columns and elements count, not the first alone. */
export const LIST_FIELDS: ReadonlySet<FeedField> = new Set(['features', 'photoUrls']);

const FEED_FORMATS = ['csv', 'jsonl', 'json', 'xml'] as const;

const pattern = z.string().refine(isPattern, 'is not a valid regular expression');

const conversions = {
  /** The first group of the first match becomes the value; no match gives an empty value. */
  pattern: pattern.optional(),
  /** Maps the feed's words to ours; other words stay. */
  values: z.record(z.string(), z.string()).optional(),
  /** For an empty value. */
  default: z.string().optional(),
  /** Of a mileage; a unit in the text takes precedence. */
  unit: z.enum(['mi', 'km']).optional(),
  /** Of a price, as ISO 4217; a sign in the text takes precedence. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a code such as EUR')
    .optional(),
};

/** Source of a value: a column, a constant, or columns with conversions. */
const sourceSchema = z.union([
  z.string().min(1),
  z.strictObject({ constant: z.string() }),
  z.strictObject({ column: z.string().min(1), ...conversions }),
  z.strictObject({
    /** The first one with a value counts; all do for photos, features and with `join`. */
    columns: z.array(z.string().min(1)).min(1),
    join: z.string().optional(),
    ...conversions,
  }),
]);
export type FieldSource = z.infer<typeof sourceSchema>;

export const mappingSchema = z.strictObject({
  /** Name of the feed; an import replaces and expires listings of its own source only. */
  source: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/, 'must contain lower-case letters, digits and hyphens only'),
  format: z.enum(FEED_FORMATS).optional(),
  /** Name of the XML element, or of the JSON field with the array, that holds the rows; by default the first. */
  rows: z.string().min(1).optional(),
  encoding: z.enum(['auto', 'utf-8', 'windows-1252', 'latin1', 'utf-16le', 'utf-16be']).default('auto'),
  /** `auto`: the most frequent of comma, semicolon, tab and bar in the first line. */
  delimiter: z.union([z.string().length(1), z.literal('auto')]).default('auto'),
  /** Hosts that photos may come from: 'photos.example', or '*.dealer.example' for all below it. Without any, none is fetched. */
  photoHosts: z
    .array(z.string().regex(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a host name, or *. and one'))
    .default([]),
  distanceUnit: z.enum(['mi', 'km']).default('mi'),
  /** US dollars of one unit of other currencies; without a rate, such a price is left out. */
  currencyRates: z.record(z.string().regex(/^[A-Z]{3}$/), z.number().positive()).default({}),
  /** Rows that are imported: those whose column has one of the words (`only`), or none of them (`except`). */
  filters: z
    .array(
      z
        .strictObject({
          column: z.string().min(1),
          only: z.array(z.string()).optional(),
          except: z.array(z.string()).optional(),
        })
        .refine(({ only, except }) => (only === undefined) !== (except === undefined), {
          message: 'needs either only or except',
        }),
    )
    .default([]),
  /** Kinds of vehicles besides cars that are imported. */
  otherVehicles: z.array(z.enum(OTHER_VEHICLE_KINDS)).default([]),
  fields: z
    .partialRecord(z.enum(FEED_FIELDS), sourceSchema)
    .refine((fields) => fields.year && fields.model, 'needs at least year and model'),
});
export type FeedMapping = z.infer<typeof mappingSchema>;

export type SourceRow = Readonly<Record<string, unknown>>;
export type FeedRow = Readonly<Partial<Record<FeedField, string>>>;

/** The columns of a source. */
export const columnsOfSource = (source: FieldSource): readonly string[] => {
  if (typeof source === 'string') return [source];
  if ('column' in source) return [source.column];
  return 'columns' in source ? source.columns : [];
};

/** The columns that a mapping uses, each once. */
export const columnsOf = ({ fields, filters }: FeedMapping): readonly string[] => [
  ...new Set([...Object.values(fields).flatMap(columnsOfSource), ...filters.map(({ column }) => column)]),
];

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** A row of a feed, or the problem at that line (from 1). */
export type ReadRow =
  | { readonly line: number; readonly row: SourceRow }
  | { readonly line: number; readonly problem: string; readonly text: string };

/** Most characters of a row; an unclosed quote would swallow the rest of the file. */
export const LONGEST_ROW = 1_000_000;

/**
 * An unclosed quote makes one row of the rest of the file. The feed is unreadable
 * from there on, so nothing may be expired.
 */
export class BrokenFeed extends Error {
  readonly code = 'BROKEN_FEED';
}
