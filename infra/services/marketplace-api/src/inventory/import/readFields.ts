import { cellText, isDamaged } from './cellText.ts';
import {
  type FeedField,
  type FeedMapping,
  type FeedRow,
  type FieldSource,
  LIST_FIELDS,
  type SourceRow,
  columnsOfSource,
} from './mapping.ts';
import { createNoValueTest, withoutMarkers } from './noValue.ts';
import type { AddNote } from './rowNotes.ts';

/** Names into which machines write words for no value. */
const NAMES: ReadonlySet<FeedField> = new Set([
  'make',
  'model',
  'trim',
  'engine',
  'sellerName',
  'sellerAddress',
]);

/** Between entries of a list; no address of a photo contains it. */
export const ENTRY_BREAK = '\n';

/** A list's entries as they are: the separators between addresses are not always those between words. */
function entriesOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? value.map(entriesOf).filter(Boolean).join(ENTRY_BREAK) : '';
}

/** The value of a column; the text of an element that has attributes too is beside them. */
const valueIn = (row: SourceRow, column: string): unknown => row[column] ?? row[`${column}.#text`];

/** Returns a function that gives the first text that stands for a value. */
function createScalarReader(
  columns: readonly string[],
  { field, note, isNoValue }: { field: FeedField; note: AddNote; isNoValue: (text: string) => boolean },
): (row: SourceRow) => string {
  const isName = NAMES.has(field);
  const textOf = (value: unknown): string => {
    if (typeof value === 'string') {
      if (value === '') return '';
      const text = cellText(value);
      if (isDamaged(text)) {
        note(field, 'damaged', text);
        return '';
      }
      if (text === '' || !isNoValue(text)) return isName ? withoutMarkers(text) : text;
      note(field, 'placeholder', text);
      return '';
    }
    if (typeof value === 'number' || typeof value === 'boolean') return textOf(String(value));
    if (!Array.isArray(value)) return '';
    for (const item of value) {
      const text = textOf(item);
      if (text) return text;
    }
    return '';
  };
  const [first, ...others] = columns;
  return (row) => {
    let text = first === undefined ? '' : textOf(valueIn(row, first));
    for (let at = 0; text === '' && at < others.length; at += 1) text = textOf(valueIn(row, others[at]!));
    return text;
  };
}

function createRawReader(
  source: FieldSource,
  field: FeedField,
  note: AddNote,
  isNoValue: (text: string) => boolean,
): (row: SourceRow) => string {
  const columns = columnsOfSource(source);
  if (LIST_FIELDS.has(field))
    return (row) => {
      const entries = columns.map((column) => entriesOf(valueIn(row, column))).filter(Boolean);
      const text = entries.join(ENTRY_BREAK);
      return text !== '' && isNoValue(text) ? '' : text;
    };
  if (typeof source !== 'string' && 'join' in source && source.join !== undefined) {
    const readers = columns.map((column) => createScalarReader([column], { field, note, isNoValue }));
    const { join } = source;
    return (row) =>
      readers
        .map((read) => read(row))
        .filter(Boolean)
        .join(join);
  }
  return createScalarReader(columns, { field, note, isNoValue });
}

/** Returns a function that applies the conversions of a source. */
function createConversion(
  { pattern, values }: Pick<Extract<FieldSource, { column: string }>, 'pattern' | 'values'>,
  isNoValue: (text: string) => boolean,
): (text: string) => string {
  const matcher = pattern ? new RegExp(pattern, 'u') : undefined;
  const exact = new Map(Object.entries(values ?? {}));
  const inAnyCase = new Map([...exact].map(([word, value]) => [word.toLowerCase(), value]));
  return (text) => {
    const found = matcher ? (matcher.exec(text)?.[1] ?? '').trim() : text;
    const mapped = exact.get(found) ?? inAnyCase.get(found.toLowerCase());
    if (mapped !== undefined) return mapped;
    return found !== '' && isNoValue(found) ? '' : found;
  };
}

function createValueReader(field: FeedField, source: FieldSource, note: AddNote): (row: SourceRow) => string {
  if (typeof source !== 'string' && 'constant' in source) return () => source.constant;
  const isNoValue = createNoValueTest(field);
  if (typeof source === 'string') return createRawReader(source, field, note, isNoValue);
  const { pattern, values, default: otherwise = '' } = source;
  if (pattern === undefined && values === undefined) {
    const read = createRawReader(source, field, note, isNoValue);
    return (row) => read(row) || otherwise;
  }
  const convert = createConversion(source, isNoValue);
  const isWhole = LIST_FIELDS.has(field) || ('join' in source && source.join !== undefined);
  // A word that the mapping translates counts, whatever it is; one that it translates to nothing leaves the next column.
  const parts = isWhole
    ? [createRawReader(source, field, note, isNoValue)]
    : columnsOfSource(source).map((column) =>
        createScalarReader([column], { field, note, isNoValue: () => false }),
      );
  return (row) => {
    for (const read of parts) {
      const text = convert(read(row));
      if (text !== '') return text;
    }
    return otherwise;
  };
}

/** Returns a function that maps a row to our fields; what stands for no value is omitted. */
export function createFieldReader(mapping: FeedMapping, note: AddNote): (row: SourceRow) => FeedRow {
  const readers = Object.entries(mapping.fields).map(
    ([field, source]) => [field as FeedField, createValueReader(field as FeedField, source, note)] as const,
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

/** Returns a function that tells whether the mapping's filters let a row pass. */
export function createRowFilter({ filters }: Pick<FeedMapping, 'filters'>): (row: SourceRow) => boolean {
  const plain = (text: string) => text.trim().toLowerCase();
  const tests = filters.map(({ column, only, except }) => {
    const words = new Set((only ?? except ?? []).map(plain));
    const wanted = only !== undefined;
    return (row: SourceRow) => words.has(plain(cellText(entriesOf(valueIn(row, column))))) === wanted;
  });
  return (row) => tests.every((test) => test(row));
}
