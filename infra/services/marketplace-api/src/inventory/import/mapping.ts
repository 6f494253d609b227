import { z } from 'zod';

/** Fields of a listing and its seller that a feed can provide. */
const FEED_FIELDS = [
  'vin',
  'stockNumber',
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

const FEED_FORMATS = ['csv', 'jsonl', 'json', 'xml'] as const;

const pattern = z.string().refine(isPattern, 'is not a valid regular expression');

/** Source of a value: a column, a constant, or a column with conversions. */
const sourceSchema = z.union([
  z.string().min(1),
  z.strictObject({ constant: z.string() }),
  z.strictObject({
    column: z.string().min(1),
    /** The first group of the first match becomes the value; no match gives an empty value. */
    pattern: pattern.optional(),
    /** Maps the feed's words to ours; other words stay. */
    values: z.record(z.string(), z.string()).optional(),
    /** For an empty value. */
    default: z.string().optional(),
  }),
]);
type FieldSource = z.infer<typeof sourceSchema>;

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
  fields: z
    .partialRecord(z.enum(FEED_FIELDS), sourceSchema)
    .refine((fields) => fields.year && fields.model, 'needs at least year and model'),
});
export type FeedMapping = z.infer<typeof mappingSchema>;

export type SourceRow = Readonly<Record<string, unknown>>;
export type FeedRow = Readonly<Partial<Record<FeedField, string>>>;

/** Returns a function that maps a row to our fields; empty values are omitted. */
export function createRowReader(mapping: FeedMapping): (row: SourceRow) => FeedRow {
  const readers = Object.entries(mapping.fields).map(
    ([field, source]) => [field as FeedField, createValueReader(source)] as const,
  );
  return (row) => {
    const read: Partial<Record<FeedField, string>> = {};
    for (const [field, valueOf] of readers) {
      const value = valueOf(row);
      if (value) read[field] = value;
    }
    return read;
  };
}

/** The columns that a mapping uses. */
export function columnsOf(mapping: FeedMapping): string[] {
  return Object.values(mapping.fields).flatMap((source) =>
    typeof source === 'string' ? [source] : 'column' in source ? [source.column] : [],
  );
}

function createValueReader(source: FieldSource): (row: SourceRow) => string {
  if (typeof source === 'string') return (row) => textOf(row[source]);
  if ('constant' in source) return () => source.constant;
  const matcher = source.pattern ? new RegExp(source.pattern, 'u') : undefined;
  const values = new Map(Object.entries(source.values ?? {}));
  return (row) => {
    let text = textOf(row[source.column]);
    if (matcher) text = (matcher.exec(text)?.[1] ?? '').trim();
    return (values.get(text) ?? text) || (source.default ?? '');
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map(textOf).filter(Boolean).join('|') : '';
}

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
