import type { StockListing, StockOwner, ImportedRows, KnownRow, KnownRows } from '../../domain/stock.ts';
import type { Db } from '@forecourt/service-kit/database';
import { createListingPhotos } from './listingPhotos.ts';
import { indexedColumns } from './listingStore.ts';

interface Stored {
  readonly listingId: string;
  readonly ownerId: string;
  /** JSON of the rest of the hash and the outcome. */
  readonly outcome: string;
}

type Outcome = Omit<KnownRow, 'listingId' | 'ownerId'>;

/** Bytes of a hash in the key, which fit an integer of JavaScript; the others are compared. */
const KEY_BYTES = 6;
const keyOf = (rowHash: Buffer): number => rowHash.readUIntBE(0, KEY_BYTES);
const restOf = (rowHash: Buffer): string => rowHash.toString('base64', KEY_BYTES);

/** The columns of a listing that was imported from a row. */
const rowColumns = (rowHash: Buffer, { listingId: _, ownerId: __, ...outcome }: KnownRow) =>
  [keyOf(rowHash), JSON.stringify([restOf(rowHash), outcome])] as const;

/** The rows from which the listings for sale were imported last. */
export function createFeedRows(db: Db): KnownRows {
  const find = db.prepare<[number], Stored>(
    `SELECT id AS listingId, owner_id AS ownerId, row_outcome AS outcome
     FROM listings WHERE row_key = ? AND removed_at IS NULL`,
  );
  const hasRows = db.prepare('SELECT 1 FROM listings WHERE row_key IS NOT NULL LIMIT 1').get() !== undefined;
  return {
    find(rowHash) {
      // A first import need not look.
      const row = hasRows ? find.get(keyOf(rowHash)) : undefined;
      if (!row) return undefined;
      const [rest, outcome] = JSON.parse(row.outcome) as [string, Outcome];
      return rest === restOf(rowHash)
        ? { listingId: row.listingId, ownerId: row.ownerId, ...outcome }
        : undefined;
    },
  };
}

/** Rows per transaction, so that other writers wait a few milliseconds at most. */
const BATCH = 250;
/** Ids per page when looking for missing listings. */
const PAGE = 5000;
/** ms for which the previous version of a changed row is stored. */
const RETENTION_MS = 60_000;

export interface UpsertOptions {
  /** Receives the number of processed listings. */
  readonly onProgress?: (done: number) => void;
  /** The rows of a feed that the listings were imported from, by the listings' ids. */
  readonly rows?: ImportedRows;
}

export interface InventoryWriter {
  /** Adds or replaces; owners come before their listings. */
  upsertOwners(owners: Iterable<StockOwner>): void;
  /**
   * Adds or replaces listings of one source and counts new and changed rows;
   * unchanged ones are neither written nor counted.
   */
  upsertListings(
    listings: Iterable<StockListing>,
    source: string,
    options?: UpsertOptions,
  ): { inserted: number; updated: number };
  /** Hosts that photos of the source may come from. */
  allowPhotoHosts(source: string, hosts: readonly string[]): void;
  /** How many listings the source has, and how many of them it no longer contains. */
  countMissing(source: string, hasSeen: (id: string) => boolean): { live: number; missing: number };
  /** Expires listings that the source no longer contains; returns their number. */
  expireMissing(source: string, hasSeen: (id: string) => boolean): number;
}

function statements(db: Db) {
  const nextSeq = db
    .prepare<[], string>(
      `UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'change_seq' RETURNING value`,
    )
    .pluck();
  const upsertOwner = db.prepare(
    `INSERT INTO owners (id, seq, is_alpha, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, is_alpha = excluded.is_alpha, body = excluded.body
     WHERE body <> excluded.body`,
  );
  const isPresent = db.prepare<[string], number>('SELECT 1 FROM listings WHERE id = ?').pluck();
  const upsertListing = db.prepare(
    `INSERT INTO listings (id, vin, owner_id, source, seq, removed_at, body, changed_on, stock_key, row_key, row_outcome)
     VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET vin = excluded.vin, owner_id = excluded.owner_id,
       source = excluded.source, seq = excluded.seq, removed_at = NULL, body = excluded.body,
       changed_on = excluded.changed_on, stock_key = excluded.stock_key,
       row_key = excluded.row_key, row_outcome = excluded.row_outcome
     WHERE body <> excluded.body OR source <> excluded.source OR removed_at IS NOT NULL`,
  );
  const setRow = db.prepare('UPDATE listings SET row_key = ?, row_outcome = ? WHERE id = ?');
  const liveIds = db
    .prepare<[string, string], string>(
      `SELECT id FROM listings WHERE id > ? AND source = ? AND removed_at IS NULL ORDER BY id LIMIT ${PAGE}`,
    )
    .pluck();
  const forget = db.prepare(`DELETE FROM superseded WHERE at < unixepoch('subsec') * 1000 - ${RETENTION_MS}`);
  const expire = db.prepare('UPDATE listings SET removed_at = ?, seq = ? WHERE id = ?');
  return { nextSeq, upsertOwner, isPresent, upsertListing, setRow, liveIds, forget, expire };
}

/** The only writer of the inventory, for the generator and for imports. */
export function createInventoryWriter(db: Db, now: () => number = Date.now): InventoryWriter {
  const { nextSeq, upsertOwner, isPresent, upsertListing, setRow, liveIds, forget, expire } = statements(db);
  const photos = createListingPhotos(db);

  /** Runs each batch as one immediate transaction, so that no lock is upgraded. */
  const inBatches = <Item>(
    items: Iterable<Item>,
    write: (item: Item, seq: number) => void,
    after?: () => void,
  ) => {
    for (const batch of batchesOf(items, BATCH)) {
      db.transaction(() => {
        const seq = Number(nextSeq.get());
        for (const item of batch) write(item, seq);
        forget.run();
      }).immediate();
      after?.();
    }
  };

  return {
    upsertOwners(owners) {
      inBatches(owners, (owner, seq) => {
        upsertOwner.run(owner.id, seq, owner.isAlpha ? 1 : 0, JSON.stringify(owner));
      });
    },
    upsertListings(listings, source, { onProgress, rows } = {}) {
      let inserted = 0;
      let updated = 0;
      let done = 0;
      inBatches(
        listings,
        (listing, seq) => {
          const wasPresent = isPresent.get(listing.id) !== undefined;
          const { id, vin, ownerId } = listing;
          const found = rows?.get(id);
          const row = found ? rowColumns(...found) : ([null, null] as const);
          const body = JSON.stringify(listing);
          const indexed = indexedColumns(listing);
          const { changes } = upsertListing.run(id, vin, ownerId, source, seq, body, ...indexed, ...row);
          // Other words of the same content.
          if (changes === 0 && found) setRow.run(...row, id);
          if (changes > 0 && wasPresent) updated++;
          if (changes > 0 && (wasPresent || listing.photoUrls))
            photos.setUrls(listing, { source, seq, now: now() });
          if (!wasPresent) inserted++;
          done++;
        },
        () => onProgress?.(done),
      );
      return { inserted, updated };
    },
    allowPhotoHosts: (source, hosts) => photos.allowHosts(source, hosts, now()),
    countMissing(source, hasSeen) {
      const counts = { live: 0, missing: 0 };
      for (let ids = liveIds.all('', source); ids.length > 0; ids = liveIds.all(ids.at(-1)!, source)) {
        counts.live += ids.length;
        counts.missing += ids.filter((id) => !hasSeen(id)).length;
      }
      return counts;
    },
    expireMissing(source, hasSeen) {
      let expired = 0;
      for (let ids = liveIds.all('', source); ids.length > 0; ids = liveIds.all(ids.at(-1)!, source)) {
        const gone = ids.filter((id) => !hasSeen(id));
        inBatches(gone, (id, seq) => expire.run(now(), seq, id));
        expired += gone.length;
      }
      return expired;
    },
  };
}

/** The same items in batches of `size`; the last may be smaller. */
export function* batchesOf<Item>(items: Iterable<Item>, size: number): Iterable<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Source of generated listings. */
export const GENERATED_SOURCE = 'generated';

export interface SeedSource {
  /** Identifies the generated data; data with the same key is not generated again. */
  readonly key: string;
  readonly size: number;
  readonly owners: () => Iterable<StockOwner>;
  readonly listings: () => Iterable<StockListing>;
}

export interface SeedOptions extends SeedSource {
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/**
 * Fills the database with generated inventory; 'present' if it already contains
 * it. The key is written last, so that an interrupted seed is repeated. Imported
 * listings stay.
 */
export function seedInventory(db: Db, options: SeedOptions): 'present' | 'seeded' {
  const { key, size, owners, listings, onProgress } = options;
  const stored = db.prepare<[], string>(`SELECT value FROM meta WHERE key = 'generation'`).pluck();
  if (stored.get() === key) return 'present';

  const writer = createInventoryWriter(db);
  onProgress?.({ done: 0, total: size });
  writer.upsertOwners(owners());
  const listingIds = new Set<string>();
  const recorded = function* (): Iterable<StockListing> {
    for (const listing of listings()) {
      listingIds.add(listing.id);
      yield listing;
    }
  };
  writer.upsertListings(recorded(), GENERATED_SOURCE, {
    onProgress: (done) => onProgress?.({ done, total: size }),
  });
  writer.expireMissing(GENERATED_SOURCE, (id) => listingIds.has(id));
  db.prepare(
    `INSERT INTO meta (key, value) VALUES ('generation', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  ).run(key);
  return 'seeded';
}
