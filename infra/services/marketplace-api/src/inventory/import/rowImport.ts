import { hash } from 'node:crypto';
import type { Catalog } from '../../domain/catalog.ts';
import type { KnownRow, KnownRows, ImportedRows, StockListing, StockOwner } from '../../domain/stock.ts';
import type { ZipDirectory } from '../../domain/places/index.ts';
import { type FeedMapping, type FeedRow, type SourceRow, columnsOf, type ReadRow } from './mapping.ts';
import { continueListing } from './continueListing.ts';
import { createFieldReader } from './readFields.ts';
import { createFindings, createNotes } from './rowNotes.ts';
import { createRowSelection, LeftOut } from './rowSelection.ts';
import { type StockPair, createConverter } from './toStock.ts';
import { UnreadableValue } from './values.ts';

/** Ids and keys of earlier rows of one import, stored on disk to bound memory. */
export interface ImportMemory {
  /** How often this key occurred before. */
  timesBefore(key: number): number;
  /** The same, without counting this time. */
  timesSeen(key: number): number;
  /** Records an id of the feed and the line of its row; returns the line of the row before it that had this id. */
  see(id: string, line: number): number | undefined;
  hasSeen(id: string): boolean;
  /** Records a seller; `sellers` counts distinct ones. */
  seeSeller(id: string): void;
  readonly sellers: number;
  close(): void;
}

/** Port to the inventory; each call is durable when it returns. */
export interface InventoryWriter {
  upsertOwners(owners: readonly StockOwner[]): Promise<void>;
  upsertListings(
    listings: readonly StockListing[],
    source: string,
    options: { rows: ImportedRows },
  ): Promise<{ inserted: number; updated: number }>;
  /** Hosts that photos of the source may come from. */
  allowPhotoHosts(source: string, hosts: readonly string[]): Promise<void>;
  /** Expires listings that the source no longer contains; returns their number. */
  expireMissing(source: string, hasSeen: (id: string) => boolean): Promise<number>;
  /** How many listings the source has, and how many of them it no longer contains. */
  countMissing(source: string, hasSeen: (id: string) => boolean): Promise<{ live: number; missing: number }>;
}

/** Live listings, for facts that feeds lack: the first day and the previous price. */
export interface KnownListings {
  /** Those of the ids that are for sale. */
  find(ids: readonly string[]): Promise<readonly StockListing[]>;
}

export interface RowImportOptions {
  readonly mapping: FeedMapping;
  readonly zips: ZipDirectory;
  readonly catalog: Catalog;
  readonly today: Date;
  /** Missing for a dry run. */
  readonly writer?: InventoryWriter;
  readonly known?: KnownListings;
  /** Rows of earlier imports. Without it, all rows are converted. */
  readonly knownRows?: KnownRows;
  /** Expires listings that this source no longer contains. */
  readonly expireMissing?: boolean;
}

/** Listings that are written together, a multiple of what the store writes at once. */
const BATCH = 2_048;
/** VINs in the report that contradict their rows. */
const MAX_EXAMPLES = 5;
const MILLISECONDS_PER_DAY = 86_400_000;

const NO_COUNTS = {
  read: 0,
  accepted: 0,
  rejected: 0,
  filtered: 0,
  merged: 0,
  inserted: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  expired: 0,
  ended: 0,
  unknownModels: 0,
  approximatePlaces: 0,
  photos: 0,
  invalidVins: 0,
  contradictions: 0,
};

/** Increase it when rows are converted differently: all rows are then converted again. */
export const CONVERSION = 5;

const emptyBatch = () => ({
  owners: new Map<string, StockOwner>(),
  listings: new Map<string, StockListing>(),
  /** Listings that an earlier batch has written from another row. */
  again: new Map<string, StockListing>(),
  rows: new Map<string, readonly [rowHash: Buffer, row: KnownRow]>(),
});

/** Writes each seller once, because most batches of a feed name the same sellers. */
function createOwnerWrites(
  writer: InventoryWriter | undefined,
): (owners: Iterable<StockOwner>) => Promise<void> {
  const written = new WeakSet<StockOwner>();
  return async (owners) => {
    const unwritten = [...owners].filter((owner) => !written.has(owner));
    await writer?.upsertOwners(unwritten);
    for (const owner of unwritten) written.add(owner);
  };
}

/** Recognizes rows that an earlier import has seen in the same words. */
function createRowRecognition(
  { mapping, today, catalog, knownRows }: RowImportOptions,
  memory: ImportMemory,
): {
  /** Of a row that occurred `nth` times before. */
  hashOf(row: SourceRow, nth: number): Buffer;
  /** Asks for all of these rows at once; `findKnown` is called for each of them in turn. */
  prepare(rows: readonly SourceRow[]): Promise<void>;
  /** `first` is the hash of the first row in these words. */
  findKnown(row: SourceRow, first: Buffer): Promise<KnownRow | undefined>;
} {
  const context = hash(
    'sha256',
    JSON.stringify([CONVERSION, today.getUTCFullYear(), catalog.makes.length, mapping]),
  ).slice(0, 16);
  const columns = columnsOf(mapping);
  // What isn't mapped, such as the days in stock, changes nothing.
  const wordsOf = (row: SourceRow): string =>
    JSON.stringify(columns.map((column) => row[column] ?? row[`${column}.#text`]));
  const hashOf = (row: SourceRow, nth: number): Buffer =>
    hash('sha256', `${context}${nth}${wordsOf(row)}`, 'buffer').subarray(0, 16);
  const prepared = new Map<string, KnownRow | undefined>();
  return {
    hashOf,
    async prepare(rows) {
      prepared.clear();
      if (!knownRows) return;
      const hashes = rows.map((row) => hashOf(row, 0));
      const found = await knownRows.find(hashes);
      for (const [at, rowHash] of hashes.entries()) prepared.set(rowHash.toString('latin1'), found[at]);
    },
    async findKnown(row, first) {
      let found = prepared.get(first.toString('latin1'));
      if (found?.description !== undefined) {
        const nth = memory.timesSeen(found.description);
        if (nth > 0) found = (await knownRows?.find([hashOf(row, nth)]))?.[0];
        if (found?.description !== undefined) memory.timesBefore(found.description);
      }
      return found;
    },
  };
}

/** Whether two listings of one identity are of the same vehicle. */
const isSameVehicle = (a: StockListing, b: StockListing): boolean =>
  a.year === b.year && a.make.code === b.make.code && a.model.code === b.model.code;

/** Imports rows in batches; rows that an earlier import has seen in the same words are not converted again. */
export function createRowImport(options: RowImportOptions, memory: ImportMemory) {
  const { mapping, writer, known, today } = options;
  const notes = createNotes();
  const readFields = createFieldReader(mapping, notes.add);
  const selection = createRowSelection(mapping, notes.add);
  const convert = createConverter({
    mapping,
    zips: options.zips,
    catalog: options.catalog,
    today,
    timesBefore: (description) => memory.timesBefore(description),
    note: notes.add,
  });
  const todayInDays = Math.floor(today.getTime() / MILLISECONDS_PER_DAY);
  const recognition = createRowRecognition(options, memory);
  const recognizedBy: Record<StockPair['key'], number> = { vin: 0, stockNumber: 0, description: 0 };
  const counts = { ...NO_COUNTS };
  const findings = createFindings();
  const leftOut = new Map<string, number>();
  /** Ids of listings that the feed says are not for sale. */
  const sold = new Set<string>();
  let missingColumns: readonly string[] | undefined;
  let columns: readonly string[] = [];
  const batch = emptyBatch();
  const writeOwners = createOwnerWrites(writer);
  const examples: string[] = [];

  async function write(listings: ReadonlyMap<string, StockListing>) {
    const stored = (await known?.find([...listings.keys()])) ?? [];
    const earlier = new Map(stored.map((listing) => [listing.id, listing]));
    const continued = [...listings.values()].map((listing) => {
      const before = earlier.get(listing.id);
      return before ? continueListing(listing, before, todayInDays) : listing;
    });
    return writer?.upsertListings(continued, mapping.source, { rows: batch.rows });
  }

  async function flush(): Promise<void> {
    await writeOwners(batch.owners.values());
    const { inserted, updated } = (await write(batch.listings)) ?? { inserted: 0, updated: 0 };
    counts.inserted += inserted;
    counts.updated += updated;
    counts.unchanged += batch.listings.size - inserted - updated;
    // Their first rows are counted already.
    await write(batch.again);
    batch.owners.clear();
    batch.listings.clear();
    batch.again.clear();
    batch.rows.clear();
  }

  function noteContradiction({ vin, year, make }: StockListing): void {
    counts.contradictions += 1;
    if (examples.length < MAX_EXAMPLES) examples.push(`${vin} (${year} ${make.name})`);
  }

  /** A row whose identity an earlier row of this feed has: the same car again, or another one. */
  async function convertAgain(fields: FeedRow, pair: StockPair, earlierLine: number): Promise<StockPair> {
    const { id } = pair.listing;
    const earlier = batch.listings.get(id) ?? batch.again.get(id) ?? (await known?.find([id]))?.[0];
    if (!earlier || isSameVehicle(earlier, pair.listing)) return pair;
    if (pair.key === 'vin')
      throw new UnreadableValue(
        `VIN ${pair.listing.vin} is that of line ${earlierLine} too, a ${earlier.year} ${earlier.make.name} ${earlier.model.name}`,
      );
    notes.take();
    const { stockNumber = '', ...others } = fields;
    const own = convert(others);
    notes.add('stockNumber', 'shared', stockNumber);
    return own;
  }

  /** `first` is the hash of the first row in these words. */
  async function convertRow(
    row: SourceRow,
    first: Buffer,
    line: number,
  ): Promise<KnownRow & { readonly before?: number }> {
    const fields = readFields(row);
    selection.check(row, fields);
    let pair = convert(fields);
    let before = memory.see(pair.listing.id, line);
    if (before !== undefined && pair.key !== 'description') {
      const own = await convertAgain(fields, pair, before);
      if (own !== pair) {
        pair = own;
        before = memory.see(pair.listing.id, line);
      }
    }
    const { owner, listing, nth, ...outcome } = pair;
    const { id } = listing;
    batch.owners.set(owner.id, owner);
    const isWritten = before !== undefined && !batch.listings.has(id);
    (isWritten ? batch.again : batch.listings).set(id, listing);
    counts.photos += listing.photoUrls?.length ?? 0;
    if (outcome.hasInvalidVin) counts.invalidVins += 1;
    if (outcome.contradictsVin) noteContradiction(listing);
    const remarks = notes.take();
    const knownRow = { listingId: id, ownerId: owner.id, ...outcome, ...(remarks && { notes: remarks }) };
    batch.rows.set(id, [nth > 0 ? recognition.hashOf(row, nth) : first, knownRow]);
    return before === undefined ? knownRow : { ...knownRow, before };
  }

  /** Counts a row that is no offer; the listing of a sold car ends. */
  function leaveOut(row: SourceRow, { message, isSold }: LeftOut): void {
    counts.filtered += 1;
    leftOut.set(message, (leftOut.get(message) ?? 0) + 1);
    if (!isSold) return;
    const id = idOf(row);
    if (id !== undefined) sold.add(id);
  }

  /** The id of a row's listing; undefined for a row that is none, or can't be told from its likes. */
  function idOf(row: SourceRow): string | undefined {
    const fields = readFields(row);
    if (fields.vin === undefined && fields.stockNumber === undefined) return undefined;
    try {
      return convert(fields).listing.id;
    } catch (error) {
      if (!(error instanceof UnreadableValue)) throw error;
      return undefined;
    }
  }

  async function takeRow(row: SourceRow, line: number): Promise<void> {
    if (!missingColumns) {
      columns = Object.keys(row);
      missingColumns = columnsOf(mapping).filter((column) => !(column in row) && !(`${column}.#text` in row));
    }
    const first = recognition.hashOf(row, 0);
    const stored = await recognition.findKnown(row, first);
    // Another row of this feed may have changed the listing.
    const isFirst = stored !== undefined && memory.see(stored.listingId, line) === undefined;
    const outcome = isFirst ? stored : await convertRow(row, first, line);
    memory.seeSeller(outcome.ownerId);
    recognizedBy[outcome.key] += 1;
    if (isFirst) {
      counts.unchanged += 1;
      counts.skipped += 1;
    } else if ('before' in outcome) counts.merged += 1;
    if (!outcome.isModelKnown) counts.unknownModels += 1;
    if (outcome.isPlaceApproximate) counts.approximatePlaces += 1;
    if (outcome.notes) findings.add(line, outcome.notes as Parameters<typeof findings.add>[1]);
    counts.accepted += 1;
    if (batch.listings.size + batch.again.size >= BATCH) await flush();
  }

  return {
    counts,
    /** Looks up rows that are taken next. */
    prepare: (rows: readonly ReadRow[]) =>
      recognition.prepare(rows.flatMap((read) => ('row' in read ? [read.row] : []))),
    /** @throws UnreadableValue for a row that is refused */
    async take(read: ReadRow): Promise<void> {
      if ('problem' in read) throw new UnreadableValue(read.problem);
      try {
        await takeRow(read.row, read.line);
      } catch (error) {
        if (!(error instanceof LeftOut)) throw error;
        leaveOut(read.row, error);
      } finally {
        // Those of a refused row say nothing about the stock.
        notes.take();
      }
    },
    flush,
    /** Ends the listings of cars that the feed names as sold. */
    async endSold(): Promise<void> {
      if (sold.size === 0) return;
      const isStill = (id: string) => !sold.has(id) || memory.hasSeen(id);
      counts.ended = (await writer?.expireMissing(mapping.source, isStill)) ?? 0;
    },
    findings: () => ({
      recognizedBy,
      columns,
      missingColumns: missingColumns ?? [],
      contradicting: examples,
      leftOut: [...leftOut].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count),
      findings: findings.list(),
    }),
  };
}
