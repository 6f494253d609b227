import {
  combinedMpg,
  derivedPrice,
  type StockListing,
  type StockOwner,
} from '@forecourt/marketplace-api/stock';
import {
  MULTI_FACETS,
  MULTI_FACET_NAMES,
  SINGLE_FACETS,
  SINGLE_FACET_NAMES,
} from '@forecourt/marketplace-api/facets';
import { listingQuality } from '@forecourt/marketplace-api/relevance';
import Database from 'better-sqlite3';

export type SqlDb = Database.Database;

/** Columns besides the facets, in insert order. */
const NUMBERS = [
  'doc',
  'id',
  'owner',
  'make',
  'model',
  'trim',
  'year',
  'price',
  'mileage',
  'mpg',
  'electricRange',
  'listedOn',
  'quality',
  'extended',
] as const;

/** Frequent and selective filters. */
const INDEXED = ['owner', 'make, model', 'model', 'price', 'year', 'vehicleStyleCode', 'listingType'];

const unlessUndefined = (value: string | number | undefined) => value ?? null;

/**
 * The inventory as tables for the SQL reference: one row per listing with a column per filter, value tables for
 * multi-valued facets, indexes on frequent filters, and planner statistics.
 */
export function fillTables(owners: Iterable<StockOwner>, listings: Iterable<StockListing>): SqlDb {
  const db = new Database('');
  db.pragma('journal_mode = OFF');
  db.pragma('cache_size = -1000000');
  const columns = [...NUMBERS, ...SINGLE_FACET_NAMES];
  db.exec(`CREATE TABLE owner (id TEXT PRIMARY KEY, latitude REAL, longitude REAL) WITHOUT ROWID;
    CREATE TABLE listing (${columns.map((name) => (name === 'doc' ? 'doc INTEGER PRIMARY KEY' : name)).join()});
    CREATE TEMP TABLE near (owner TEXT PRIMARY KEY, miles REAL) WITHOUT ROWID;
    CREATE TEMP TABLE hit (${columns.map((name) => (name === 'doc' ? 'doc INTEGER PRIMARY KEY' : name)).join()});
    ${MULTI_FACET_NAMES.map((name) => `CREATE TABLE ${name} (code TEXT, doc INTEGER, PRIMARY KEY (code, doc)) WITHOUT ROWID;`).join('')}`);

  const insertOwner = db.prepare('INSERT INTO owner VALUES (?, ?, ?)');
  const insertListing = db.prepare(`INSERT INTO listing VALUES (${columns.map(() => '?').join()})`);
  const insertValue = new Map(
    MULTI_FACET_NAMES.map((name) => [name, db.prepare(`INSERT INTO ${name} VALUES (?, ?)`)]),
  );
  const byId = new Map<string, StockOwner>();
  db.transaction(() => {
    for (const owner of owners) {
      byId.set(owner.id, owner);
      insertOwner.run(owner.id, owner.latitude, owner.longitude);
    }
    let doc = 0;
    for (const listing of listings) {
      const owner = byId.get(listing.ownerId);
      if (!owner) throw new Error(`No owner ${listing.ownerId}`);
      doc += 1;
      insertListing.run(
        doc,
        listing.id,
        listing.ownerId,
        listing.make.code,
        listing.model.code,
        unlessUndefined(listing.trim?.code),
        listing.year,
        unlessUndefined(derivedPrice(listing)),
        unlessUndefined(listing.mileage),
        unlessUndefined(combinedMpg(listing)),
        unlessUndefined(listing.electricRange),
        listing.listedOn,
        listingQuality(listing),
        listing.extendedDelivery ? 1 : 0,
        ...SINGLE_FACET_NAMES.map((name) => unlessUndefined(SINGLE_FACETS[name](listing, owner))),
      );
      for (const name of MULTI_FACET_NAMES)
        for (const code of new Set(MULTI_FACETS[name](listing, owner))) insertValue.get(name)?.run(code, doc);
    }
  })();
  INDEXED.forEach((on, n) => db.exec(`CREATE INDEX listing_${n} ON listing (${on})`));
  db.exec('ANALYZE');
  return db;
}
