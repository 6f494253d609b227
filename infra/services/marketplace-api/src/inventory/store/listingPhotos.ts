import type { Db } from '@forecourt/service-kit/database';
import type { StockListing, StockPhoto } from '../../domain/stock.ts';

/** Which photos each listing names, and the stored ones in its body. */
export interface ListingPhotos {
  /** Records the URLs of a listing that was just written, and which are to be fetched. */
  setUrls(listing: StockListing, change: { source: string; seq: number; now: number }): void;
  /** Hosts that photos of a source may come from; photos that were refused before are tried again. */
  allowHosts(source: string, hosts: readonly string[], now: number): void;
  /** Ids of the listings that name a URL. */
  listingsOf(url: string): string[];
  /** Writes a listing's stored photos into its body; false if it has them already. */
  publish(id: string, seq: () => number): boolean;
}

export function createListingPhotos(db: Db): ListingPhotos {
  const urlsOf = db
    .prepare<[string], string>('SELECT url FROM listing_photos WHERE listing_id = ? ORDER BY position')
    .pluck();
  const drop = db.prepare('DELETE FROM listing_photos WHERE listing_id = ?');
  const add = db.prepare('INSERT INTO listing_photos (listing_id, position, url) VALUES (?, ?, ?)');
  // A URL that some listing named before is not fetched again.
  const addUrl = db.prepare(
    'INSERT INTO photo_urls (url, source, due_at) VALUES (?, ?, ?) ON CONFLICT (url) DO NOTHING',
  );
  const listingsOf = db
    .prepare<[string], string>('SELECT listing_id FROM listing_photos WHERE url = ?')
    .pluck();
  // One photo under two URLs is shown once.
  const photosOf = db
    .prepare<[string], string>(
      `SELECT p.body FROM listing_photos l JOIN photo_urls u ON u.url = l.url JOIN photos p ON p.hash = u.hash
       WHERE l.listing_id = ? GROUP BY p.hash ORDER BY min(l.position)`,
    )
    .pluck();
  const bodyOf = db.prepare<[string], string>('SELECT body FROM listings WHERE id = ?').pluck();
  const write = db.prepare('UPDATE listings SET body = ?, seq = ? WHERE id = ?');

  const setHosts = db.prepare(
    `INSERT INTO photo_hosts (source, hosts) VALUES (?, ?)
     ON CONFLICT (source) DO UPDATE SET hosts = excluded.hosts WHERE hosts <> excluded.hosts`,
  );
  const retryRefused = db.prepare(
    `UPDATE photo_urls SET due_at = ?, attempts = 0 WHERE source = ? AND problem = 'REFUSED'`,
  );

  function publish(id: string, seq: () => number): boolean {
    const body = bodyOf.get(id);
    if (body === undefined) return false;
    const { photos: _, ...listing } = JSON.parse(body) as StockListing;
    const photos = photosOf.all(id).map((text) => JSON.parse(text) as StockPhoto);
    const written = JSON.stringify(photos.length > 0 ? { ...listing, photos } : listing);
    if (written === body) return false;
    write.run(written, seq(), id);
    return true;
  }

  return {
    setUrls({ id, photoUrls: urls = [] }, { source, seq, now }) {
      if (urlsOf.all(id).join('\n') === urls.join('\n')) return;
      drop.run(id);
      for (const [position, url] of urls.entries()) {
        add.run(id, position, url);
        addUrl.run(url, source, now);
      }
      publish(id, () => seq);
    },
    allowHosts(source, hosts, now) {
      const { changes } = setHosts.run(source, JSON.stringify(hosts));
      if (changes > 0) retryRefused.run(now, source);
    },
    listingsOf: (url) => listingsOf.all(url),
    publish,
  };
}
