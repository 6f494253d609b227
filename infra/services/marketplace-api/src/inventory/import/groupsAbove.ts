import { flatten } from './flatten.ts';
import type { SourceRow } from './mapping.ts';

/** Prefix of a column of the group above the row: `../name` of its dealer; `../../` for the one above that. */
export const ABOVE = '../';

/** Values of one name that a group above the rows keeps: an element that repeats without end is no fact about them. */
const MAX_VALUES = 20;

/** The open groups around the rows of a nested document, outermost first, with the values that they have had so far. */
export class GroupsAbove {
  private readonly groups: { readonly name: string; readonly fields: Record<string, unknown> }[] = [];
  private readonly wanted: readonly { column: string; levels: number; name: string }[];

  /** Columns that are wanted of them. */
  constructor(above: readonly string[]) {
    this.wanted = above.map((column) => ({
      column,
      levels: column.split(ABOVE).length - 1,
      name: column.replaceAll(ABOVE, ''),
    }));
  }

  open(name: string): void {
    this.groups.push({ name, fields: {} });
  }

  /** The values of a group without rows are fields of the group around it. */
  close(hasRows: boolean): void {
    const closed = this.groups.pop();
    if (closed && !hasRows)
      for (const [name, value] of Object.entries(closed.fields)) this.add(`${closed.name}.${name}`, value);
  }

  add(name: string, value: unknown): void {
    const fields = this.groups.at(-1)?.fields;
    if (!fields || this.wanted.length === 0) return;
    const before = fields[name];
    if (!Array.isArray(before) || before.length < MAX_VALUES) flatten(value, name, fields);
  }

  /** The row with the wanted values of the groups around it. */
  around(row: SourceRow): SourceRow {
    if (this.wanted.length === 0) return row;
    const found: Record<string, unknown> = {};
    for (const { column, levels, name } of this.wanted) {
      const value = this.groups.at(-levels)?.fields[name];
      if (value !== undefined) found[column] = value;
    }
    return { ...row, ...found };
  }
}
