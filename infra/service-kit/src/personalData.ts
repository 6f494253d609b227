import type { Db } from './database.ts';

/** What a table holds of persons; `columns` are those that do. */
export interface PersonalTable {
  readonly what: string;
  readonly why: string;
  /** Until when a row is kept. */
  readonly until: string;
  readonly seenBy: string;
  readonly columns: readonly string[];
}

/** Every table of a database, by name. */
export type PersonalData = Readonly<Record<string, PersonalTable | 'none'>>;

/** Columns that hold no personal data in any table: times, counters and names of things. */
const IMPERSONAL =
  /^(?:id|key|value|kind|state|brand|vin|day|views|listing_id|owner_id|alert_id|bookmark_id|idempotency_key|attempts|last_error|reason|seen_row|inventory|frequency|.*_price|.*_at|last_executed)$/;

const tablesOf = (db: Db): string[] =>
  db
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
    )
    .pluck()
    .all();

/**
 * The inventory of a database as a Markdown table. @throws Error that names tables and columns of the schema that the
 * inventory doesn't describe, or the other way around
 */
export function personalDataTable(db: Db, inventory: PersonalData): string {
  const tables = tablesOf(db);
  const problems = Object.keys(inventory).filter((name) => !tables.includes(name));
  const rows: string[] = [];
  for (const name of tables) {
    const entry = inventory[name];
    const columns = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(name);
    const described = entry === undefined || entry === 'none' ? [] : entry.columns;
    if (entry === undefined) problems.push(name);
    else
      problems.push(
        ...columns
          .filter((column) => entry !== 'none' && !described.includes(column) && !IMPERSONAL.test(column))
          .concat(described.filter((column) => !columns.includes(column)))
          .map((column) => `${name}.${column}`),
      );
    if (entry === undefined || entry === 'none') continue;
    const { what, why, until, seenBy } = entry;
    rows.push(`| ${[`\`${name}\``, what, described.join(', '), why, until, seenBy].join(' | ')} |`);
  }
  if (problems.length > 0)
    throw new Error(`the inventory of personal data doesn't match the schema: ${problems.join(', ')}`);
  return [
    '| table | what | columns | why | until | who sees it |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
