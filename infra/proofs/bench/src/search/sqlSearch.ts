import type { ListingQuery, PageRequest } from '@forecourt/marketplace-api/query';
import {
  MULTI_FACETS,
  MULTI_FACET_NAMES,
  SINGLE_FACETS,
  SINGLE_FACET_NAMES,
} from '@forecourt/marketplace-api/facets';
import { RELEVANCE_UNIT, RELEVANCE_WEIGHTS, listingQuality } from '@forecourt/marketplace-api/relevance';
import {
  type StockListing,
  type StockOwner,
  combinedMpg,
  derivedPrice,
} from '@forecourt/marketplace-api/stock';
import Database from 'better-sqlite3';

interface Condition {
  readonly key: string;
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

export interface SqlAnswer {
  readonly total: number;
  readonly ids: readonly string[];
  /** Groups of all counts together. */
  readonly groups: number;
}

const marks = (values: readonly unknown[]) => values.map(() => '?').join();

function conditionsOf(query: ListingQuery): Condition[] {
  const conditions: Condition[] = [];
  const add = (key: string, sql: string, values: readonly (string | number)[]) =>
    conditions.push({ key, sql, values });
  const oneOf = (key: string, column: string, values: readonly string[] | undefined) => {
    if (values?.length) add(key, `${column} IN (${marks(values)})`, values);
  };
  for (const name of SINGLE_FACET_NAMES) oneOf(name, name, query.facets?.[name]);
  for (const name of MULTI_FACET_NAMES) {
    const values = query.facets?.[name];
    if (values?.length)
      add(name, `doc IN (SELECT doc FROM ${name} WHERE code IN (${marks(values)}))`, values);
  }
  // The mix has at most one make and one of its models.
  oneOf('make', 'make', query.vehicle?.makes);
  oneOf('model', 'model', query.vehicle?.models);
  const range = (key: string, { min, max }: { min?: number; max?: number } = {}) => {
    if (min !== undefined) add(key, `${key} >= ?`, [min]);
    if (max !== undefined) add(key, `${key} <= ?`, [max]);
  };
  range('year', query.year);
  range('price', query.price);
  range('mileage', { max: query.maxMileage });
  if (query.center && query.radius)
    add('location', 'owner IN (SELECT owner FROM near WHERE miles <= ?)', [query.radius]);
  return conditions;
}

/** Conditions that a count ignores: its own, and for make and model also those below. */
const IGNORED: Readonly<Record<string, readonly string[]>> = { make: ['make', 'model'], trim: [] };

/** A count: its name and the expression for its value. */
const COUNTED: readonly (readonly [name: string, value: string])[] = [
  ...SINGLE_FACET_NAMES.map((name) => [name, name] as const),
  ['make', 'make'],
  ['model', 'model'],
  ['trim', 'trim'],
  ['year', 'year'],
  ['price', 'price / 500'],
  ['mileage', 'mileage / 15000'],
  ['mpg', 'mpg / 5'],
  ['electricRange', 'electricRange / 50'],
];

const ORDERS: Readonly<Record<string, string>> = {
  derivedpriceASC: 'price IS NULL, price, id',
  mileageASC: 'mileage IS NULL, mileage, id',
  yearDESC: 'year DESC, id',
  distanceASC: '(SELECT miles FROM near WHERE near.owner = hit.owner), id',
};

function orderOf(sort: string, hasCenter: boolean, today: number): string {
  const near = hasCenter
    ? `+ ${RELEVANCE_WEIGHTS.nearness} * (SELECT exp(-miles / 50.0) FROM near WHERE near.owner = hit.owner)`
    : '';
  const fresh = `${RELEVANCE_WEIGHTS.freshness} * exp(-max(0, ${today} - listedOn) / 30.0)`;
  return ORDERS[sort] ?? `quality * ${RELEVANCE_UNIT} + ${fresh} ${near} DESC, id`;
}

/**
 * The same search in SQL: matches in a temporary table, then one GROUP BY per filter; a used filter is counted over the
 * matches of all others. `today` in days since 1970.
 */
export function createSqlSearch(db: SqlDb, today: number) {
  const run = (sql: string, values: readonly (string | number)[] = []) => db.prepare(sql).run(...values);
  const rows = <Row>(sql: string, values: readonly (string | number)[] = []) =>
    db.prepare(sql).all(...values) as Row[];

  return (query: ListingQuery, { sort, first, size, step = size }: PageRequest): SqlAnswer => {
    run('DELETE FROM near');
    if (query.center) {
      const { latitude, longitude } = query.center;
      run(
        `INSERT INTO near SELECT id, round(3958.7613 * 2 * asin(min(1, sqrt(
           pow(sin(radians(latitude - ?) / 2), 2)
           + cos(radians(latitude)) * cos(radians(?)) * pow(sin(radians(longitude - ?) / 2), 2)))), 3) FROM owner`,
        [latitude, latitude, longitude],
      );
    }
    const conditions = conditionsOf(query);
    const where = (dropped: readonly string[] = []) => {
      const remaining = conditions.filter(({ key }) => !dropped.includes(key));
      return {
        sql: remaining.length > 0 ? `WHERE ${remaining.map(({ sql }) => sql).join(' AND ')}` : '',
        values: remaining.flatMap(({ values }) => values),
      };
    };
    const isUsed = (keys: readonly string[]) => conditions.some(({ key }) => keys.includes(key));

    run('DELETE FROM hit');
    const all = where();
    run(`INSERT INTO hit SELECT * FROM listing ${all.sql}`, all.values);
    const [stats] = rows<{ total: number }>(
      'SELECT count(*) AS total, min(price), max(price), min(year), max(year) FROM hit',
    );
    let groups = 0;
    for (const [name, value] of COUNTED) {
      const ignored = IGNORED[name] ?? [name];
      const own = where(ignored);
      const source = isUsed(ignored) ? `listing ${own.sql}` : 'hit';
      const values = isUsed(ignored) ? own.values : [];
      groups += rows(`SELECT ${value} AS value, count(*) FROM ${source} GROUP BY 1`, values).length;
    }
    for (const name of MULTI_FACET_NAMES) {
      const own = where([name]);
      const docs = isUsed([name]) ? `(SELECT doc FROM listing ${own.sql})` : 'hit';
      const values = isUsed([name]) ? own.values : [];
      groups += rows(`SELECT code, count(*) FROM ${name} JOIN ${docs} USING (doc) GROUP BY 1`, values).length;
    }
    if (query.center) {
      const others = where(['location']);
      groups += rows(
        `SELECT min(5, CAST(miles / 25 AS INTEGER)), extended, count(*) FROM listing JOIN near USING (owner) ${others.sql} GROUP BY 1, 2`,
        others.values,
      ).length;
    }
    const total = stats?.total ?? 0;
    const lastPage = Math.max(0, Math.ceil(total / step) - 1) * step;
    const offset = Math.min(Math.floor(first / step) * step, lastPage);
    const page = rows<{ id: string }>(
      `SELECT id FROM hit ORDER BY ${orderOf(sort, query.center !== undefined, today)} LIMIT ${size} OFFSET ${offset}`,
    );
    return { total, ids: page.map(({ id }) => id), groups };
  };
}

export type SqlDb = Database.Database;

/** Columns that are not facets, in insert order. */
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
