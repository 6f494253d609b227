import { type ImportMemory, type RowImportOptions, createRowImport } from './rowImport.ts';
import { nearestName } from './columnNames.ts';
import type { InvalidByte } from './decodeFeed.ts';
import { type ReadRow, type SourceRow, columnsOf } from './mapping.ts';
import { openFeed } from './openFeed.ts';
import type { Finding } from './rowNotes.ts';
import type { StockPair } from './toStock.ts';
import { UnreadableValue } from './values.ts';

export interface Reject {
  /** Line in the feed, from 1. */
  readonly line: number;
  readonly reason: string;
  /** The original row. */
  readonly row: SourceRow | string;
}

/** Progress in the feed's file. */
export interface ImportProgress {
  readonly rows: number;
  readonly rejected: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface ImportOptions extends RowImportOptions {
  readonly path: string;
  /** Opens a memory for this import, which closes it. */
  readonly openMemory: () => ImportMemory;
  /** Share of the source's listings that may expire at once; beyond it, none does. Default 0.3. */
  readonly maxShrink?: number;
  readonly onReject?: (reject: Reject) => void;
  readonly onProgress?: (progress: ImportProgress) => void;
}

/**
 * What became of the rows: `read` = `accepted` + `rejected` + `filtered`, and `accepted` = `inserted` + `updated` +
 * `unchanged` + `merged`.
 */
export interface ImportSummary {
  readonly read: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Left out by the mapping's filters, or by their status. */
  readonly filtered: number;
  /** Rows of a vehicle that another row of the feed described before; the last one counts. */
  readonly merged: number;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Those of the unchanged rows that an earlier import saw in the same words. */
  readonly skipped: number;
  readonly expired: number;
  /** Listings that ended because the feed names their car as sold. */
  readonly ended: number;
  /** Listings missing from the feed that were not expired, because they are too many. */
  readonly held: number;
  /** VINs of North American vehicles whose check digit is wrong. */
  readonly invalidVins: number;
  /** New and changed rows whose VIN stands for another make or model year. */
  readonly contradictions: number;
  /** The first of their VINs, with what the row says. */
  readonly contradicting: readonly string[];
  readonly sellers: number;
  /** Accepted listings of models outside the catalog. */
  readonly unknownModels: number;
  /** Accepted listings in cities that the ZIP table lacks. */
  readonly approximatePlaces: number;
  /** Photos that new and changed rows name. */
  readonly photos: number;
  /** How listings were recognized: 'vin', 'stockNumber' or 'description'. */
  readonly recognizedBy: Readonly<Record<StockPair['key'], number>>;
  /** Columns of the first row. */
  readonly columns: readonly string[];
  /** Mapped columns that the feed lacks. */
  readonly missingColumns: readonly string[];
  /** Why rows were filtered. */
  readonly leftOut: readonly { readonly reason: string; readonly count: number }[];
  /** Values that were left out, converted or concluded, by field and kind. */
  readonly findings: readonly Finding[];
  readonly invalidByte?: InvalidByte;
}

/** No row of the feed is a valid listing; expiring the others would remove the whole stock. */
export class NothingToImport extends Error {
  readonly code = 'NOTHING_TO_IMPORT';
}

const PROGRESS_EVERY = 1_000;
const BLOCK = 256;

/**
 * Imports a feed row by row; bad rows are reported and skipped. Memory use does
 * not depend on the size of the feed.
 */
export async function importFeed(options: ImportOptions): Promise<ImportSummary> {
  const memory = options.openMemory();
  try {
    return await importRows(options, memory);
  } finally {
    memory.close();
  }
}

async function importRows(options: ImportOptions, memory: ImportMemory): Promise<ImportSummary> {
  const { path, mapping, writer } = options;
  const rows = createRowImport(options, memory);
  const { counts } = rows;
  await writer?.allowPhotoHosts(mapping.source, mapping.photoHosts);
  const feed = openFeed(path, { ...mapping, mapped: columnsOf(mapping) });
  const reasons: string[] = [];
  const progress = () =>
    options.onProgress?.({
      rows: counts.read,
      rejected: counts.rejected,
      bytes: feed.bytesRead(),
      totalBytes: feed.totalBytes,
    });
  const take = async (read: ReadRow): Promise<void> => {
    counts.read += 1;
    try {
      await rows.take(read);
    } catch (error) {
      if (!(error instanceof UnreadableValue)) throw error;
      counts.rejected += 1;
      if (reasons.length < MAX_REASONS) reasons.push(`line ${read.line}: ${error.message}`);
      options.onReject?.({
        line: read.line,
        reason: error.message,
        row: 'row' in read ? read.row : read.text,
      });
    }
    if (counts.read % PROGRESS_EVERY === 0) progress();
  };
  for await (const some of blocksOf(feed.rows)) {
    await rows.prepare(some);
    for (const read of some) await take(read);
  }
  await rows.flush();
  progress();
  const findings = rows.findings();
  if (counts.accepted === 0) throw new NothingToImport(nothingToImport(path, counts, findings, reasons));
  await rows.endSold();
  const ending = options.expireMissing ? await endMissing(options, memory) : { expired: 0, held: 0 };
  const invalidByte = feed.invalidByte();
  return {
    ...counts,
    ...ending,
    sellers: memory.sellers,
    ...findings,
    ...(invalidByte && { invalidByte }),
  };
}

/** The same rows in blocks, which are looked up together. */
async function* blocksOf(rows: AsyncIterable<ReadRow>): AsyncIterable<readonly ReadRow[]> {
  let block: ReadRow[] = [];
  for await (const row of rows) {
    block.push(row);
    if (block.length < BLOCK) continue;
    yield block;
    block = [];
  }
  yield block;
}

const MAX_REASONS = 3;

/** Why no row was imported: the columns that were found and those that the mapping names, or the first reasons. */
function nothingToImport(
  path: string,
  { read, filtered }: Pick<ImportSummary, 'read' | 'filtered'>,
  { columns, missingColumns }: Pick<ImportSummary, 'columns' | 'missingColumns'>,
  reasons: readonly string[],
): string {
  const missing = missingColumns.map((column) => {
    const near = nearestName(column, columns);
    return near === undefined ? `'${column}'` : `'${column}' (did you mean '${near}'?)`;
  });
  return [
    `No row of ${path} could be read as a listing: ${read} rows read, ${filtered} of them left out by their status or the filters.`,
    `Columns found: ${columns.join(', ') || 'none'}.`,
    ...(missing.length > 0 ? [`Columns of the mapping that the feed lacks: ${missing.join(', ')}.`] : []),
    ...reasons.map((reason) => `${reason[0]?.toUpperCase()}${reason.slice(1)}.`),
  ].join('\n');
}

/** Share of a source's listings that may be missing from its feed before the expiry needs an approval. */
export const MAX_SHRINK = 0.3;
/** Below this, a few sold cars are a large share. */
const SMALL_STOCK = 20;

/** Expires what the feed no longer contains, unless so much is missing that the feed may be incomplete. */
async function endMissing({ writer, mapping, maxShrink = MAX_SHRINK }: ImportOptions, memory: ImportMemory) {
  if (!writer) return { expired: 0, held: 0 };
  const hasSeen = (id: string) => memory.hasSeen(id);
  const { live, missing } = await writer.countMissing(mapping.source, hasSeen);
  if (live >= SMALL_STOCK && missing > live * maxShrink) return { expired: 0, held: missing };
  return { expired: await writer.expireMissing(mapping.source, hasSeen), held: 0 };
}
