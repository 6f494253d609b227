import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Sql } from '@forecourt/service-kit/sql';
import { openSqlite } from '@forecourt/service-kit/sqlite';
import { runOf } from '@forecourt/service-kit/sqlRows';
import type { StockListing } from '../../domain/stock.ts';

/** The tables of the inventory, which can be imported again: a crash may lose the last commits. */
export const INVENTORY_OPTIONS = {
  durability: 'normal',
  migrations: join(import.meta.dirname, 'migrations'),
} as const;

/** Opens the inventory in a file. */
export const openInventory = (path: string): Sql => openSqlite(path, INVENTORY_OPTIONS);

/** Id of an inventory, created on first use: its numbers mean nothing in another one. */
export async function inventoryId(sql: Sql): Promise<string> {
  await sql.run(`INSERT INTO meta (key, value) VALUES ('id', ?) ON CONFLICT DO NOTHING`, randomUUID());
  const row = await sql.get<{ value: string }>(`SELECT value FROM meta WHERE key = 'id'`);
  return row!.value;
}

/** The values of `changed_on` and `stock_key`, which have indexes. */
export const indexedColumns = ({ listedOn, reducedOn = 0, stockNumber }: StockListing) =>
  [Math.max(listedOn, reducedOn), stockNumber?.replace(/[- ]/g, '').toUpperCase() ?? null] as const;

export type Kind = 'listing' | 'owner';

/**
 * Runs `work` as one change of the stock, after all changes before: whoever reads the number of a change finds everything
 * up to it committed. `next` returns the number; a change without rows needs none. PostgreSQL may run `work` twice.
 */
export const changeStock = <T>(sql: Sql, work: (next: () => Promise<number>) => Promise<T>): Promise<T> =>
  sql.inTurn('stock', () => {
    let number: Promise<number> | undefined;
    return work(() => (number ??= nextChange(sql)));
  });

async function nextChange(sql: Sql): Promise<number> {
  const row = await sql.get<{ change: number }>(
    `UPDATE meta SET value = CAST(value AS BIGINT) + 1 WHERE key = 'change_seq' RETURNING CAST(value AS BIGINT) AS change`,
  );
  return row!.change;
}

/** Number of the last change. */
export async function lastChange(sql: Sql): Promise<number> {
  const row = await sql.get<{ change: number }>(
    `SELECT CAST(value AS BIGINT) AS change FROM meta WHERE key = 'change_seq'`,
  );
  return row!.change;
}

/** ms for which the previous version of a changed row is stored. */
const RETENTION_MS = 60_000;

const SUPERSEDE: Readonly<Record<Kind, string>> = {
  listing: `SELECT 'listing', id, CAST(? AS BIGINT), CAST(? AS BIGINT), CASE WHEN removed_at IS NULL THEN body END
    FROM listings WHERE seq <> ? AND id IN (?) ON CONFLICT DO NOTHING`,
  owner: `SELECT 'owner', id, CAST(? AS BIGINT), CAST(? AS BIGINT), body FROM owners
    WHERE seq <> ? AND id IN (?) ON CONFLICT DO NOTHING`,
};

/** Stores what rows say before a change ends it: a search answers with the very listings that it found. */
export const supersede = (
  sql: Sql,
  kind: Kind,
  ids: readonly string[],
  { change, now }: { readonly change: number; readonly now: number },
): Promise<number> =>
  runOf(
    sql,
    `INSERT INTO superseded (kind, id, until_seq, at, body) ${SUPERSEDE[kind]}`,
    ids,
    change,
    now,
    change,
  );

/** Deletes earlier versions that no reader needs: readers are at most a second behind. */
export const forgetSuperseded = (sql: Sql, now: number): Promise<number> =>
  sql.run('DELETE FROM superseded WHERE at < ?', now - RETENTION_MS);

/** While an import of `source` runs: stores what listings were before it, so that it can be undone. */
export const recordUndo = (sql: Sql, source: string, ids: readonly string[]): Promise<number> =>
  runOf(
    sql,
    `INSERT INTO import_undo (source, listing_id, listing_source, body, removed_at)
     SELECT i.source, l.id, l.source, l.body, l.removed_at
     FROM imports i, listings l
     WHERE i.source = ? AND i.finished_at IS NULL AND l.arrival <= i.last_arrival AND l.id IN (?)
     ON CONFLICT DO NOTHING`,
    ids,
    source,
  );
