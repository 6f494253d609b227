import type { StockListing, StockOwner } from '../domain/stock.ts';
import type { Catalog } from '../domain/catalog.ts';
import type { ZipDirectory } from '../places/places.ts';
import { type FeedMapping, type SourceRow, columnsOf, createRowReader } from './mapping.ts';
import { type ReadRow, openFeed } from './readRows.ts';
import { type StockPair, createConverter } from './toStock.ts';
import { UnreadableValue } from './values.ts';
import Database from 'better-sqlite3';

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
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface ImportOptions {
  readonly path: string;
  readonly mapping: FeedMapping;
  readonly zips: ZipDirectory;
  readonly catalog: Catalog;
  readonly today: Date;
  /** Missing for a dry run. */
  readonly writer?: InventoryWriter;
  readonly known?: KnownListings;
  /** Expires listings that this source no longer contains. */
  readonly expireMissing?: boolean;
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
  readonly sellers: number;
  /** Accepted listings of models outside the catalog. */
  readonly unknownModels: number;
  /** Accepted listings in cities that the ZIP table lacks. */
  readonly approximatePlaces: number;
  /** Named photos. */
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

const BATCH = 2_000;
const PROGRESS_EVERY = 1_000;
const MILLISECONDS_PER_DAY = 86_400_000;

const NO_COUNTS = {
  read: 0,
  accepted: 0,
  rejected: 0,
  inserted: 0,
  updated: 0,
  expired: 0,
  unknownModels: 0,
  approximatePlaces: 0,
  photos: 0,
};

/**
 * Imports a feed row by row; bad rows are reported and skipped. Memory use does
 * not depend on the size of the feed.
 */
export async function importFeed(options: ImportOptions): Promise<ImportSummary> {
  const memory = createImportMemory();
  try {
    return await importRows(options, memory);
  } finally {
    memory.close();
  }
}

async function importRows(options: ImportOptions, memory: ImportMemory): Promise<ImportSummary> {
  const { path, mapping, writer, known, today } = options;
  const readRow = createRowReader(mapping);
  const convert = createConverter({
    mapping,
    zips: options.zips,
    catalog: options.catalog,
    today,
    timesBefore: (description) => memory.timesBefore(description),
  });
  const todayInDays = Math.floor(today.getTime() / MILLISECONDS_PER_DAY);
  const recognizedBy: Record<StockPair['key'], number> = { vin: 0, stockNumber: 0, description: 0 };
  const counts = { ...NO_COUNTS };
  let missingColumns: readonly string[] | undefined;
  let owners = new Map<string, StockOwner>();
  let listings: StockListing[] = [];

  function flush(): void {
    writer?.upsertOwners([...owners.values()]);
    const { inserted, updated } = writer?.upsertListings(listings, mapping.source) ?? {
      inserted: 0,
      updated: 0,
    };
    counts.inserted += inserted;
    counts.updated += updated;
    owners = new Map();
    listings = [];
  }

  function take(read: ReadRow): void {
    if ('problem' in read) throw new UnreadableValue(read.problem);
    missingColumns ??= columnsOf(mapping).filter((column) => !(column in read.row));
    const { owner, listing, key, isModelKnown, isPlaceApproximate } = convert(readRow(read.row));
    owners.set(owner.id, owner);
    memory.seeSeller(owner.id);
    if (options.expireMissing) memory.see(listing.id);
    const earlier = known?.find(listing.id);
    listings.push(earlier ? continueListing(listing, earlier, todayInDays) : listing);
    counts.photos += listing.photoUrls?.length ?? 0;
    recognizedBy[key] += 1;
    if (!isModelKnown) counts.unknownModels += 1;
    if (isPlaceApproximate) counts.approximatePlaces += 1;
    counts.accepted += 1;
  }

  writer?.allowPhotoHosts(mapping.source, mapping.photoHosts);
  const feed = openFeed(path, mapping);
  const progress = () =>
    options.onProgress?.({ rows: counts.read, bytes: feed.bytesRead(), totalBytes: feed.totalBytes });
  for await (const read of feed.rows) {
    counts.read += 1;
    try {
      take(read);
    } catch (error) {
      if (!(error instanceof UnreadableValue)) throw error;
      counts.rejected += 1;
      options.onReject?.({
        line: read.line,
        reason: error.message,
        row: 'row' in read ? read.row : read.text,
      });
    }
    if (listings.length >= BATCH) flush();
    if (counts.read % PROGRESS_EVERY === 0) progress();
  }
  flush();
  progress();
  if (counts.accepted === 0) throw new NothingToImport(`No row of ${path} could be read as a listing`);
  if (options.expireMissing)
    counts.expired = writer?.expireMissing(mapping.source, (id) => memory.hasSeen(id)) ?? 0;
  return { ...counts, sellers: memory.sellers, recognizedBy, missingColumns: missingColumns ?? [] };
}

/** Carries over what the feed does not contain: first day, views and price reductions. */
function continueListing(listing: StockListing, earlier: StockListing, todayInDays: number): StockListing {
  const { listedOn, viewCount, salePrice: before } = earlier;
  const isReduced = before !== undefined && listing.salePrice !== undefined && listing.salePrice < before;
  const isSamePrice = before === listing.salePrice;
  return {
    ...listing,
    listedOn: Math.min(listedOn, listing.listedOn),
    viewCount,
    ...(isReduced && { previousPrice: before, reducedOn: todayInDays }),
    ...(isSamePrice && earlier.previousPrice !== undefined && { previousPrice: earlier.previousPrice }),
    ...(isSamePrice && earlier.reducedOn !== undefined && { reducedOn: earlier.reducedOn }),
    // Last, where the stored version has them too; the writer corrects them when the URLs changed.
    ...(listing.photoUrls && earlier.photos && { photos: earlier.photos }),
  };
}

/** Port to the inventory; each call is durable when it returns. */
export interface InventoryWriter {
  upsertOwners(owners: readonly StockOwner[]): void;
  upsertListings(listings: readonly StockListing[], source: string): { inserted: number; updated: number };
  /** Hosts that photos of the source may come from. */
  allowPhotoHosts(source: string, hosts: readonly string[]): void;
  /** Expires listings that the source no longer contains; returns their number. */
  expireMissing(source: string, hasSeen: (id: string) => boolean): number;
}

/** Live listings, for facts that feeds lack: the first day and the previous price. */
export interface KnownListings {
  find(id: string): StockListing | undefined;
}

/** Ids and keys of earlier rows of one import, stored on disk to bound memory. */
interface ImportMemory {
  /** How often this key occurred before. */
  timesBefore(key: number): number;
  /** Records an id of the feed. */
  see(id: string): void;
  hasSeen(id: string): boolean;
  /** Records a seller; `sellers` counts distinct ones. */
  seeSeller(id: string): void;
  readonly sellers: number;
  close(): void;
}

/** Rows per transaction, to bound the journal. */
const COMMIT_EVERY = 50_000;

/** In a temporary SQLite file, which SQLite deletes when the connection closes. */
function createImportMemory(): ImportMemory {
  const db = new Database('');
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.exec(`
    CREATE TABLE alike (key INTEGER PRIMARY KEY, times INTEGER NOT NULL);
    CREATE TABLE seen (id TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE sellers (id TEXT PRIMARY KEY) WITHOUT ROWID;
    BEGIN`);
  const count = db
    .prepare<[number], number>(
      `INSERT INTO alike (key, times) VALUES (?, 0)
       ON CONFLICT (key) DO UPDATE SET times = times + 1 RETURNING times`,
    )
    .pluck();
  const see = db.prepare('INSERT OR IGNORE INTO seen (id) VALUES (?)');
  const findId = db.prepare<[string], number>('SELECT 1 FROM seen WHERE id = ?').pluck();
  const seeSeller = db.prepare('INSERT OR IGNORE INTO sellers (id) VALUES (?)');
  const sellers = db.prepare<[], number>('SELECT count(*) FROM sellers').pluck();
  let notes = 0;
  const noted = () => {
    notes += 1;
    if (notes % COMMIT_EVERY === 0) db.exec('COMMIT; BEGIN');
  };

  return {
    timesBefore(key) {
      noted();
      return count.get(key) ?? 0;
    },
    see(id) {
      noted();
      see.run(id);
    },
    hasSeen: (id) => findId.get(id) !== undefined,
    seeSeller: (id) => void seeSeller.run(id),
    get sellers() {
      return sellers.get() ?? 0;
    },
    close() {
      db.close();
    },
  };
}
