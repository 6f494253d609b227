import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import iconv from 'iconv-lite';
import { type FeedMapping, type SourceRow, BrokenFeed, LONGEST_ROW, type ReadRow } from './mapping.ts';
import { XMLParser } from 'fast-xml-parser';

/**
 * A nested row as columns: `price.amount`, `photos.photo`. A list of values stays one; of a list of groups the first
 * one counts, except that their equal fields are collected: `[{url: 'a'}, {url: 'b'}]` is `url: ['a', 'b']`.
 */
export function flatten(value: unknown, name = '', into: Record<string, unknown> = {}): SourceRow {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    for (const item of value) flatten(item, name, into);
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [key, item] of Object.entries(value)) flatten(item, name ? `${name}.${key}` : key, into);
  } else if (value !== undefined && value !== null) {
    const before = into[name];
    into[name] = before === undefined ? value : [before, value].flat();
  }
  return into;
}

const lineBreaks = (text: string): number => text.split('\n').length - 1;

/** Objects of the first array of a JSON document, or of the array in field `rows`. */
async function* readJson(text: AsyncIterable<string>, rows?: string): AsyncIterable<ReadRow> {
  // Outside of strings, brackets alone decide where a row begins and ends.
  let [depth, line, rowLine, row, word] = [0, 1, 1, '', ''];
  let isString = false;
  let isEscaped = false;
  let listDepth: number | undefined;
  let hasEnded = false;
  for await (const chunk of text) {
    for (const sign of chunk) {
      if (sign === '\n') line += 1;
      if (hasEnded) continue;
      const isInRow = listDepth !== undefined && depth > listDepth;
      if (isInRow) row += sign;
      if (row.length > LONGEST_ROW) throw new BrokenFeed(`Unclosed object after line ${rowLine}`);
      if (isString) {
        if (!isEscaped && sign === '"') isString = false;
        else if (!isInRow) word += sign;
        isEscaped = !isEscaped && sign === '\\';
      } else if (sign === '"') {
        isString = true;
        if (!isInRow) word = '';
      } else if (sign === '{' || sign === '[') {
        depth += 1;
        if (listDepth === undefined && sign === '[' && (rows === undefined || word === rows))
          listDepth = depth;
        else if (listDepth !== undefined && depth === listDepth + 1) [row, rowLine] = [sign, line];
      } else if (sign === '}' || sign === ']') {
        depth -= 1;
        if (listDepth !== undefined && depth === listDepth)
          yield jsonRow(row, rowLine, (value) => flatten(value));
        if (listDepth !== undefined && depth < listDepth) hasEnded = true;
      }
    }
  }
  if (listDepth === undefined) throw new BrokenFeed(rows ? `No array '${rows}'` : 'No array of rows');
  if (!hasEnded) throw new BrokenFeed(`Unclosed array after line ${line}`);
}

/** A row of JSON. `toRow` returns undefined for a value that isn't one. */
function jsonRow(text: string, line: number, toRow: (value: unknown) => SourceRow | undefined): ReadRow {
  try {
    const row = toRow(JSON.parse(text));
    return row ? { line, row } : { line, problem: 'is not a JSON object', text };
  } catch {
    return { line, problem: 'is not valid JSON', text };
  }
}

/** Entities of a document type are not expanded. */
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  trimValues: true,
  // Also character references, e.g. &#235;
  htmlEntities: true,
});

/** The elements `rows` of an XML document; by default those named like the first child of the root. */
async function* readXml(text: AsyncIterable<string>, rows?: string): AsyncIterable<ReadRow> {
  let buffer = '';
  let line = 1;
  let name = rows;
  for await (const chunk of text) {
    buffer += chunk;
    name ??= firstChild(buffer);
    if (name === undefined) continue;
    const end = `</${name}>`;
    const start = new RegExp(`<${escapeName(name)}[\\s>]`);
    for (let at = buffer.indexOf(end); at >= 0; at = buffer.indexOf(end)) {
      const piece = buffer.slice(0, at + end.length);
      const begins = piece.search(start);
      line += lineBreaks(piece.slice(0, Math.max(0, begins)));
      if (begins >= 0) yield xmlRow(piece.slice(begins), name, line);
      line += lineBreaks(piece.slice(Math.max(0, begins)));
      buffer = buffer.slice(at + end.length);
    }
    if (buffer.length > LONGEST_ROW) throw new BrokenFeed(`Unclosed element after line ${line}`);
  }
  if (name === undefined) throw new BrokenFeed('No elements in the document');
  if (new RegExp(`<${escapeName(name)}[\\s>]`).test(buffer))
    throw new BrokenFeed(`Unclosed element after line ${line}`);
}

const escapeName = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Name of the second element; undefined as long as the text is too short. */
function firstChild(text: string): string | undefined {
  const bare = text.replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<![^>]*>/g, '');
  return [...bare.matchAll(/<([A-Za-z_][\w.:-]*)(?=[\s>])[^>]*>/g)][1]?.[1];
}

function xmlRow(text: string, name: string, line: number): ReadRow {
  try {
    const parsed = parser.parse(text) as Record<string, unknown>;
    return { line, row: flatten(parsed[name]) };
  } catch (error) {
    return { line, problem: `is not valid XML: ${(error as Error).message}`, text };
  }
}

/** An open feed. */
export interface Feed {
  readonly rows: AsyncIterable<ReadRow>;
  readonly totalBytes: number;
  bytesRead(): number;
}

/** Reported characters of an overlong row. */
const SHOWN_OF_OVERLONG = 200;

/** By the mapping, else by the file's name. */
export function formatOf(
  path: string,
  { format }: Pick<FeedMapping, 'format'>,
): NonNullable<FeedMapping['format']> {
  if (format) return format;
  const [, extension = ''] = /\.(\w+)$/.exec(path) ?? [];
  return (
    ({ jsonl: 'jsonl', ndjson: 'jsonl', json: 'json', xml: 'xml' } as const)[extension.toLowerCase()] ?? 'csv'
  );
}

/** How a feed is read; a part of its mapping. */
export type FeedShape = Pick<FeedMapping, 'format' | 'encoding' | 'delimiter' | 'rows'>;

/** Streams and decodes a file of any format. */
export function openFeed(path: string, shape: FeedShape): Feed {
  const encoding = shape.encoding === 'auto' ? detectEncoding(path) : shape.encoding;
  const file = createReadStream(path);
  const text = file.pipe(iconv.decodeStream(encoding)) as unknown as Readable;
  file.on('error', (error) => text.destroy(error));
  const readers = {
    csv: () => readCsv(text, shape.delimiter === 'auto' ? detectDelimiter(path, encoding) : shape.delimiter),
    jsonl: () => readJsonLines(text),
    json: () => readJson(text, shape.rows),
    xml: () => readXml(text, shape.rows),
  };
  return {
    rows: readers[formatOf(path, shape)](),
    totalBytes: statSync(path).size,
    bytesRead: () => file.bytesRead,
  };
}

async function* readJsonLines(text: AsyncIterable<string>): AsyncIterable<ReadRow> {
  let line = 0;
  for await (const raw of linesOf(text)) {
    line += 1;
    if (typeof raw !== 'string')
      yield {
        line,
        problem: `is longer than ${LONGEST_ROW.toLocaleString('en-US')} characters`,
        text: raw.begins,
      };
    else if (raw.trim() !== '') yield jsonRow(raw, line, (value) => (isRecord(value) ? value : undefined));
  }
}

/** Lines without line breaks; only the beginning of an overlong one. */
async function* linesOf(text: AsyncIterable<string>): AsyncIterable<string | { readonly begins: string }> {
  let rest = '';
  let begins: string | undefined;
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      yield begins === undefined ? line.replace(/\r$/, '') : { begins };
      begins = undefined;
    }
    if (rest.length > LONGEST_ROW) {
      begins ??= rest.slice(0, SHOWN_OF_OVERLONG);
      rest = '';
    }
  }
  if (begins !== undefined) yield { begins };
  else if (rest !== '') yield rest;
}

function isRecord(value: unknown): value is SourceRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ENDLESS = new Set(['CSV_MAX_RECORD_SIZE', 'CSV_QUOTE_NOT_CLOSED']);

interface ParsedRecord {
  readonly info: { readonly lines: number };
  readonly record: SourceRow;
}

async function* readCsv(text: Readable, delimiter: string): AsyncIterable<ReadRow> {
  const skipped: ReadRow[] = [];
  let lastLine = 0;
  const parser = parse({
    delimiter,
    bom: true,
    columns: (names: string[]) => names.map((name) => name.trim()),
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LONGEST_ROW,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error, raw) => {
      if (error && ENDLESS.has(error.code)) {
        parser.destroy(new BrokenFeed(`Unclosed quote after line ${lastLine}`));
        return;
      }
      skipped.push({
        line: Number(error?.['lines'] ?? 0),
        problem: error?.message ?? 'is not valid CSV',
        text: raw ?? '',
      });
    },
  });
  text.on('error', (error) => parser.destroy(error));
  for await (const { info, record } of text.pipe(parser) as AsyncIterable<ParsedRecord>) {
    yield* skipped.splice(0);
    lastLine = info.lines;
    yield { line: info.lines, row: record };
  }
  yield* skipped.splice(0);
}

const SNIFFED_BYTES = 65_536;

function headOf(path: string): Buffer {
  const buffer = Buffer.alloc(SNIFFED_BYTES);
  const file = openSync(path, 'r');
  const length = readSync(file, buffer, 0, SNIFFED_BYTES, 0);
  closeSync(file);
  return buffer.subarray(0, length);
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The most frequent delimiter of the first line, outside of quotes. */
function detectDelimiter(path: string, encoding: string): string {
  const [line = ''] = iconv
    .decode(headOf(path), encoding)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r?\n/, 1);
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

/** By byte order mark; else UTF-8 if the beginning is valid UTF-8, else Windows' Western code page. */
function detectEncoding(path: string): string {
  const head = headOf(path);
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return isUtf8(head) ? 'utf-8' : 'windows-1252';
}

function isUtf8(head: Buffer): boolean {
  try {
    // `stream` tolerates a character that is cut off at the end of the sample.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
