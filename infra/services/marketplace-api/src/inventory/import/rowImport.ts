import { hash } from 'node:crypto';
import type { Catalog } from '../../domain/catalog.ts';
import type { KnownRow, KnownRows, ImportedRows, StockListing, StockOwner } from '../../domain/stock.ts';
import type { ZipDirectory } from '../../domain/places/index.ts';
import { type FeedMapping, type SourceRow, columnsOf, createRowReader, type ReadRow } from './mapping.ts';
import { type StockPair, createConverter } from './toStock.ts';
import { UnreadableValue } from './values.ts';

/** Ids and keys of earlier rows of one import, stored on disk to bound memory. */
export interface ImportMemory {
  /** How often this key occurred before. */
  timesBefore(key: number): number;
  /** The same, without counting this time. */
  timesSeen(key: number): number;
  /** Records an id of the feed. */
  see(id: string): void;
  hasSeen(id: string): boolean;
  /** Records a seller; `sellers` counts distinct ones. */
  seeSeller(id: string): void;
  readonly sellers: number;
  close(): void;
}

/** Port to the inventory; each call is durable when it returns. */
export interface InventoryWriter {
  upsertOwners(owners: readonly StockOwner[]): void;
  upsertListings(
    listings: readonly StockListing[],
    source: string,
    options: { rows: ImportedRows },
  ): { inserted: number; updated: number };
  /** Hosts that photos of the source may come from. */
  allowPhotoHosts(source: string, hosts: readonly string[]): void;
  /** Expires listings that the source no longer contains; returns their number. */
  expireMissing(source: string, hasSeen: (id: string) => boolean): number;
  /** How many listings the source has, and how many of them it no longer contains. */
  countMissing(source: string, hasSeen: (id: string) => boolean): { live: number; missing: number };
}

/** Live listings, for facts that feeds lack: the first day and the previous price. */
export interface KnownListings {
  find(id: string): StockListing | undefined;
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

const BATCH = 2_000;
/** VINs in the report that contradict their rows. */
const MAX_EXAMPLES = 5;
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
  unchanged: 0,
  invalidVins: 0,
  contradictions: 0,
};

/** Increase it when rows are converted differently: all rows are then converted again. */
export const CONVERSION = 3;

const emptyBatch = () => ({
  owners: new Map<string, StockOwner>(),
  listings: new Map<string, StockListing>(),
  rows: new Map<string, readonly [rowHash: Buffer, row: KnownRow]>(),
});

/** Writes each seller once, because most batches of a feed name the same sellers. */
function createOwnerWrites(writer: InventoryWriter | undefined): (owners: Iterable<StockOwner>) => void {
  const written = new WeakSet<StockOwner>();
  return (owners) => {
    const unwritten = [...owners].filter((owner) => !written.has(owner));
    writer?.upsertOwners(unwritten);
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
  /** `first` is the hash of the first row in these words. */
  findKnown(row: SourceRow, first: Buffer): KnownRow | undefined;
} {
  const context = hash(
    'sha256',
    JSON.stringify([CONVERSION, today.getUTCFullYear(), catalog.makes.length, mapping]),
  ).slice(0, 16);
  const hashOf = (row: SourceRow, nth: number): Buffer =>
    hash('sha256', `${context}${nth}${JSON.stringify(row)}`, 'buffer').subarray(0, 16);
  return {
    hashOf,
    findKnown(row, first) {
      let found = knownRows?.find(first);
      if (found?.description !== undefined) {
        const nth = memory.timesSeen(found.description);
        if (nth > 0) found = knownRows?.find(hashOf(row, nth));
        if (found?.description !== undefined) memory.timesBefore(found.description);
      }
      return found;
    },
  };
}

/** Imports rows in batches; rows that an earlier import has seen in the same words are not converted again. */
export function createRowImport(options: RowImportOptions, memory: ImportMemory) {
  const { mapping, writer, known, today } = options;
  const readRow = createRowReader(mapping);
  const convert = createConverter({
    mapping,
    zips: options.zips,
    catalog: options.catalog,
    today,
    timesBefore: (description) => memory.timesBefore(description),
  });
  const todayInDays = Math.floor(today.getTime() / MILLISECONDS_PER_DAY);
  const recognition = createRowRecognition(options, memory);
  const recognizedBy: Record<StockPair['key'], number> = { vin: 0, stockNumber: 0, description: 0 };
  const counts = { ...NO_COUNTS };
  let missingColumns: readonly string[] | undefined;
  const batch = emptyBatch();
  const writeOwners = createOwnerWrites(writer);
  const examples: string[] = [];

  function flush(): void {
    writeOwners(batch.owners.values());
    const { rows } = batch;
    const written = writer?.upsertListings([...batch.listings.values()], mapping.source, { rows });
    counts.inserted += written?.inserted ?? 0;
    counts.updated += written?.updated ?? 0;
    batch.owners.clear();
    batch.listings.clear();
    batch.rows.clear();
  }

  function noteContradiction({ vin, year, make }: StockListing): void {
    counts.contradictions += 1;
    if (examples.length < MAX_EXAMPLES) examples.push(`${vin} (${year} ${make.name})`);
  }

  /** `first` is the hash of the first row in these words. */
  function convertRow(row: SourceRow, first: Buffer): KnownRow {
    const { owner, listing, nth, ...outcome } = convert(readRow(row));
    const earlier = known?.find(listing.id);
    batch.owners.set(owner.id, owner);
    batch.listings.set(listing.id, earlier ? continueListing(listing, earlier, todayInDays) : listing);
    counts.photos += listing.photoUrls?.length ?? 0;
    if (outcome.hasInvalidVin) counts.invalidVins += 1;
    if (outcome.contradictsVin) noteContradiction(listing);
    const knownRow = { listingId: listing.id, ownerId: owner.id, ...outcome };
    batch.rows.set(listing.id, [nth > 0 ? recognition.hashOf(row, nth) : first, knownRow]);
    return knownRow;
  }

  function take(read: ReadRow): void {
    if ('problem' in read) throw new UnreadableValue(read.problem);
    missingColumns ??= columnsOf(mapping).filter((column) => !(column in read.row));
    const first = recognition.hashOf(read.row, 0);
    const stored = recognition.findKnown(read.row, first);
    // Another row of this feed may have changed the listing.
    const unchanged = stored && batch.listings.has(stored.listingId) ? undefined : stored;
    const { listingId, ownerId, key, isModelKnown, isPlaceApproximate } =
      unchanged ?? convertRow(read.row, first);
    memory.seeSeller(ownerId);
    if (options.expireMissing) memory.see(listingId);
    recognizedBy[key] += 1;
    if (unchanged) counts.unchanged += 1;
    if (!isModelKnown) counts.unknownModels += 1;
    if (isPlaceApproximate) counts.approximatePlaces += 1;
    counts.accepted += 1;
    if (batch.listings.size >= BATCH) flush();
  }

  return {
    counts,
    take,
    flush,
    findings: () => ({ recognizedBy, missingColumns: missingColumns ?? [], contradicting: examples }),
  };
}

/** Most changes of a price that are stored; older ones are dropped, except the first price. */
const MAX_PRICES = 24;

/** The prices so far and a changed one; of several on one day, the last. */
function pricesOf(
  { salePrice: price }: StockListing,
  { salePrice: before, listedOn, prices }: StockListing,
  todayInDays: number,
): StockListing['prices'] {
  if (price === undefined || before === undefined || price === before) return prices;
  const earlier = (prices ?? [[listedOn, before] as const]).filter(
    ([day], index) => index === 0 || day < todayInDays,
  );
  const [first, ...rest] = earlier;
  return [...(first ? [first] : []), ...rest.slice(2 - MAX_PRICES), [todayInDays, price]];
}

/** Carries over what the feed does not contain: first day, views and price reductions. */
function continueListing(listing: StockListing, earlier: StockListing, todayInDays: number): StockListing {
  const { listedOn, viewCount, salePrice: before } = earlier;
  const isReduced = before !== undefined && listing.salePrice !== undefined && listing.salePrice < before;
  const isSamePrice = before === listing.salePrice;
  const prices = pricesOf(listing, earlier, todayInDays);
  return {
    ...listing,
    listedOn: Math.min(listedOn, listing.listedOn),
    viewCount,
    ...(prices && { prices }),
    ...(isReduced && { previousPrice: before, reducedOn: todayInDays }),
    ...(isSamePrice && earlier.previousPrice !== undefined && { previousPrice: earlier.previousPrice }),
    ...(isSamePrice && earlier.reducedOn !== undefined && { reducedOn: earlier.reducedOn }),
    // Last, where the stored version has them too; the writer corrects them when the URLs changed.
    ...(listing.photoUrls && earlier.photos && { photos: earlier.photos }),
  };
}
