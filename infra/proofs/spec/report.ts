import type { Requirement } from './requirements.ts';
import type { Citation } from './citations.ts';

export interface Coverage {
  readonly owners: readonly { readonly owner: string; readonly cited: number; readonly total: number }[];
  readonly uncovered: readonly Requirement[];
  /** Citations of ids that the table does not have. */
  readonly unknown: readonly Citation[];
}

/** Which rows are cited, by main owner. */
export function measureCoverage(rows: readonly Requirement[], citations: readonly Citation[]): Coverage {
  const ids = new Set(rows.map((row) => row.id));
  const cited = new Set(citations.map(({ id }) => id));
  const owners = [...new Set(rows.map((row) => row.owner))].sort();
  return {
    owners: owners.map((owner) => {
      const own = rows.filter((row) => row.owner === owner);
      return { owner, cited: own.filter((row) => cited.has(row.id)).length, total: own.length };
    }),
    uncovered: rows.filter((row) => !cited.has(row.id)),
    unknown: citations.filter(({ id }) => !ids.has(id)),
  };
}

/** The table as text, one owner a line, and the sum. */
export function formatTable(owners: Coverage['owners']): string {
  const sum = (key: 'cited' | 'total') => owners.reduce((total, entry) => total + entry[key], 0);
  const lines = [...owners, { owner: 'all', cited: sum('cited'), total: sum('total') }].map(
    ({ owner, cited, total }) =>
      `${owner.padEnd(22)}${String(cited).padStart(6)}${String(total).padStart(7)}`,
  );
  return [`${'owner'.padEnd(22)}${'cited'.padStart(6)}${'total'.padStart(7)}`, ...lines].join('\n');
}
