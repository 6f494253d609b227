import type { Db } from '@forecourt/service-kit/database';
import { createListingPhotos } from '../store/listingPhotos.ts';
import type { PhotoProblem, StockPhoto } from '../../domain/stock.ts';

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
  due(now: number, limit: number): DuePhoto[];
  hostsOf(source: string): readonly string[];
  /** The photo of these bytes, if it was stored before. */
  find(hash: string): StockPhoto | undefined;
  stored(url: string, photo: StockPhoto): void;
  failed(url: string, problem: PhotoProblem, nextAttempt: number | null): void;
  /** Puts off without counting an attempt. */
  postpone(url: string, until: number): void;
  /** Writes the stored photos of listings that name one of these URLs into the listings; returns how many changed. */
  publish(urls: readonly string[]): number;
  missing(source?: string): MissingPhoto[];
  counts(): { stored: number; pending: number; failed: number };
  /** Attempts the failed ones again. */
  retry(source: string | undefined, now: number): number;
  /** Photos that are known as stored, in the order of their hashes. */
  known(): Iterable<StockPhoto>;
  /** Fetches a photo again whose files were lost. */
  lost(hash: string, now: number): void;
  /** Forgets photos that only listings use which were removed before; their files are `removed` until `deleted`. */
  release(removedBefore: number): void;
  /** Hashes of photos whose files are to be deleted, unless the photo has come back. */
  removed(limit: number): { hash: string; isBack: boolean }[];
  deleted(hash: string): void;
}

function statements(db: Db) {
  return {
    due: db.prepare<[number, number], DuePhoto>(
      'SELECT url, source, attempts FROM photo_urls WHERE due_at <= ? ORDER BY due_at LIMIT ?',
    ),
    hosts: db.prepare<[string], string>('SELECT hosts FROM photo_hosts WHERE source = ?').pluck(),
    find: db.prepare<[string], string>('SELECT body FROM photos WHERE hash = ?').pluck(),
    addPhoto: db.prepare('INSERT OR IGNORE INTO photos (hash, body) VALUES (?, ?)'),
    setStored: db.prepare(
      'UPDATE photo_urls SET hash = ?, due_at = NULL, problem = NULL, attempts = attempts + 1 WHERE url = ?',
    ),
    setFailed: db.prepare(
      'UPDATE photo_urls SET problem = ?, due_at = ?, attempts = attempts + 1 WHERE url = ?',
    ),
    postpone: db.prepare('UPDATE photo_urls SET due_at = ? WHERE url = ?'),
    nextSeq: db
      .prepare<[], string>(
        `UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'change_seq' RETURNING value`,
      )
      .pluck(),
    missing: db.prepare<[{ source: string | null }], MissingPhoto>(
      `SELECT l.id AS listingId, l.vin, l.body ->> 'stockNumber' AS stockNumber, p.position + 1 AS position,
         p.url, u.problem, u.attempts, u.due_at AS dueAt
       FROM photo_urls u JOIN listing_photos p ON p.url = u.url JOIN listings l ON l.id = p.listing_id
       WHERE u.hash IS NULL AND l.removed_at IS NULL AND (@source IS NULL OR l.source = @source)
       ORDER BY l.id, p.position`,
    ),
    counts: db.prepare<[], { stored: number; pending: number; failed: number }>(
      `SELECT count(hash) AS stored, count(*) FILTER (WHERE hash IS NULL AND problem IS NULL) AS pending,
         count(*) FILTER (WHERE hash IS NULL AND problem IS NOT NULL) AS failed FROM photo_urls`,
    ),
    retry: db.prepare(
      `UPDATE photo_urls SET due_at = @now, attempts = 0
       WHERE hash IS NULL AND problem IS NOT NULL AND (@source IS NULL OR source = @source)`,
    ),
    known: db.prepare<[], string>('SELECT body FROM photos ORDER BY hash').pluck(),
    refetch: db.prepare('UPDATE photo_urls SET hash = NULL, due_at = ?, attempts = 0 WHERE hash = ?'),
    drop: db.prepare('DELETE FROM photos WHERE hash = ?'),
    dropUses: db.prepare(
      `DELETE FROM listing_photos WHERE listing_id IN
         (SELECT DISTINCT p.listing_id FROM listing_photos p JOIN listings l ON l.id = p.listing_id WHERE l.removed_at < ?)`,
    ),
    dropUrls: db.prepare(
      'DELETE FROM photo_urls WHERE NOT EXISTS (SELECT 1 FROM listing_photos p WHERE p.url = photo_urls.url)',
    ),
    markPhotos: db.prepare(
      `INSERT OR IGNORE INTO removed_photos (hash)
       SELECT hash FROM photos WHERE NOT EXISTS (SELECT 1 FROM photo_urls u WHERE u.hash = photos.hash)`,
    ),
    dropPhotos: db.prepare(
      'DELETE FROM photos WHERE NOT EXISTS (SELECT 1 FROM photo_urls u WHERE u.hash = photos.hash)',
    ),
    removed: db.prepare<[number], { hash: string; isBack: number }>(
      'SELECT r.hash, p.hash IS NOT NULL AS isBack FROM removed_photos r LEFT JOIN photos p ON p.hash = r.hash LIMIT ?',
    ),
    deleted: db.prepare('DELETE FROM removed_photos WHERE hash = ?'),
  };
}

/** Photos in the inventory's database. Their files are in a `PhotoFiles`. */
export function createPhotoStore(db: Db): PhotoStore {
  const sql = statements(db);
  const listings = createListingPhotos(db);

  return {
    due: (now, limit) => sql.due.all(now, limit),
    hostsOf: (source) => JSON.parse(sql.hosts.get(source) ?? '[]') as string[],
    find(hash) {
      const body = sql.find.get(hash);
      return body === undefined ? undefined : (JSON.parse(body) as StockPhoto);
    },
    stored(url, photo) {
      sql.addPhoto.run(photo.hash, JSON.stringify(photo));
      sql.setStored.run(photo.hash, url);
    },
    failed: (url, problem, nextAttempt) => void sql.setFailed.run(problem, nextAttempt, url),
    postpone: (url, until) => void sql.postpone.run(until, url),
    publish(urls) {
      const ids = new Set(urls.flatMap((url) => listings.listingsOf(url)));
      if (ids.size === 0) return 0;
      return db
        .transaction(() => {
          let seq: number | undefined;
          const nextSeq = () => (seq ??= Number(sql.nextSeq.get()));
          return [...ids].filter((id) => listings.publish(id, nextSeq)).length;
        })
        .immediate();
    },
    missing: (source) => sql.missing.all({ source: source ?? null }),
    counts: () => sql.counts.get()!,
    retry: (source, now) => sql.retry.run({ source: source ?? null, now }).changes,
    *known() {
      // Not a cursor: `lost` writes meanwhile.
      for (const body of sql.known.all()) yield JSON.parse(body) as StockPhoto;
    },
    lost: (hash, now) =>
      db
        .transaction(() => {
          sql.refetch.run(now, hash);
          sql.drop.run(hash);
        })
        .immediate(),
    release: (removedBefore) =>
      db
        .transaction(() => {
          sql.dropUses.run(removedBefore);
          sql.dropUrls.run();
          sql.markPhotos.run();
          sql.dropPhotos.run();
        })
        .immediate(),
    removed: (limit) => sql.removed.all(limit).map(({ hash, isBack }) => ({ hash, isBack: isBack === 1 })),
    deleted: (hash) => void sql.deleted.run(hash),
  };
}
