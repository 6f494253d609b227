import { type InvalidByte, decodeFeed } from './decodeFeed.ts';
import { openFeedBytes } from './feedBytes.ts';
import { flatten } from './flatten.ts';
import { ABOVE } from './groupsAbove.ts';
import { type FeedMapping, LONGEST_ROW, type ReadRow, type SourceRow } from './mapping.ts';
import { readCsv } from './readCsv.ts';
import { readJson } from './readJson.ts';
import { readXml } from './readXml.ts';

/** An open feed. */
export interface Feed {
  readonly rows: AsyncIterable<ReadRow>;
  readonly totalBytes: number;
  bytesRead(): number;
  /** Where its bytes were read as Windows' Western code page, because they are not UTF-8. */
  invalidByte(): InvalidByte | undefined;
}

/** How a feed is read; a part of its mapping. */
export interface FeedShape extends Pick<FeedMapping, 'format' | 'encoding' | 'delimiter' | 'rows'> {
  /** Columns that the mapping uses. */
  readonly mapped?: readonly string[];
}

type Format = NonNullable<FeedMapping['format']>;

const FORMATS: Readonly<Record<string, Format>> = {
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  json: 'json',
  xml: 'xml',
  rss: 'xml',
};

/** By the mapping, else by the file's name. */
export function formatOf(path: string, { format }: Pick<FeedMapping, 'format'>): Format {
  if (format) return format;
  const [, extension = ''] = /\.(\w+)(?:\.gz|\.zip)?$/i.exec(path) ?? [];
  return FORMATS[extension.toLowerCase()] ?? 'csv';
}

/** Whether a line is an object of its own. */
function isObjectLine(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}

/** What the text is: files often have another name. */
function formatOfText(head: Buffer, byName: Format): Format {
  const text = head.toString('utf8', 0, 65_536).trimStart();
  if (text.startsWith('<')) return 'xml';
  if (text.startsWith('[')) return 'json';
  if (!text.startsWith('{')) return byName === 'xml' || byName === 'json' ? 'csv' : byName;
  const [first = '', second = ''] = text.split(/\r?\n/, 2);
  return isObjectLine(first) && (byName === 'jsonl' || second.trimStart().startsWith('{'))
    ? 'jsonl'
    : byName === 'csv'
      ? 'json'
      : byName;
}

/** Bytes from which a feed's form is concluded. */
const HEAD_BYTES = 262_144;

/** The first chunks, and then all of them. */
async function peek(chunks: AsyncIterable<Buffer>): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const { value, done } = (await iterator.next()) as IteratorResult<Buffer, undefined>;
    if (done || value === undefined) break;
    first.push(value);
    length += value.length;
  }
  const all = async function* () {
    try {
      yield* first;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  };
  return { head: Buffer.concat(first), all: all() };
}

/** Unpacks, decodes and streams a file of any format. */
export function openFeed(path: string, shape: FeedShape): Feed {
  const bytes = openFeedBytes(path);
  let invalid: InvalidByte | undefined;
  const rows = async function* (): AsyncIterable<ReadRow> {
    const packed = await peek(bytes.chunks);
    const decoded = decodeFeed(
      packed.all,
      { head: packed.head, encoding: shape.encoding },
      (at) => (invalid = at),
    );
    const { head, all } = await peek(decoded);
    const mapped = shape.mapped ?? [];
    const nested = { rows: shape.rows, mapped, above: mapped.filter((column) => column.startsWith(ABOVE)) };
    const format = shape.format ?? formatOfText(head, formatOf(bytes.name(), shape));
    if (format === 'csv') yield* readCsv(all, head, { delimiter: shape.delimiter, mapped });
    else if (format === 'jsonl') yield* readJsonLines(textOf(all));
    else if (format === 'json') yield* readJson(all, head, nested);
    else yield* readXml(all, head, nested);
  };
  return {
    rows: rows(),
    totalBytes: bytes.totalBytes,
    bytesRead: () => bytes.bytesRead(),
    invalidByte: () => invalid,
  };
}

async function* textOf(chunks: AsyncIterable<Buffer>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
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

function jsonRow(text: string, line: number): ReadRow {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { line, row: flatten(value) } : { line, problem: 'is not a JSON object', text };
  } catch {
    return { line, problem: 'is not valid JSON', text };
  }
}

/** Reported characters of an overlong row. */
const SHOWN_OF_OVERLONG = 200;

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
