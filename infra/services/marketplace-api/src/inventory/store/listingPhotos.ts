import type { Sql } from '@forecourt/service-kit/sql';
import { allOf, runOf, writeRows } from '@forecourt/service-kit/sqlRows';
import type { StockListing, StockPhoto } from '../../domain/stock.ts';
import { supersede } from './inventoryTables.ts';

/** When and by which import listings are written; `now` in ms since 1970. */
interface Change {
  readonly source: string;
  readonly change: number;
  readonly now: number;
}

/** Which photos each listing names, and the stored ones in its body. All are part of a change of the stock. */
export interface ListingPhotos {
  /** Records the URLs of listings that were just written, and which are to be fetched. */
  setUrls(listings: readonly StockListing[], change: Change): Promise<void>;
  /** Hosts that photos of a source may come from; photos that were refused before are tried again. */
  allowHosts(source: string, hosts: readonly string[], now: number): Promise<void>;
  /** Writes listings' stored photos into their bodies; returns how many of them hadn't got them. */
  publish(ids: readonly string[], next: () => Promise<number>, now: number): Promise<number>;
}

const WRITE = `UPDATE listings SET seq = ?, body = v.column2 FROM (`;

export function createListingPhotos(sql: Sql): ListingPhotos {
  async function urlsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await allOf<{ id: string; url: string }>(
      sql,
      'SELECT listing_id AS id, url FROM listing_photos WHERE listing_id IN (?) ORDER BY listing_id, position',
      ids,
    );
    const urls = Map.groupBy(rows, ({ id }) => id);
    return new Map([...urls].map(([id, list]) => [id, list.map(({ url }) => url).join('\n')]));
  }

  async function publish(ids: readonly string[], next: () => Promise<number>, now: number): Promise<number> {
    const bodies = await allOf<{ id: string; body: string }>(
      sql,
      'SELECT id, body FROM listings WHERE id IN (?)',
      ids,
    );
    // One photo under two URLs is shown once.
    const stored = await allOf<{ id: string; body: string }>(
      sql,
      `SELECT l.listing_id AS id, p.body FROM listing_photos l
       JOIN photo_urls u ON u.url = l.url JOIN photos p ON p.hash = u.hash
       WHERE l.listing_id IN (?) GROUP BY l.listing_id, p.hash ORDER BY l.listing_id, min(l.position)`,
      ids,
    );
    const photosOf = Map.groupBy(stored, ({ id }) => id);
    const written = bodies.flatMap(({ id, body }) => {
      const { photos: _, ...listing } = JSON.parse(body) as StockListing;
      const photos = photosOf.get(id)?.map((photo) => JSON.parse(photo.body) as StockPhoto);
      const text = JSON.stringify(photos ? { ...listing, photos } : listing);
      return text === body ? [] : [[id, text]];
    });
    if (written.length === 0) return 0;
    const change = await next();
    const changed = written.map(([id]) => id!);
    await supersede(sql, 'listing', changed, { change, now });
    return writeRows(sql, WRITE, written, ') AS v WHERE listings.id = v.column1', change);
  }

  return {
    async setUrls(listings, { source, change, now }) {
      const before = await urlsOf(listings.map(({ id }) => id));
      const changed = listings.filter(
        ({ id, photoUrls = [] }) => photoUrls.join('\n') !== (before.get(id) ?? ''),
      );
      if (changed.length === 0) return;
      const ids = changed.map(({ id }) => id);
      await runOf(sql, 'DELETE FROM listing_photos WHERE listing_id IN (?)', ids);
      const rows = changed.flatMap(({ id, photoUrls = [] }) =>
        photoUrls.map((url, position) => [id, position, url] as const),
      );
      await writeRows(sql, 'INSERT INTO listing_photos (listing_id, position, url)', rows);
      // A URL that some listing named before is not fetched again.
      await writeRows(
        sql,
        'INSERT INTO photo_urls (url, source, due_at)',
        rows.map(([, , url]) => [url, source, now]),
        'ON CONFLICT (url) DO NOTHING',
      );
      await publish(ids, () => Promise.resolve(change), now);
    },
    async allowHosts(source, hosts, now) {
      const changes = await sql.run(
        `INSERT INTO photo_hosts (source, hosts) VALUES (?, ?)
         ON CONFLICT (source) DO UPDATE SET hosts = excluded.hosts WHERE photo_hosts.hosts <> excluded.hosts`,
        source,
        JSON.stringify(hosts),
      );
      if (changes > 0)
        await sql.run(
          `UPDATE photo_urls SET due_at = ?, attempts = 0 WHERE source = ? AND problem = 'REFUSED'`,
          now,
          source,
        );
    },
    publish,
  };
}
