import type { Db } from './database.ts';
import type { Sql, SqlValue } from './sql.ts';
import { MAX_ROWS, writeRows } from './sqlRows.ts';

/** Tables whose rows end by themselves. */
const TRANSIENT: readonly string[] = ['leases', 'rate_count'];

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

/**
 * Copies all rows of a file to migrated tables of the same schema, in one transaction, and returns their number. Tables in
 * `except` are left out.
 * @throws Error if one of the tables has rows already
 */
export const copyToPostgres = (db: Db, sql: Sql, except: readonly string[] = []): Promise<number> =>
  sql.transaction(async () => {
    const tables = db
      .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
      .pluck()
      .all()
      .filter((table) => !TRANSIENT.includes(table) && !except.includes(table));
    let copied = 0;
    for (const table of tables) copied += await copyTable(db, sql, table);
    await sql.analyze(tables);
    return copied;
  });

/** A copy never mixes with rows that are there. @throws Error if the table has any */
export async function requireEmpty(sql: Sql, table: string): Promise<void> {
  if (await sql.get(`SELECT 1 FROM ${table} LIMIT 1`))
    throw new Error(`the table ${table} has rows already; nothing was copied`);
}

async function copyTable(db: Db, sql: Sql, table: string): Promise<number> {
  await requireEmpty(sql, table);
  const columns = db.prepare<[string], Column>('SELECT name, type, pk FROM pragma_table_info(?)').all(table);
  const names = columns.map(({ name }) => name).join(', ');
  let rows = 0;
  let block: SqlValue[][] = [];
  const write = async () => {
    rows += await writeRows(sql, `INSERT INTO ${table} (${names})`, block);
    block = [];
  };
  for (const row of db.prepare<[], SqlValue[]>(`SELECT ${names} FROM ${table}`).raw().iterate())
    if (block.push(row) === MAX_ROWS) await write();
  await write();
  // The next row gets an id after those that were copied.
  const id = columns.find(({ pk, type }) => pk === 1 && type === 'INTEGER')?.name;
  if (id !== undefined && rows > 0)
    await sql.get(`SELECT setval(pg_get_serial_sequence(?, ?), max(${id})) FROM ${table}`, table, id);
  return rows;
}
