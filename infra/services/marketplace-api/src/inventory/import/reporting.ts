import { closeSync, openSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { type ImportProgress, type ImportSummary, MAX_SHRINK, type Reject } from './importFeed.ts';
import { NOTE_KINDS, type NoteKind } from './rowNotes.ts';
import { PRIVATE_FILE } from '@forecourt/service-kit/privateFiles';

const BAR_WIDTH = 30;
/** ms between two repaints on a terminal, and between two lines elsewhere. */
const REPAINT_MS = 100;
const LINE_MS = 5_000;

export interface ProgressBar {
  show(progress: ImportProgress): void;
  /** Ends the line. */
  finish(): void;
}

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const count = (value: number): string => value.toLocaleString('en-US');

/** '45 s', '3 min' */
export const durationText = (seconds: number): string =>
  seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;

/** '[#######       ] 48 %, 120,000 rows (12 rejected), 24,000 rows/s, 5 s left' */
export function progressText(
  { rows, rejected, bytes, totalBytes }: ImportProgress,
  elapsedMs: number,
): string {
  const share = totalBytes > 0 ? Math.min(1, bytes / totalBytes) : 1;
  const filled = Math.round(share * BAR_WIDTH);
  const perSecond = elapsedMs > 0 ? Math.round((rows / elapsedMs) * 1000) : 0;
  const refused = rejected > 0 ? ` (${count(rejected)} rejected)` : '';
  const secondsLeft = share > 0 ? Math.ceil((elapsedMs / share - elapsedMs) / 1000) : 0;
  const left = share > 0 && share < 1 ? `, ${durationText(secondsLeft)} left` : '';
  const bar = `[${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}]`;
  return `${bar} ${Math.floor(share * 100)} %, ${count(rows)} rows${refused}, ${count(perSecond)} rows/s${left}`;
}

/** Repaints one line on a terminal; writes a line every few seconds to a file or pipe. */
export function createProgressBar(
  screen: Screen,
  now: () => number = performance.now.bind(performance),
): ProgressBar {
  const started = now();
  let shownAt = -Infinity;
  let last: ImportProgress | undefined;
  const paint = (progress: ImportProgress) => {
    const text = progressText(progress, now() - started);
    screen.write(screen.isTTY ? `\r${text}\u001b[K` : `${text}\n`);
    shownAt = now();
    last = undefined;
  };
  return {
    show(progress) {
      last = progress;
      if (now() - shownAt >= (screen.isTTY ? REPAINT_MS : LINE_MS)) paint(progress);
    },
    finish() {
      if (last) paint(last);
      if (screen.isTTY && shownAt > -Infinity) screen.write('\n');
    },
  };
}

/** Writes rejected rows with line and reason; the file is created by the first one. */
export interface RejectFile {
  add(reject: Reject): void;
  close(): void;
}

/** Characters buffered before a write. */
const BUFFERED = 65_536;

/** A cell as text; JSON Lines may contain any value. */
const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** As CSV, or as JSON Lines if the path ends in '.jsonl'. */
export function createRejectFile(path: string): RejectFile {
  const isJson = path.endsWith('.jsonl');
  let file: number | undefined;
  let columns: readonly string[] | undefined;
  let buffered = '';

  function csvLine({ line, reason, row }: Reject): string {
    if (typeof row === 'string') return [String(line), reason, row].map(csvCell).join();
    columns ??= Object.keys(row);
    return [String(line), reason, ...columns.map((column) => textOf(row[column]))].map(csvCell).join();
  }

  function write(text: string): void {
    buffered += `${text}\n`;
    if (buffered.length >= BUFFERED) flush();
  }

  function flush(): void {
    if (file !== undefined && buffered !== '') writeSync(file, buffered);
    buffered = '';
  }

  return {
    add(reject) {
      const isFirst = file === undefined;
      file ??= openSync(path, 'w', PRIVATE_FILE);
      if (isJson) {
        write(JSON.stringify(reject));
        return;
      }
      const line = csvLine(reject);
      if (isFirst) write(['line', 'reason', ...(columns ?? ['row'])].map(csvCell).join());
      write(line);
    },
    close() {
      if (file === undefined) return;
      flush();
      closeSync(file);
    },
  };
}

/**
 * A cell that spreadsheets show as text: those that would start a formula get an apostrophe, which OWASP recommends against
 * CSV injection. A plain number, such as -5, stays one.
 */
export function csvCell(text: string): string {
  const safe =
    /^[=+\-@\t\r\n|%]/.test(text.trimStart() || text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Refused rows that an import's record names; the file of rejected rows has all. */
export const MAX_LISTED = 200;

/** What an import counted and refused, as it is stored with its run. */
export const importDetails = z.object({
  seconds: z.number(),
  counts: z.object({
    read: z.number(),
    accepted: z.number(),
    rejected: z.number(),
    // Imports of earlier versions did not count these.
    filtered: z.number().default(0),
    merged: z.number().default(0),
    inserted: z.number(),
    updated: z.number(),
    unchanged: z.number(),
    expired: z.number(),
    held: z.number(),
    photos: z.number(),
  }),
  /** The first `MAX_LISTED`; reasons quote the value. */
  rejects: z.array(z.object({ line: z.number(), reason: z.string() })),
  /** Why rows were left out. */
  leftOut: z.array(z.object({ reason: z.string(), count: z.number() })).default([]),
  /** Values that were left out, converted or concluded, with their first rows. */
  findings: z
    .array(
      z.object({
        field: z.string(),
        kind: z.enum(Object.keys(NOTE_KINDS) as [NoteKind, ...NoteKind[]]),
        count: z.number(),
        rows: z.array(z.object({ line: z.number(), text: z.string() })),
      }),
    )
    .default([]),
});
export type ImportDetails = z.infer<typeof importDetails>;

/** The report as a table: a row for each count, each kind of value, each reason, and each refused row. */
export function reportCsv({ counts, leftOut, findings, rejects }: ImportDetails): string {
  const lines = [
    ['kind', 'subject', 'rows', 'line', 'text', 'remedy'],
    ...Object.entries(counts).map(([name, value]) => ['count', name, String(value), '', '', '']),
    ...leftOut.map(({ reason, count: rows }) => ['left out', reason, String(rows), '', '', '']),
    ...findings.map(({ field, kind, count: rows, rows: [first] }) => [
      kind,
      field,
      String(rows),
      String(first?.line ?? ''),
      first?.text ?? '',
      NOTE_KINDS[kind].remedy,
    ]),
    ...rejects.map(({ line, reason }) => ['refused', '', '1', String(line), reason, '']),
  ];
  return `${lines.map((cells) => cells.map(csvCell).join()).join('\n')}\n`;
}

/** 'price is missing; listed without: 12 rows, such as line 3 ("Call").' */
function findingText({ field, kind, count: rows, rows: [first] }: ImportSummary['findings'][number]): string {
  const example = first && `, such as line ${count(first.line)}${first.text ? ` ("${first.text}")` : ''}`;
  return `${field} ${NOTE_KINDS[kind].text}: ${count(rows)} ${rows === 1 ? 'row' : 'rows'}${example ?? ''}.`;
}

/** What an import did, in sentences. */
export function reportText(
  summary: ImportSummary & { readonly sharedVins: number },
  seconds: number,
  isDryRun: boolean,
): string {
  const { recognizedBy, missingColumns } = summary;
  return [
    `${count(summary.read)} rows read in ${seconds.toFixed(1)} s: ${count(summary.accepted)} accepted, ${count(summary.rejected)} rejected, ${count(summary.filtered)} left out.`,
    `${isDryRun ? 'Would be: ' : ''}${count(summary.inserted)} inserted, ${count(summary.updated)} updated, ${count(summary.expired + summary.ended)} expired; ${count(summary.sellers)} sellers.`,
    ...(summary.merged > 0
      ? [
          `${count(summary.merged)} rows describe a vehicle that another row described before; the last one counts.`,
        ]
      : []),
    ...(summary.leftOut.length > 0
      ? [`Left out by ${summary.leftOut.map((one) => `${one.reason} (${count(one.count)})`).join(', ')}.`]
      : []),
    ...(summary.invalidByte
      ? [
          `Byte ${count(summary.invalidByte.byte)} in line ${count(summary.invalidByte.line)} is not UTF-8; such bytes were read as Windows-1252. Export the feed as UTF-8, or give the mapping its encoding.`,
        ]
      : []),
    ...summary.findings.map(findingText),
    `Recognized by VIN ${count(recognizedBy.vin)}, by stock number ${count(recognizedBy.stockNumber)}, by description ${count(recognizedBy.description)}.`,
    ...(summary.unchanged > 0
      ? [`${count(summary.unchanged)} rows are unchanged since the last import.`]
      : []),
    ...(summary.held > 0
      ? [
          `HELD: ${count(summary.held)} listings are missing from the feed, more than ${MAX_SHRINK * 100} % of the source. None was expired; if the feed is complete, repeat with --approve-shrink.`,
        ]
      : []),
    ...(summary.invalidVins > 0 ? [`${count(summary.invalidVins)} VINs have a wrong check digit.`] : []),
    ...(summary.contradictions > 0
      ? [
          `${count(summary.contradictions)} VINs stand for another make or model year than their row: ${summary.contradicting.join(', ')}${summary.contradictions > summary.contradicting.length ? ', …' : ''}.`,
        ]
      : []),
    ...(summary.sharedVins > 0
      ? [
          `${count(summary.sharedVins)} vehicles are for sale in other feeds too, by their VIN; both listings stay.`,
        ]
      : []),
    `${count(summary.unknownModels)} listings of models outside the catalog, imported under their own names.`,
    ...(summary.approximatePlaces > 0
      ? [
          `${count(summary.approximatePlaces)} listings of unknown cities, placed in their state's largest market.`,
        ]
      : []),
    ...(summary.photos > 0
      ? [`${count(summary.photos)} photos named; the marketplace API fetches new ones in the background.`]
      : []),
    ...(missingColumns.length > 0 ? [`Columns the feed does not have: ${missingColumns.join(', ')}.`] : []),
    ...(isDryRun ? ['Dry run: nothing was written.'] : []),
  ].join('\n');
}
