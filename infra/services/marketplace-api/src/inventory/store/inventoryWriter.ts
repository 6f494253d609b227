import type { Sql } from '@forecourt/service-kit/sql';
import { allOf, MAX_ROWS, runOf, writeRows } from '@forecourt/service-kit/sqlRows';
import type { StockListing, StockOwner, ImportedRows, KnownRow, KnownRows } from '../../domain/stock.ts';
import { changeStock, forgetSuperseded, indexedColumns, recordUndo, supersede } from './inventoryTables.ts';
import { createListingPhotos } from './listingPhotos.ts';
import { newestArrival } from './listingStore.ts';

interface Stored {
  readonly listingId: string;
  readonly ownerId: string;
  readonly key: number;
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
export async function createFeedRows(sql: Sql): Promise<KnownRows> {
  const hasRows = await sql.get('SELECT 1 AS found FROM listings WHERE row_key IS NOT NULL LIMIT 1');
  // A first import need not look.
  if (!hasRows) return { find: (rowHashes) => Promise.resolve(rowHashes.map(() => undefined)) };
  return {
    async find(rowHashes) {
      const rows = await allOf<Stored>(
        sql,
        `SELECT id AS "listingId", owner_id AS "ownerId", row_key AS "key", row_outcome AS outcome
         FROM listings WHERE removed_at IS NULL AND row_key IN (?)`,
        rowHashes.map(keyOf),
      );
      const byKey = new Map(rows.map((row) => [row.key, row]));
      return rowHashes.map((rowHash) => {
        const row = byKey.get(keyOf(rowHash));
        if (!row) return undefined;
        const [rest, outcome] = JSON.parse(row.outcome) as [string, Outcome];
        return rest === restOf(rowHash)
          ? { listingId: row.listingId, ownerId: row.ownerId, ...outcome }
          : undefined;
      });
    },
  };
}

/** Ids per page when looking for missing listings. */
const PAGE = 5000;

/** Listings after which plans for an empty inventory are slow. */
const MANY = 1_000;
const WRITTEN_TABLES = ['owners', 'listings', 'listing_photos', 'photo_urls'];

export interface UpsertOptions {
  /** Receives the number of processed listings. */
  readonly onProgress?: (done: number) => void;
  /** The rows of a feed that the listings were imported from, by the listings' ids. */
  readonly rows?: ImportedRows;
}

export interface InventoryWriter {
  /** Adds or replaces; owners come before their listings. */
  upsertOwners(owners: Iterable<StockOwner>): Promise<void>;
  /**
   * Adds or replaces listings of one source and counts new and changed rows;
   * unchanged ones are neither written nor counted.
   */
  upsertListings(
    listings: Iterable<StockListing>,
    source: string,
    options?: UpsertOptions,
  ): Promise<{ inserted: number; updated: number }>;
  /** Hosts that photos of the source may come from. */
  allowPhotoHosts(source: string, hosts: readonly string[]): Promise<void>;
  /** How many listings the source has, and how many of them it no longer contains. */
  countMissing(source: string, hasSeen: (id: string) => boolean): Promise<{ live: number; missing: number }>;
  /** Expires listings that the source no longer contains; returns their number. */
  expireMissing(source: string, hasSeen: (id: string) => boolean): Promise<number>;
}

const INSERT = `INSERT INTO listings
  (arrival, id, vin, owner_id, source, seq, body, changed_on, stock_key, row_key, row_outcome)`;
const UPDATE = `UPDATE listings SET source = ?, seq = ?, removed_at = NULL, vin = v.column2, owner_id = v.column3,
  body = v.column4, changed_on = CAST(v.column5 AS BIGINT), stock_key = v.column6,
  row_key = CAST(v.column7 AS BIGINT), row_outcome = v.column8 FROM (`;
const SET_ROW = `UPDATE listings SET row_key = CAST(v.column2 AS BIGINT), row_outcome = v.column3 FROM (`;
const OF_LISTINGS = ') AS v WHERE listings.id = v.column1';

/** The only writer of the inventory, for the generator and for imports. */
export function createInventoryWriter(sql: Sql, now: () => number = Date.now): InventoryWriter {
  const photos = createListingPhotos(sql);

  /** Adds or replaces as one change. Ids of the listings differ. */
  const upsertBatch = (listings: readonly StockListing[], source: string, rows: ImportedRows | undefined) =>
    changeStock(sql, async (next) => {
      const found = await allOf<{ id: string; source: string; body: string; removed: number }>(
        sql,
        `SELECT id, source, body, CASE WHEN removed_at IS NULL THEN 0 ELSE 1 END AS removed
         FROM listings WHERE id IN (?)`,
        listings.map(({ id }) => id),
      );
      const stored = new Map(found.map((row) => [row.id, row]));
      const written = listings.map((listing) => {
        const body = JSON.stringify(listing);
        const before = stored.get(listing.id);
        const isSame = before?.body === body && before.source === source && before.removed === 0;
        const row = rows?.get(listing.id);
        return { listing, body, row: row && rowColumns(...row), before, isSame };
      });
      // Other words of the same content.
      const sameRows = written.flatMap(({ isSame, row, listing }) =>
        isSame && row ? [[listing.id, ...row]] : [],
      );
      await writeRows(sql, SET_ROW, sameRows, OF_LISTINGS);
      const changed = written.filter(({ isSame }) => !isSame);
      if (changed.length === 0) return { inserted: 0, updated: 0 };
      const change = await next();
      const added = changed.filter(({ before }) => !before);
      const replaced = changed.filter(({ before }) => before);
      const ids = replaced.map(({ listing }) => listing.id);
      await supersede(sql, 'listing', ids, { change, now: now() });
      await recordUndo(sql, source, ids);
      const columnsOf = ({ listing, body, row }: (typeof written)[number]) =>
        [body, ...indexedColumns(listing), ...(row ?? [null, null])] as const;
      const newest = added.length > 0 ? await newestArrival(sql) : 0;
      await writeRows(
        sql,
        INSERT,
        added.map((one, at) => {
          const { id, vin, ownerId } = one.listing;
          return [newest + at + 1, id, vin, ownerId, source, change, ...columnsOf(one)];
        }),
      );
      await writeRows(
        sql,
        UPDATE,
        replaced.map((one) => [one.listing.id, one.listing.vin, one.listing.ownerId, ...columnsOf(one)]),
        OF_LISTINGS,
        source,
        change,
      );
      const withPhotos = changed.filter(({ before, listing }) => before || listing.photoUrls);
      await photos.setUrls(
        withPhotos.map(({ listing }) => listing),
        { source, change, now: now() },
      );
      return { inserted: added.length, updated: replaced.length };
    });

  /** Pages of the ids of the source's live listings. */
  async function* liveIds(source: string): AsyncIterable<string[]> {
    for (let last = ''; ;) {
      const rows = await sql.all<{ id: string }>(
        `SELECT id FROM listings WHERE source = ? AND removed_at IS NULL AND id > ? ORDER BY id LIMIT ${PAGE}`,
        source,
        last,
      );
      if (rows.length === 0) return;
      last = rows.at(-1)!.id;
      yield rows.map(({ id }) => id);
    }
  }

  const expire = (ids: readonly string[], source: string) =>
    changeStock(sql, async (next) => {
      const change = await next();
      await supersede(sql, 'listing', ids, { change, now: now() });
      await recordUndo(sql, source, ids);
      await runOf(sql, 'UPDATE listings SET removed_at = ?, seq = ? WHERE id IN (?)', ids, now(), change);
    });

  return {
    async upsertOwners(owners) {
      for (const batch of batchesOf(owners, MAX_ROWS))
        await changeStock(sql, async (next) => {
          const bodies = new Map(batch.map((owner) => [owner.id, JSON.stringify(owner)]));
          const stored = await allOf<{ id: string; body: string }>(
            sql,
            'SELECT id, body FROM owners WHERE id IN (?)',
            [...bodies.keys()],
          );
          const isSame = new Set(stored.flatMap(({ id, body }) => (bodies.get(id) === body ? id : [])));
          const changed = new Map(
            batch.flatMap((owner) => (isSame.has(owner.id) ? [] : [[owner.id, owner]])),
          );
          if (changed.size === 0) return;
          const change = await next();
          await supersede(sql, 'owner', [...changed.keys()], { change, now: now() });
          await writeRows(
            sql,
            'INSERT INTO owners (id, seq, is_alpha, body)',
            [...changed.values()].map(({ id, isAlpha }) => [id, change, isAlpha ? 1 : 0, bodies.get(id)!]),
            `ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, is_alpha = excluded.is_alpha, body = excluded.body`,
          );
        });
    },
    async upsertListings(listings, source, { onProgress, rows } = {}) {
      const counts = { inserted: 0, updated: 0 };
      let done = 0;
      for (const batch of batchesOf(listings, MAX_ROWS)) {
        const last = new Map(batch.map((listing) => [listing.id, listing]));
        const { inserted, updated } = await upsertBatch([...last.values()], source, rows);
        counts.inserted += inserted;
        counts.updated += updated;
        done += batch.length;
        onProgress?.(done);
      }
      await forgetSuperseded(sql, now());
      // The first import of a stock goes on, and is undone, by the plans of a stock.
      if (done >= MANY) await sql.analyze(WRITTEN_TABLES);
      return counts;
    },
    allowPhotoHosts: (source, hosts) => photos.allowHosts(source, hosts, now()),
    async countMissing(source, hasSeen) {
      const counts = { live: 0, missing: 0 };
      for await (const ids of liveIds(source)) {
        counts.live += ids.length;
        counts.missing += ids.filter((id) => !hasSeen(id)).length;
      }
      return counts;
    },
    async expireMissing(source, hasSeen) {
      let expired = 0;
      for await (const ids of liveIds(source)) {
        const gone = ids.filter((id) => !hasSeen(id));
        for (const batch of batchesOf(gone, MAX_ROWS)) await expire(batch, source);
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
export async function seedInventory(sql: Sql, options: SeedOptions): Promise<'present' | 'seeded'> {
  const { key, size, owners, listings, onProgress } = options;
  const stored = await sql.get<{ value: string }>(`SELECT value FROM meta WHERE key = 'generation'`);
  if (stored?.value === key) return 'present';

  const writer = createInventoryWriter(sql);
  onProgress?.({ done: 0, total: size });
  await writer.upsertOwners(owners());
  const listingIds = new Set<string>();
  const recorded = function* (): Iterable<StockListing> {
    for (const listing of listings()) {
      listingIds.add(listing.id);
      yield listing;
    }
  };
  await writer.upsertListings(recorded(), GENERATED_SOURCE, {
    onProgress: (done) => onProgress?.({ done, total: size }),
  });
  await writer.expireMissing(GENERATED_SOURCE, (id) => listingIds.has(id));
  await sql.run(
    `INSERT INTO meta (key, value) VALUES ('generation', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    key,
  );
  return 'seeded';
}
