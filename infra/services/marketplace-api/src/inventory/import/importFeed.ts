import { type ImportMemory, type RowImportOptions, createRowImport } from './rowImport.ts';
import type { SourceRow } from './mapping.ts';
import { openFeed } from './readRows.ts';
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

export interface ImportSummary {
  readonly read: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly inserted: number;
  readonly updated: number;
  readonly expired: number;
  /** Listings missing from the feed that were not expired, because they are too many. */
  readonly held: number;
  /** Rows that an earlier import saw in the same words. */
  readonly unchanged: number;
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
  /** Mapped columns that the feed lacks. */
  readonly missingColumns: readonly string[];
}

/** No row of the feed is a valid listing; expiring the others would remove the whole stock. */
export class NothingToImport extends Error {
  readonly code = 'NOTHING_TO_IMPORT';
}

const PROGRESS_EVERY = 1_000;

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
  writer?.allowPhotoHosts(mapping.source, mapping.photoHosts);
  const feed = openFeed(path, mapping);
  const progress = () =>
    options.onProgress?.({
      rows: counts.read,
      rejected: counts.rejected,
      bytes: feed.bytesRead(),
      totalBytes: feed.totalBytes,
    });
  for await (const read of feed.rows) {
    counts.read += 1;
    try {
      rows.take(read);
    } catch (error) {
      if (!(error instanceof UnreadableValue)) throw error;
      counts.rejected += 1;
      options.onReject?.({
        line: read.line,
        reason: error.message,
        row: 'row' in read ? read.row : read.text,
      });
    }
    if (counts.read % PROGRESS_EVERY === 0) progress();
  }
  rows.flush();
  progress();
  if (counts.accepted === 0) throw new NothingToImport(`No row of ${path} could be read as a listing`);
  const ending = options.expireMissing ? endMissing(options, memory) : { expired: 0, held: 0 };
  return { ...counts, ...ending, sellers: memory.sellers, ...rows.findings() };
}

/** Share of a source's listings that may be missing from its feed before the expiry needs an approval. */
export const MAX_SHRINK = 0.3;
/** Below this, a few sold cars are a large share. */
const SMALL_STOCK = 20;

/** Expires what the feed no longer contains, unless so much is missing that the feed may be incomplete. */
function endMissing({ writer, mapping, maxShrink = MAX_SHRINK }: ImportOptions, memory: ImportMemory) {
  if (!writer) return { expired: 0, held: 0 };
  const hasSeen = (id: string) => memory.hasSeen(id);
  const { live, missing } = writer.countMissing(mapping.source, hasSeen);
  if (live >= SMALL_STOCK && missing > live * maxShrink) return { expired: 0, held: missing };
  return { expired: writer.expireMissing(mapping.source, hasSeen), held: 0 };
}
