import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import iconv from 'iconv-lite';
import { type FeedMapping, type SourceRow, BrokenFeed, LONGEST_ROW, type ReadRow } from './mapping.ts';
import { readJson, readXml } from './readDocuments.ts';

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
    else if (raw.trim() !== '') yield jsonRow(raw, line);
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

function jsonRow(raw: string, line: number): ReadRow {
  try {
    const row: unknown = JSON.parse(raw);
    if (isRecord(row)) return { line, row };
    return { line, problem: 'is not a JSON object', text: raw };
  } catch {
    return { line, problem: 'is not valid JSON', text: raw };
  }
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
