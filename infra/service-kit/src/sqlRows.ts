import type { Sql, SqlValue } from './sql.ts';

/** Rows of one statement, at most. */
export const MAX_ROWS = 256;

/** Statements have a power of two as their size, because SQLite keeps each of them prepared. */
const sizeFor = (rows: number): number => 2 ** Math.ceil(Math.log2(rows));
const sizeWithin = (rows: number): number => Math.min(MAX_ROWS, 2 ** Math.floor(Math.log2(rows)));

function* statementsOf(text: string, keys: readonly SqlValue[]): Iterable<readonly [string, SqlValue[]]> {
  for (let at = 0; at < keys.length; at += MAX_ROWS) {
    const some = keys.slice(at, at + MAX_ROWS);
    const size = sizeFor(some.length);
    const last = some.at(-1)!;
    while (some.length < size) some.push(last);
    yield [text.replace('(?)', `(?${', ?'.repeat(size - 1)})`), some];
  }
}

/**
 * Reads rows by any number of keys, in several statements if they are many. In `text`, `(?)` stands for the keys; other
 * parameters stand before it.
 */
export async function allOf<Row>(
  sql: Sql,
  text: string,
  keys: readonly SqlValue[],
  ...values: readonly SqlValue[]
): Promise<Row[]> {
  const found: Row[] = [];
  for (const [statement, some] of statementsOf(text, keys))
    found.push(...(await sql.all<Row>(statement, ...values, ...some)));
  return found;
}

/** Changes rows by any number of keys, as `allOf` reads them; returns the number of changed rows. */
export async function runOf(
  sql: Sql,
  text: string,
  keys: readonly SqlValue[],
  ...values: readonly SqlValue[]
): Promise<number> {
  let changes = 0;
  for (const [statement, some] of statementsOf(text, keys))
    changes += await sql.run(statement, ...values, ...some);
  return changes;
}

/**
 * Writes any number of rows of the same length by statements with `VALUES`: `head` stands before them, as `INSERT INTO seats
 * (id, row)` or `UPDATE seats SET row = v.column2 FROM (`, and `tail` after them, as `) AS v WHERE id = v.column1`. Other
 * parameters belong to `head`. Values of `v` are texts in PostgreSQL. Returns the number of changed rows.
 */
export async function writeRows(
  sql: Sql,
  head: string,
  rows: readonly (readonly SqlValue[])[],
  tail = '',
  ...values: readonly SqlValue[]
): Promise<number> {
  let changes = 0;
  for (let at = 0; at < rows.length;) {
    const some = rows.slice(at, at + sizeWithin(rows.length - at));
    const row = `(?${', ?'.repeat(some[0]!.length - 1)})`;
    const list = `${row}${`, ${row}`.repeat(some.length - 1)}`;
    changes += await sql.run(`${head} VALUES ${list} ${tail}`, ...values, ...some.flat());
    at += some.length;
  }
  return changes;
}
