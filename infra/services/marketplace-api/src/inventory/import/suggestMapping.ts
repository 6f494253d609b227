import { basename } from 'node:path';
import { cellText } from './cellText.ts';
import { fieldsNamed, plainName } from './columnNames.ts';
import { type FeedField, type FieldSource, type SourceRow, columnsOfSource } from './mapping.ts';
import { openFeed } from './openFeed.ts';
import { PRESETS, type Preset } from './presets.data.ts';
import { parseDay } from './parseDay.ts';
import { isForSale } from './saleStatus.ts';
import { parseNumber } from './values.ts';
import { parseListingType } from './vehicleWords.ts';
import { knownMake, readVin } from './vin.ts';

/** Rows that are looked at. */
const SAMPLE = 200;

const isBetween = (low: number, high: number) => (text: string) => {
  const value = parseNumber(text.replace(/[$€£]|\bmi(les)?\b|\bkm\b|\b[A-Z]{3}\b/gi, '').trim());
  return value !== undefined && value >= low && value <= high;
};
const matches = (pattern: RegExp) => (text: string) => pattern.test(text);

/** What most values of a field look like. */
const LOOKS: Readonly<Partial<Record<FeedField, (text: string) => boolean>>> = {
  vin: (text) => readVin(text) !== undefined,
  status: (text) => isForSale(text) !== undefined,
  listingType: (text) => parseListingType(text) !== undefined,
  year: isBetween(1950, 2100),
  drive: matches(/[afr24]wd|4x4|4x2|front|rear|all|four/i),
  transmission: matches(/auto|man|cvt|speed|dct/i),
  cylinders: matches(/^\D{0,2}(?:[3-6]|8|10|12)\b|^other$/i),
  doors: isBetween(1, 6),
  seats: isBetween(1, 20),
  mileage: isBetween(0, 500_000),
  price: isBetween(300, 2_000_000),
  msrp: isBetween(3_000, 2_000_000),
  photoUrls: matches(/^(?:https?:)?\/\/|^\[/i),
  listedOn: (text) => parseDay(text) !== undefined,
  sellerPhone: matches(/\d{3}.*\d{4}/),
  sellerWebsite: matches(/^https?:\/\//i),
  state: matches(/^[A-Z]{2}$/i),
  zip: matches(/^\d{5}(-\d{4})?$/),
};

/** What is needed of a feed; the other fields make it better. */
const WANTED = ['year', 'make', 'model', 'price', 'mileage', 'sellerName'] as const;

/** A proposed mapping, as JSON for a file, and what the operator should look at. */
export interface Suggestion {
  readonly mapping: {
    readonly source: string;
    readonly photoHosts?: readonly string[];
    readonly fields: Partial<Record<FeedField, FieldSource>>;
  };
  /** The format that was recognized. */
  readonly preset?: string;
  /** The feed's columns in their order. */
  readonly columns: SuggestedColumn[];
  /** Fields without a column that a feed should have. */
  readonly missing: readonly string[];
  readonly notes: readonly string[];
}

interface SuggestedColumn {
  readonly name: string;
  /** The beginning of the first value; empty without any. */
  readonly sample: string;
  /** The proposed fields, each with a confidence between 0 and 1. */
  readonly fields: { field: FeedField; sure: number }[];
}

/** Values of the first rows by column. */
type Columns = ReadonlyMap<string, readonly string[]>;

interface Proposal {
  readonly source: FieldSource;
  readonly sure: number;
}

const textsOf = (value: unknown): string[] =>
  [value]
    .flat()
    .map((item) =>
      typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean'
        ? cellText(String(item))
        : '',
    )
    .filter(Boolean);

/** Between 0 and 1: by the name, and by the share of values that look right. */
function confidence(field: FeedField, byName: number, values: readonly string[]): number {
  const looks = LOOKS[field];
  if (!looks || values.length === 0) return byName * (looks ? 0.6 : 0.9);
  const fit = values.filter(looks).length / values.length;
  // A common name is accepted if its values fit; values alone are weak evidence.
  if (fit < 0.5) return byName * 0.3;
  if (byName > 0) return byName * (0.6 + 0.4 * fit);
  return fit > 0.95 && field === 'vin' ? 0.9 : 0;
}

/** Least confidence of a proposal. */
const SURE_ENOUGH = 0.4;

/** For each field the column that fits best; each column for one field. */
function byNames(columns: Columns): Map<FeedField, Proposal> {
  const candidates = [...columns].flatMap(([column, values]) => {
    const named = fieldsNamed(column);
    const fields = new Set<FeedField>(['vin', ...named.keys()]);
    return [...fields].map((field) => ({
      field,
      column,
      sure: confidence(field, named.get(field) ?? 0, values),
    }));
  });
  const chosen = new Map<FeedField, Proposal>();
  const used = new Set<string>();
  for (const { field, column, sure } of candidates.toSorted((a, b) => b.sure - a.sure)) {
    if (sure < SURE_ENOUGH || chosen.has(field) || used.has(column)) continue;
    chosen.set(field, { source: column, sure });
    used.add(column);
  }
  return chosen;
}

/** The documented format of the columns. */
const presetOf = (columns: Columns): Preset | undefined => {
  const names = new Set([...columns.keys()].map(plainName));
  return PRESETS.find(({ signature }) => signature.every((column) => names.has(plainName(column))));
};

/** A preset's source with the names that the feed has; undefined without any of its columns. */
function present(source: FieldSource, columns: Columns): FieldSource | undefined {
  const nameOf = new Map([...columns.keys()].map((name) => [plainName(name), name]));
  const found = columnsOfSource(source).flatMap((column) => nameOf.get(plainName(column)) ?? []);
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  if (typeof source === 'string') return first;
  if ('column' in source) return { ...source, column: first };
  if (!('columns' in source)) return source;
  const { columns: _, join, ...conversions } = source;
  if (others.length > 0) return { ...source, columns: found };
  return Object.keys(conversions).length > 0 ? { column: first, ...conversions } : first;
}

const PLACE = /^.+, [A-Z]{2}\b/;
const TITLE = /^((?:19|20)\d{2})\s+\S/;
const YES_OR_NO = /^(?:y|n|yes|no|t|f|true|false|0|1|0\.0|1\.0)$/i;
const ALL_WHEELS = /^(?:is|has)?(?:awd|4wd|4x4|allwheeldrive|fourwheeldrive|awd4wd)$/;

const isMost = (values: readonly string[], test: (text: string) => boolean): boolean =>
  values.length > 0 && values.filter(test).length / values.length > 0.9;

/** Facts that stand together in one column, or as yes and no: place, title with year and make, all-wheel drive. */
function proposeParts(columns: Columns, chosen: Map<FeedField, Proposal>): void {
  const used = new Set([...chosen.values()].flatMap(({ source }) => columnsOfSource(source)));
  const free = [...columns].filter(([column]) => !used.has(column));
  const propose = (field: FeedField, source: FieldSource) => {
    if (!chosen.has(field)) chosen.set(field, { source, sure: 0.8 });
  };
  for (const [column, values] of free) {
    if (!chosen.has('city') && isMost(values, (text) => PLACE.test(text))) {
      propose('city', { column, pattern: '^(.*), [A-Z]{2}\\b' });
      propose('state', { column, pattern: ', ([A-Z]{2})\\b' });
    } else if (isMost(values, (text) => TITLE.test(text)) && !chosen.has('model')) {
      propose('year', { column, pattern: '^((?:19|20)\\d{2})\\b' });
      propose('model', { column, pattern: '^(?:19|20)\\d{2}\\s+(.+)$' });
    } else if (ALL_WHEELS.test(plainName(column)) && isMost(values, (text) => YES_OR_NO.test(text))) {
      const words = [...new Set(values)];
      const isYes = (word: string) => /^(?:y|t|1)/i.test(word);
      propose('drive', {
        column,
        values: Object.fromEntries(words.map((word) => [word, isYes(word) ? 'AWD4WD' : ''])),
      });
    }
  }
}

/** Whether the values of the model's column begin with a make. */
function hasMakes(columns: Columns, model: Proposal | undefined): boolean {
  const [column = ''] = model ? columnsOfSource(model.source) : [];
  const bare = (columns.get(column) ?? []).map((text) => text.replace(/^(?:19|20)\d{2}\s+/, '').split(/\s+/));
  return (
    bare.length > 0 &&
    bare.filter(([one = '', two = '']) => knownMake(one) ?? knownMake(`${one} ${two}`)).length / bare.length >
      0.7
  );
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Names of sources, for the terminal. */
const namesOf = (source: FieldSource): string =>
  columnsOfSource(source)
    .map((column) => `'${column}'`)
    .join(', ');

const MAX_SHOWN = 40;
const sampleOf = (values: readonly string[] = []): string => {
  const [first] = values;
  return first === undefined ? 'empty' : `such as '${first.slice(0, MAX_SHOWN)}'`;
};

/**
 * Reads the beginning of a feed of any form and proposes a source for each field that it finds.
 *
 * @param given fields that are known without a column
 */
export async function suggestMapping(path: string, given: readonly string[] = []): Promise<Suggestion> {
  const columns = await columnsOfFeed(path);
  const preset = presetOf(columns);
  const chosen = byNames(columns);
  if (preset)
    for (const [field, source] of Object.entries(preset.fields) as [FeedField, FieldSource][]) {
      const own = present(source, columns);
      if (own !== undefined) chosen.set(field, { source: own, sure: 1 });
    }
  proposeParts(columns, chosen);
  const hasMake = chosen.has('make') || hasMakes(columns, chosen.get('model'));
  const isKnown = (field: FeedField) => chosen.has(field) || given.includes(field);
  const missing: string[] = WANTED.filter((field) => !isKnown(field) && !(field === 'make' && hasMake));
  if (!isKnown('zip') && !isKnown('city')) missing.push('place');
  const used = new Set([...chosen.values()].flatMap(({ source }) => columnsOfSource(source)));
  const unused = [...columns].filter(([column]) => !used.has(column));
  const photos = chosen.get('photoUrls');
  const hosts = photos ? photoHosts(columnsOfSource(photos.source), columns) : [];
  return {
    mapping: {
      source: plainName(basename(path).replace(/(?:\.\w+)+$/, '')) || 'feed',
      ...(hosts.length > 0 && { photoHosts: hosts }),
      fields: Object.fromEntries([...chosen].map(([field, { source }]) => [field, source])),
    },
    ...(preset && { preset: preset.name }),
    columns: [...columns].map(([name, values]) => ({
      name,
      sample: (values[0] ?? '').slice(0, MAX_SHOWN),
      fields: [...chosen].flatMap(([field, { source, sure }]) =>
        columnsOfSource(source).includes(name) ? [{ field, sure }] : [],
      ),
    })),
    missing,
    notes: [
      ...(preset ? [`The columns are those of ${preset.name}.`] : []),
      ...[...chosen].map(
        ([field, { source, sure }]) =>
          `${field}: ${namesOf(source)}, ${percent(sure)} sure, ${sampleOf(columns.get(columnsOfSource(source)[0] ?? ''))}`,
      ),
      ...(hasMake && !chosen.has('make') ? ["make: the first words of the model's column"] : []),
      ...missing.map((field) =>
        field === 'place'
          ? 'place: no column found; please add zip, or city and state'
          : `${field}: no column found; please add one or a constant`,
      ),
      ...(unused.length > 0 ? [`Not mapped: ${unused.map(([column]) => column).join(', ')}`] : []),
    ],
  };
}

function photoHosts(names: readonly string[], columns: Columns): string[] {
  const urls = names
    .flatMap((name) => columns.get(name) ?? [])
    .flatMap((text) => text.match(/(?:https?:)?\/\/[^/\s|;,"'\]]+/gi) ?? []);
  const hosts = urls.map((url) => URL.parse(url.startsWith('//') ? `https:${url}` : url)?.hostname ?? '');
  return [...new Set(hosts.filter((host) => host.includes('.')))];
}

async function columnsOfFeed(path: string): Promise<Columns> {
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
