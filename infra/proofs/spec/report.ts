import { type Citation, rowCitations } from './citations.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXCLUDED = new Set(['node_modules', 'dist', '.git', '.data', '.cache']);

/** All test files below a folder, by absolute path. */
export function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (EXCLUDED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return /\.(test\.tsx?|e2e\.ts)$/.test(entry.name) ? [path] : [];
  });
}

/** What the tests of the repository declare to prove. */
export function readCitations(): Citation[] {
  return testFiles(ROOT).flatMap((path) => rowCitations(relative(ROOT, path), readFileSync(path, 'utf8')));
}

export function readRequirements(): Requirement[] {
  return parseRequirements(readFileSync(join(ROOT, 'infra/proofs/spec/requirements.tsv'), 'utf8'));
}

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

/** One row of requirements.tsv. */
export interface Requirement {
  readonly id: string;
  /** The first name of the owner column: who proves the row. */
  readonly owner: string;
  readonly area: string;
  readonly requirement: string;
  /** How to check it. */
  readonly check: string;
}

/** Reads the tab-separated table with its head line; throws on a row without id or a repeated id. */
export function parseRequirements(text: string): Requirement[] {
  const [head = '', ...lines] = text.split('\n').filter((line) => line.trim() !== '');
  const columns = head.split('\t');
  const ids = new Set<string>();
  return lines.map((line, index) => {
    const cells = line.split('\t');
    const cell = (name: string) => cells[columns.indexOf(name)]?.trim() ?? '';
    const id = cell('id');
    if (!id || ids.has(id))
      throw new Error(`requirements.tsv line ${index + 2}: id '${id}' is missing or repeated`);
    ids.add(id);
    return {
      id,
      owner: cell('owner').split('+')[0] ?? '',
      area: cell('area'),
      requirement: cell('requirement'),
      check: cell('check'),
    };
  });
}
