import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { parse as parseNow } from 'csv-parse/sync';
import { cellText } from './cellText.ts';
import { plainName } from './columnNames.ts';
import { BrokenFeed, LONGEST_ROW, type ReadRow } from './mapping.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** The first line by which some spreadsheets know the separator. */
const SEPARATOR_LINE = /^\s*"?sep=(.)"?\s*(?:\r?\n|\r)/i;
/** Rows at the beginning of a file that are looked at. */
const SAMPLE = 40;

const PARSED = {
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  max_record_size: LONGEST_ROW,
} as const;

/** How a file's rows begin. */
interface CsvLayout {
  readonly delimiter: string;
  /** Rows above the header: a separator line, titles. */
  readonly above: number;
  /** Cells of a row: more are a separator inside a text that isn't quoted. */
  readonly width: number;
}

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== '').length;

/** The delimiter that gives the most cells to the widest of the first rows. */
function delimiterOf(head: string): string {
  const lines = head
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/, 20)
    .filter(Boolean);
  const counts = DELIMITERS.map((delimiter) => {
    const cells = lines.map((line) => line.split(delimiter).length);
    // In most rows, not in one with much text.
    return cells.toSorted((a, b) => b - a)[Math.floor(cells.length / 2)] ?? 0;
  });
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

/** The header is the row with most columns of the mapping, else the first that is half as wide as the widest. */
function headerAt(rows: readonly (readonly string[])[], mapped: readonly string[]): number {
  const wanted = new Set(mapped.map(plainName));
  const known = rows.map((cells) => cells.filter((cell) => wanted.has(plainName(cell))).length);
  const most = Math.max(0, ...known);
  if (most > 0) return known.indexOf(most);
  const widest = Math.max(...rows.map(filled));
  return Math.max(
    0,
    rows.findIndex((cells) => filled(cells) >= widest / 2),
  );
}

function layoutOf(head: string, given: string, mapped: readonly string[]): CsvLayout {
  const separator = SEPARATOR_LINE.exec(head)?.[1];
  const text = separator === undefined ? head : head.replace(SEPARATOR_LINE, '');
  const delimiter = given === 'auto' ? (separator ?? delimiterOf(text)) : given;
  let rows: string[][];
  try {
    rows = parseNow(text, { ...PARSED, delimiter, bom: true, to: SAMPLE }) as string[][];
  } catch {
    // A quote is not closed within the sample; the reader says where.
    rows = [];
  }
  const header = headerAt(rows, mapped);
  const widths = rows.slice(header + 1).map((cells) => cells.length);
  const usual = widths.toSorted((a, b) => a - b)[Math.floor(widths.length / 2)] ?? 0;
  return {
    delimiter,
    above: header + (separator === undefined ? 0 : 1),
    width: Math.max(rows[header]?.length ?? 0, usual),
  };
}

/** Names of the columns; a mapping's name in another case or with other punctuation is that column's. */
function columnNames(cells: readonly string[], mapped: readonly string[]): string[] {
  const names = cells.map((cell) => cellText(cell));
  const exact = new Set(names);
  const missing = new Map(mapped.filter((name) => !exact.has(name)).map((name) => [plainName(name), name]));
  return names.map((name) => {
    const wanted = missing.get(plainName(name));
    if (wanted !== undefined) missing.delete(plainName(name));
    return wanted ?? name;
  });
}

/** Returns a function that makes a row of cells; equal names of columns have a list of values. */
function createRowOf(names: readonly string[]): (cells: readonly string[]) => Record<string, unknown> {
  const isRepeated = names.map(
    (name, at) => name !== '' && names.indexOf(name) !== names.lastIndexOf(name) && at > 0,
  );
  return (cells) => {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < names.length; at += 1) {
      const name = names[at]!;
      if (name === '') continue;
      const cell = cells[at] ?? '';
      row[name] = isRepeated[at] && row[name] !== undefined ? [row[name], cell].flat() : cell;
    }
    return row;
  };
}

const ENDLESS = new Set(['CSV_MAX_RECORD_SIZE', 'CSV_QUOTE_NOT_CLOSED']);

interface ParsedRecord {
  readonly info: { readonly lines: number };
  readonly record: readonly string[];
}

/** The rows of a table with a header; `head` is its beginning. */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  head: Buffer,
  { delimiter: given, mapped }: { readonly delimiter: string; readonly mapped: readonly string[] },
): AsyncIterable<ReadRow> {
  const { delimiter, above, width } = layoutOf(head.toString(), given, mapped);
  const skipped: ReadRow[] = [];
  let lastLine = 0;
  // The rows before an unclosed quote are read first.
  let isBroken = false;
  const end = () => {
    bytes.unpipe(parser);
    bytes.destroy();
    parser.end();
  };
  const parser = parse({
    ...PARSED,
    delimiter,
    bom: true,
    info: true,
    skip_records_with_error: true,
    on_skip: (error, raw) => {
      if (error && ENDLESS.has(error.code)) {
        if (!isBroken) end();
        isBroken = true;
        return;
      }
      skipped.push({
        line: Number(error?.['lines'] ?? 0),
        problem: error?.message ?? 'is not valid CSV',
        text: raw ?? '',
      });
    },
  });
  const bytes = Readable.from(chunks, { objectMode: false });
  bytes.on('error', (error) => parser.destroy(error));
  let widest = width;
  let record = -1;
  let names: readonly string[] | undefined;
  let rowOf: ReturnType<typeof createRowOf> | undefined;
  for await (const parsed of bytes.pipe(parser) as AsyncIterable<ParsedRecord>) {
    yield* skipped.splice(0);
    const { lines: line } = parsed.info;
    lastLine = line;
    record += 1;
    if (record < above) continue;
    if (!rowOf || !names) {
      names = columnNames(parsed.record, mapped);
      rowOf = createRowOf(names);
      widest = Math.max(width, names.length);
    } else if (parsed.record.length > widest && filled(parsed.record.slice(widest)) > 0)
      yield {
        line,
        problem: `has ${parsed.record.length} cells, its header ${names.length}: a text that contains the separator must be quoted`,
        text: parsed.record.join(delimiter),
      };
    else yield { line, row: rowOf(parsed.record) };
  }
  yield* skipped.splice(0);
  if (isBroken) throw new BrokenFeed(`Unclosed quote after line ${lastLine}`);
}
