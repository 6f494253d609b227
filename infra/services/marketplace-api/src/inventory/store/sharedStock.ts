import { createHash, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Db } from '@forecourt/service-kit/database';
import type { Sql } from '@forecourt/service-kit/sql';
import Database from 'better-sqlite3';
import type { StockListing, StockOwner } from '../../domain/stock.ts';
import type { StockLog, StockPage, StoredListing } from './indexFeed.ts';
import { createInventoryWriter } from './inventoryWriter.ts';

/** The tables that replicas share. */
export const STOCK_OPTIONS = { durability: 'full', migrations: join(import.meta.dirname, 'shared') } as const;

/**
 * Replicas' inventories with the same listings. Each is complete; what one imports is sent to the shared tables, and all
 * others receive it.
 */
export interface SharedStock {
  /** Sends what this inventory has imported; returns the number of rows that were new to the others. */
  send(): Promise<number>;
  /** Applies what others have sent, up to a change or all; returns the number of rows. */
  receive(until?: number): Promise<number>;
  /** Of all replicas. */
  lastChange(): Promise<number>;
}

type Kind = 'owner' | 'listing' | 'hosts';

interface SharedRow {
  readonly kind: Kind;
  readonly id: string;
  readonly source: string;
  readonly removedAt: number | null;
  readonly body: string;
}
interface ChangedRow extends SharedRow {
  readonly change: number;
}
interface LocalListing extends SharedRow {
  readonly seq: number;
  readonly ownerId: string;
}

/** Listings per transaction. */
const BATCH = 250;
/** Rows per read: more than a change has, which are a batch with its owners and the hosts of its sources. */
const PAGE = 2 * BATCH + 500;

const digestOf = ({ source, removedAt, body }: SharedRow): string =>
  createHash('sha256')
    .update(JSON.stringify([source, removedAt === null, body]))
    .digest('base64url')
    .slice(0, 22);

/** Each replica fetches and stores photos by itself. */
function withoutPhotos<Row extends SharedRow>(row: Row): Row {
  const { photos: _, ...listing } = JSON.parse(row.body) as StockListing;
  return { ...row, body: JSON.stringify(listing) };
}

const LISTING = `SELECT 'listing' AS kind, id, source, removed_at AS removedAt, body, seq, owner_id AS ownerId FROM listings`;
const OWNER = `SELECT 'owner' AS kind, o.id, '' AS source, NULL AS removedAt, o.body FROM owners o`;

function statements(db: Db) {
  const meta = db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck();
  return {
    meta: (key: string) => meta.get(key),
    setMeta: db.prepare(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    ),
    forgetAll: db.prepare('DELETE FROM shared_rows'),
    digest: db
      .prepare<[string, string], string>('SELECT digest FROM shared_rows WHERE kind = ? AND id = ?')
      .pluck(),
    remember: db.prepare('INSERT OR REPLACE INTO shared_rows (kind, id, digest) VALUES (?, ?, ?)'),
    imported: db.prepare<[number, string, number], LocalListing>(
      `${LISTING} WHERE (seq, id) > (?, ?) AND seq <= ? ORDER BY seq, id LIMIT ${BATCH}`,
    ),
    listing: db.prepare<[string], LocalListing>(`${LISTING} WHERE id = ?`),
    owner: db.prepare<[string], SharedRow>(`${OWNER} WHERE o.id = ?`),
    changedOwners: db.prepare<[number, number], SharedRow>(
      `${OWNER} JOIN shared_rows s ON s.kind = 'owner' AND s.id = o.id WHERE o.seq > ? AND o.seq <= ?`,
    ),
    hosts: db.prepare<[], SharedRow>(
      `SELECT 'hosts' AS kind, source AS id, source, NULL AS removedAt, hosts AS body FROM photo_hosts`,
    ),
    expire: db.prepare(
      `UPDATE listings SET removed_at = ?, seq = (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'change_seq')
       WHERE id = ?`,
    ),
    nextSeq: db.prepare(`UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'change_seq'`),
  };
}

/** The shared tables. */
function createTables(sql: Sql) {
  const columns = 'kind, id, change, source, removed_at, body';
  return {
    async state(): Promise<{ name: string; change: number }> {
      const read = () =>
        sql.get<{ name: string; change: number }>('SELECT name, change FROM stock WHERE id = 1');
      const state = await read();
      if (state) return state;
      await sql.run(
        'INSERT INTO stock (id, name, change) VALUES (1, ?, 0) ON CONFLICT DO NOTHING',
        randomUUID(),
      );
      return (await read())!;
    },
    /** Adds or replaces rows as one change, after all changes before; returns how many differ. */
    write: (rows: readonly SharedRow[]): Promise<number> =>
      sql.transaction(async () => {
        // The updated row is locked until the commit: whoever reads a change has read all earlier ones.
        const change = await sql.get<{ change: number }>(
          'UPDATE stock SET change = change + 1 WHERE id = 1 RETURNING change',
        );
        return sql.run(
          `INSERT INTO stock_rows (${columns}) VALUES ${rows.map(() => '(?, ?, ?, ?, ?, ?)').join()}
           ON CONFLICT (kind, id) DO UPDATE SET change = excluded.change, source = excluded.source,
             removed_at = excluded.removed_at, body = excluded.body
           WHERE stock_rows.body <> excluded.body OR stock_rows.source <> excluded.source
             OR (stock_rows.removed_at IS NULL) <> (excluded.removed_at IS NULL)`,
          ...rows.flatMap(({ kind, id, source, removedAt, body }) => [
            kind,
            id,
            change!.change,
            source,
            removedAt,
            body,
          ]),
        );
      }),
    /** Whole changes after `change`; none if there are no further ones. */
    async changesAfter(change: number): Promise<ChangedRow[]> {
      const rows = await sql.all<ChangedRow>(
        `SELECT kind, id, change, source, removed_at AS "removedAt", body FROM stock_rows
         WHERE change > ? ORDER BY change LIMIT ${PAGE}`,
        change,
      );
      const last = rows.at(-1)?.change;
      return rows.length < PAGE ? rows : rows.filter((row) => row.change !== last);
    },
    async find(kind: Kind, ids: readonly string[]): Promise<ChangedRow[]> {
      const found: ChangedRow[] = [];
      for (let at = 0; at < ids.length; at += PAGE) {
        const some = ids.slice(at, at + PAGE);
        found.push(
          ...(await sql.all<ChangedRow>(
            `SELECT kind, id, change, source, removed_at AS "removedAt", body FROM stock_rows
             WHERE kind = ? AND id IN (${some.map(() => '?').join()})`,
            kind,
            ...some,
          )),
        );
      }
      return found;
    },
    /** Live listings, if nothing was changed after `change`. */
    async sizeAt(change: number): Promise<number | undefined> {
      const row = await sql.get<{ size: number }>(
        `SELECT (SELECT count(*) FROM stock_rows WHERE kind = 'listing' AND removed_at IS NULL) AS size
         FROM stock WHERE id = 1 AND change = ?`,
        change,
      );
      return row && Number(row.size);
    },
  };
}

type Tables = ReturnType<typeof createTables>;

/** An inventory, and what it knows of the shared tables. */
function createInventory(db: Db) {
  const local = statements(db);
  const number = (key: string) => Number(local.meta(key) ?? 0);
  const isNews = (row: SharedRow) => local.digest.get(row.kind, row.id) !== digestOf(row);
  return {
    local,
    number,
    isNews,
    remember: db.transaction((rows: readonly SharedRow[]) => {
      for (const row of rows) local.remember.run(row.kind, row.id, digestOf(row));
    }),
    /** Begins again if the tables are others, or were restored from an older backup. Returns their last change. */
    attach: async (tables: Tables): Promise<number> => {
      // Before the state: another process of this inventory may receive a later change meanwhile.
      const received = number('shared_received');
      const { name, change } = await tables.state();
      if (local.meta('shared_stock') !== name || change < received)
        db.transaction(() => {
          local.forgetAll.run();
          local.setMeta.run('shared_stock', name);
          for (const key of ['shared_received', 'shared_sent']) local.setMeta.run(key, '0');
        }).immediate();
      return change;
    },
  };
}
type Inventory = ReturnType<typeof createInventory>;

function createSending({ local, number, isNews, remember, attach }: Inventory, tables: Tables) {
  async function sendRows(rows: readonly SharedRow[]): Promise<number> {
    const news = rows.filter(isNews);
    if (news.length === 0) return 0;
    const changed = await tables.write(news);
    remember.immediate(news);
    return changed;
  }

  async function sendImported(sent: number, until: number): Promise<number> {
    let changed = await sendRows(local.hosts.all());
    const owners = local.changedOwners.all(sent, until);
    for (let at = 0; at < owners.length; at += BATCH) changed += await sendRows(owners.slice(at, at + BATCH));
    for (let from: readonly [number, string] = [sent, '\u{10FFFF}']; ;) {
      const rows = local.imported.all(...from, until);
      if (rows.length === 0) return changed;
      const listings = rows.map(withoutPhotos).filter(isNews);
      const ownerIds = new Set(listings.map(({ ownerId }) => ownerId));
      changed += await sendRows([...[...ownerIds].map((id) => local.owner.get(id)!), ...listings]);
      from = [rows.at(-1)!.seq, rows.at(-1)!.id];
    }
  }

  return async function send(): Promise<number> {
    await attach(tables);
    const [sent, until] = [number('shared_sent'), number('change_seq')];
    if (sent === until) return 0;
    const changed = await sendImported(sent, until);
    local.setMeta.run('shared_sent', String(until));
    return changed;
  };
}

function createReceiving(db: Db, { local, number, isNews, remember, attach }: Inventory, tables: Tables) {
  const writer = createInventoryWriter(db);

  /** Whether it was imported here and not sent yet: then it is newer than what was received. */
  function isUnsent({ kind, id }: SharedRow): boolean {
    if (kind !== 'listing') return false;
    const row = local.listing.get(id);
    return row !== undefined && row.seq > number('shared_sent') && isNews(withoutPhotos(row));
  }

  /** As in the inventory: with the photos that were stored here. */
  function listingOf({ id, body }: SharedRow): StockListing {
    const stored = local.listing.get(id);
    const { photos = undefined } = stored ? (JSON.parse(stored.body) as StockListing) : {};
    return { ...(JSON.parse(body) as StockListing), ...(photos && { photos }) };
  }

  const apply = db.transaction((received: readonly ChangedRow[], until: number): number => {
    const rows = received.filter((row) => !isUnsent(row));
    const of = (kind: Kind) => rows.filter((row) => row.kind === kind);
    for (const { id, body } of of('hosts')) writer.allowPhotoHosts(id, JSON.parse(body) as string[]);
    writer.upsertOwners(of('owner').map(({ body }) => JSON.parse(body) as StockOwner));
    for (const [source, listings] of Map.groupBy(of('listing'), (row) => row.source))
      writer.upsertListings(listings.map(listingOf), source);
    const removed = of('listing').filter(({ removedAt }) => removedAt !== null);
    if (removed.length > 0) local.nextSeq.run();
    for (const { id, removedAt } of removed) local.expire.run(removedAt, id);
    remember(rows);
    local.setMeta.run('shared_received', String(until));
    return rows.length;
  });

  /** Whether an index that has the rows up to an earlier change may find it, and nothing is there to show. */
  function isMissing({ kind, id, removedAt }: SharedRow): boolean {
    const stored = local.listing.get(id);
    return kind === 'listing' && removedAt === null && (!stored || stored.removedAt !== null);
  }

  /** Owners that have changed again since: the listings come first, and can't be stored without them. */
  async function withOwners(rows: readonly ChangedRow[]): Promise<readonly ChangedRow[]> {
    const present = new Set(rows.filter(({ kind }) => kind === 'owner').map(({ id }) => id));
    const needed = new Set(
      rows.flatMap(({ kind, body }) =>
        kind === 'listing' ? (JSON.parse(body) as StockListing).ownerId : [],
      ),
    );
    const missing = [...needed].filter((id) => !present.has(id) && local.owner.get(id) === undefined);
    return [...(await tables.find('owner', missing)), ...rows];
  }

  return async function receive(end = Infinity): Promise<number> {
    const change = Math.min(await attach(tables), end);
    let applied = 0;
    while (number('shared_received') < change) {
      const found = await tables.changesAfter(number('shared_received'));
      const rows = found.filter((row) => row.change <= end || isMissing(row));
      applied += apply.immediate(await withOwners(rows), Math.min(found.at(-1)?.change ?? change, change));
    }
    return applied;
  };
}

/** Connects an inventory with the shared tables. */
export function createSharedStock(db: Db, sql: Sql): SharedStock {
  const tables = createTables(sql);
  const inventory = createInventory(db);
  return {
    send: createSending(inventory, tables),
    receive: createReceiving(db, inventory, tables),
    lastChange: async () => (await tables.state()).change,
  };
}

const parsedListing = ({ id, removedAt, body }: SharedRow): StoredListing => ({
  id,
  ...(removedAt === null && { listing: JSON.parse(body) as StockListing }),
});

/** The shared tables for the index that replicas share. */
export async function readStockLog(sql: Sql): Promise<StockLog> {
  const tables = createTables(sql);
  const { name } = await tables.state();
  const lastChange = async () => (await tables.state()).change;

  async function pageOf(rows: readonly ChangedRow[], until: number): Promise<StockPage> {
    const listings = rows.filter(({ kind }) => kind === 'listing').map(parsedListing);
    const owners = new Map<string, StockOwner>();
    const add = ({ id, body }: SharedRow) => owners.set(id, JSON.parse(body) as StockOwner);
    for (const row of rows) if (row.kind === 'owner') add(row);
    const moved = [...owners.keys()];
    const others = new Set(listings.flatMap(({ listing }) => listing?.ownerId ?? [])).difference(owners);
    for (const row of await tables.find('owner', [...others])) add(row);
    return { until, version: until, listings, owners, moved };
  }

  return {
    stock: name,
    lastChange,
    async *pagesAfter(change) {
      const last = await lastChange();
      for (let until = change; until < last;) {
        const rows = await tables.changesAfter(until);
        until = rows.at(-1)?.change ?? last;
        yield await pageOf(rows, until);
      }
    },
    find: async (ids) => (await tables.find('listing', ids)).map(parsedListing),
    sizeAt: (change) => tables.sizeAt(change),
  };
}

/**
 * Sends while no other process of this inventory does: what one has read may be older than what another has written.
 * Undefined if another one still does after `waitMs`, which block the process.
 */
export async function sendAlone(db: Db, shared: SharedStock, waitMs = 0): Promise<number | undefined> {
  const lock = new Database(join(dirname(db.name), 'share-lock.sqlite'), { timeout: waitMs });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    return undefined;
  }
  try {
    return await shared.send();
  } finally {
    lock.close();
  }
}
