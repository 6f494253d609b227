import { createReadStream, openSync, readSync, closeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import iconv from 'iconv-lite';
import type { FeedMapping, SourceRow } from './mapping.ts';

/** One row of a feed, or why there is none at that line (counted from 1). */
export type ReadRow =
  | { readonly line: number; readonly row: SourceRow }
  | { readonly line: number; readonly problem: string; readonly text: string };

/** Streams a CSV or JSON Lines file, decoded; memory does not grow with the file. */
export async function* readRows(path: string, mapping: FeedMapping): AsyncIterable<ReadRow> {
  const encoding = mapping.encoding === 'auto' ? detectEncoding(path) : mapping.encoding;
  const text = createReadStream(path).pipe(iconv.decodeStream(encoding)) as unknown as Readable;
  const isJson = (mapping.format ?? (/\.(jsonl|ndjson)$/i.test(path) ? 'jsonl' : 'csv')) === 'jsonl';
  yield* isJson ? readJsonLines(text) : readCsv(text, mapping.delimiter);
}

async function* readJsonLines(text: Readable): AsyncIterable<ReadRow> {
  let line = 0;
  for await (const raw of createInterface({ input: text, crlfDelay: Infinity })) {
    line += 1;
    if (raw.trim() === '') continue;
    yield jsonRow(raw, line);
  }
}

function jsonRow(raw: string, line: number): ReadRow {
  try {
    const row: unknown = JSON.parse(raw);
    if (isRecord(row)) return { line, row };
    return { line, problem: 'is no JSON object', text: raw };
  } catch {
    return { line, problem: 'is no JSON', text: raw };
  }
}

function isRecord(value: unknown): value is SourceRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface ParsedRecord {
  readonly info: { readonly lines: number };
  readonly record: SourceRow;
}

async function* readCsv(text: Readable, delimiter: string): AsyncIterable<ReadRow> {
  const skipped: ReadRow[] = [];
  const parser = parse({
    delimiter,
    bom: true,
    columns: (names: string[]) => names.map((name) => name.trim()),
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error, raw) => {
      skipped.push({
        line: Number(error?.['lines'] ?? 0),
        problem: error?.message ?? 'is no CSV',
        text: raw ?? '',
      });
    },
  });
  text.on('error', (error) => parser.destroy(error));
  for await (const { info, record } of text.pipe(parser) as AsyncIterable<ParsedRecord>) {
    yield* skipped.splice(0);
    yield { line: info.lines, row: record };
  }
  yield* skipped.splice(0);
}

const SNIFFED_BYTES = 65_536;

/** By byte order mark; else UTF-8 if the beginning is valid UTF-8, else Windows' Western code page. */
function detectEncoding(path: string): string {
  const buffer = Buffer.alloc(SNIFFED_BYTES);
  const file = openSync(path, 'r');
  const length = readSync(file, buffer, 0, SNIFFED_BYTES, 0);
  closeSync(file);
  const head = buffer.subarray(0, length);
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return isUtf8(head) ? 'utf-8' : 'windows-1252';
}

function isUtf8(head: Buffer): boolean {
  try {
    // `stream` forgives a character that is cut at the end of what was sniffed.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
