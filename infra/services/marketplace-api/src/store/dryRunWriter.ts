import type { Db } from '@forecourt/durable/database';
import type { InventoryWriter } from './inventoryWriter.ts';

interface Stored {
  readonly body: string;
  readonly source: string;
  readonly removed: number;
}

/**
 * Counts what an import would insert, update and expire, and writes nothing to the inventory. It remembers what it would
 * have written in a temporary table, because a feed may name a listing twice.
 */
export function createDryRunWriter(db: Db): InventoryWriter {
  db.exec(
    'CREATE TEMP TABLE IF NOT EXISTS dry_run (id TEXT PRIMARY KEY, body TEXT, source TEXT) WITHOUT ROWID',
  );
  const readWritten = db.prepare<[string], Stored>(
    'SELECT body, source, 0 AS removed FROM dry_run WHERE id = ?',
  );
  const readStored = db.prepare<[string], Stored>(
    'SELECT body, source, removed_at IS NOT NULL AS removed FROM listings WHERE id = ?',
  );
  const remember = db.prepare('INSERT OR REPLACE INTO dry_run (id, body, source) VALUES (?, ?, ?)');
  const liveIds = db
    .prepare<[string], string>('SELECT id FROM listings WHERE source = ? AND removed_at IS NULL')
    .pluck();
  return {
    upsertOwners() {},
    allowPhotoHosts() {},
    upsertListings(listings, source) {
      let inserted = 0;
      let updated = 0;
      for (const listing of listings) {
        const body = JSON.stringify(listing);
        const known = readWritten.get(listing.id) ?? readStored.get(listing.id);
        if (!known) inserted++;
        else if (known.body !== body || known.source !== source || known.removed === 1) updated++;
        remember.run(listing.id, body, source);
      }
      return { inserted, updated };
    },
    countMissing(source, hasSeen) {
      const counts = { live: 0, missing: 0 };
      for (const id of liveIds.iterate(source)) {
        counts.live++;
        if (!hasSeen(id)) counts.missing++;
      }
      return counts;
    },
    expireMissing(source, hasSeen) {
      let expired = 0;
      for (const id of liveIds.iterate(source)) if (!hasSeen(id)) expired++;
      return expired;
    },
  };
}
