import type { Sql } from '@forecourt/service-kit/sql';
import { allOf } from '@forecourt/service-kit/sqlRows';
import { changeStock } from '../store/inventoryTables.ts';
import { createListingPhotos } from '../store/listingPhotos.ts';
import type { PhotoProblem, StockListing, StockPhoto } from '../../domain/stock.ts';

/** A URL whose photo is to be fetched. */
export interface DuePhoto {
  readonly url: string;
  readonly source: string;
  readonly attempts: number;
}

/** A photo that a listing lacks. */
export interface MissingPhoto {
  readonly listingId: string;
  readonly vin: string;
  readonly stockNumber: string | null;
  /** From 1, in the feed's order. */
  readonly position: number;
  readonly url: string;
  /** Null: not fetched yet. */
  readonly problem: PhotoProblem | null;
  readonly attempts: number;
  /** ms since 1970; null: no further attempt. */
  readonly dueAt: number | null;
}

export interface PhotoStore {
  due(now: number, limit: number): Promise<DuePhoto[]>;
  hostsOf(source: string): Promise<readonly string[]>;
  /** The photo of these bytes, if it was stored before. */
  find(hash: string): Promise<StockPhoto | undefined>;
  stored(url: string, photo: StockPhoto): Promise<void>;
  failed(url: string, problem: PhotoProblem, nextAttempt: number | null): Promise<void>;
  /** Puts off without counting an attempt. */
  postpone(url: string, until: number): Promise<void>;
  /** Writes the stored photos of listings that name one of these URLs into the listings; returns how many changed. */
  publish(urls: readonly string[], now: number): Promise<number>;
  missing(source?: string): Promise<MissingPhoto[]>;
  counts(): Promise<{ stored: number; pending: number; failed: number }>;
  /** Attempts the failed ones again. */
  retry(source: string | undefined, now: number): Promise<number>;
  /** Photos that are known as stored and have a hash after `after`, in the order of their hashes, at most `limit`. */
  known(after: string, limit: number): Promise<StockPhoto[]>;
  /** Fetches a photo again whose files were lost. */
  lost(hash: string, now: number): Promise<void>;
  /** Forgets photos that only listings use which were removed before; their files are `removed` until `deleted`. */
  release(removedBefore: number): Promise<void>;
  /** Hashes of photos whose files are to be deleted, unless the photo has come back. */
  removed(limit: number): Promise<{ hash: string; isBack: boolean }[]>;
  deleted(hash: string): Promise<void>;
}

/** Listings whose photos one change publishes. */
const PUBLISHED = 250;

/** What forgets photos of removed listings, in this order; the first has a parameter. */
const RELEASE = `DELETE FROM listing_photos WHERE listing_id IN
  (SELECT DISTINCT p.listing_id FROM listing_photos p JOIN listings l ON l.id = p.listing_id WHERE l.removed_at < ?)`;
const UNUSED = 'NOT EXISTS (SELECT 1 FROM photo_urls u WHERE u.hash = photos.hash)';
const RELEASE_PHOTOS = [
  'DELETE FROM photo_urls WHERE NOT EXISTS (SELECT 1 FROM listing_photos p WHERE p.url = photo_urls.url)',
  `INSERT INTO removed_photos (hash) SELECT hash FROM photos WHERE ${UNUSED} ON CONFLICT DO NOTHING`,
  `DELETE FROM photos WHERE ${UNUSED}`,
];

/** Photos in the inventory's database. Their files are in a `PhotoFiles`. */
export function createPhotoStore(sql: Sql): PhotoStore {
  const listings = createListingPhotos(sql);
  const run = async (text: string, ...values: readonly (string | number | null)[]) => {
    await sql.run(text, ...values);
  };

  return {
    due: (now, limit) =>
      sql.all(
        'SELECT url, source, attempts FROM photo_urls WHERE due_at <= ? ORDER BY due_at LIMIT ?',
        now,
        limit,
      ),
    async hostsOf(source) {
      const row = await sql.get<{ hosts: string }>('SELECT hosts FROM photo_hosts WHERE source = ?', source);
      return JSON.parse(row?.hosts ?? '[]') as string[];
    },
    async find(hash) {
      const row = await sql.get<{ body: string }>('SELECT body FROM photos WHERE hash = ?', hash);
      return row && (JSON.parse(row.body) as StockPhoto);
    },
    async stored(url, photo) {
      await run(
        'INSERT INTO photos (hash, body) VALUES (?, ?) ON CONFLICT DO NOTHING',
        photo.hash,
        JSON.stringify(photo),
      );
      await run(
        'UPDATE photo_urls SET hash = ?, due_at = NULL, problem = NULL, attempts = attempts + 1 WHERE url = ?',
        photo.hash,
        url,
      );
    },
    failed: (url, problem, nextAttempt) =>
      run(
        'UPDATE photo_urls SET problem = ?, due_at = ?, attempts = attempts + 1 WHERE url = ?',
        problem,
        nextAttempt,
        url,
      ),
    postpone: (url, until) => run('UPDATE photo_urls SET due_at = ? WHERE url = ?', until, url),
    async publish(urls, now) {
      const text = 'SELECT DISTINCT listing_id AS id FROM listing_photos WHERE url IN (?)';
      const ids = [...new Set((await allOf<{ id: string }>(sql, text, urls)).map(({ id }) => id))];
      let published = 0;
      for (let at = 0; at < ids.length; at += PUBLISHED)
        published += await changeStock(sql, (next) =>
          listings.publish(ids.slice(at, at + PUBLISHED), next, now),
        );
      return published;
    },
    async missing(source) {
      const rows = await sql.all<Omit<MissingPhoto, 'stockNumber'> & { body: string }>(
        `SELECT l.id AS "listingId", l.vin, l.body, p.position + 1 AS position, p.url, u.problem, u.attempts,
           u.due_at AS "dueAt"
         FROM photo_urls u JOIN listing_photos p ON p.url = u.url JOIN listings l ON l.id = p.listing_id
         WHERE u.hash IS NULL AND l.removed_at IS NULL ${source === undefined ? '' : 'AND l.source = ?'}
         ORDER BY l.id, p.position`,
        ...(source === undefined ? [] : [source]),
      );
      return rows.map(({ body, ...row }) => {
        const { stockNumber = null } = JSON.parse(body) as StockListing;
        return { ...row, stockNumber };
      });
    },
    async counts() {
      const counts = await sql.get<Awaited<ReturnType<PhotoStore['counts']>>>(
        `SELECT count(hash) AS stored, count(*) FILTER (WHERE hash IS NULL AND problem IS NULL) AS pending,
           count(*) FILTER (WHERE hash IS NULL AND problem IS NOT NULL) AS failed FROM photo_urls`,
      );
      return counts!;
    },
    retry: (source, now) =>
      sql.run(
        `UPDATE photo_urls SET due_at = ?, attempts = 0 WHERE hash IS NULL AND problem IS NOT NULL
         ${source === undefined ? '' : 'AND source = ?'}`,
        now,
        ...(source === undefined ? [] : [source]),
      ),
    async known(after, limit) {
      const text = 'SELECT body FROM photos WHERE hash > ? ORDER BY hash LIMIT ?';
      const rows = await sql.all<{ body: string }>(text, after, limit);
      return rows.map(({ body }) => JSON.parse(body) as StockPhoto);
    },
    lost: (hash, now) =>
      sql.inTurn('stock', async () => {
        await run('UPDATE photo_urls SET hash = NULL, due_at = ?, attempts = 0 WHERE hash = ?', now, hash);
        await run('DELETE FROM photos WHERE hash = ?', hash);
      }),
    release: (removedBefore) =>
      sql.inTurn('stock', async () => {
        await run(RELEASE, removedBefore);
        for (const text of RELEASE_PHOTOS) await run(text);
      }),
    async removed(limit) {
      const rows = await sql.all<{ hash: string; isBack: number }>(
        `SELECT r.hash, CASE WHEN p.hash IS NULL THEN 0 ELSE 1 END AS "isBack"
         FROM removed_photos r LEFT JOIN photos p ON p.hash = r.hash LIMIT ?`,
        limit,
      );
      return rows.map(({ hash, isBack }) => ({ hash, isBack: isBack === 1 }));
    },
    deleted: (hash) => run('DELETE FROM removed_photos WHERE hash = ?', hash),
  };
}
