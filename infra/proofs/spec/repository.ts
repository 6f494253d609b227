import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rowCitations, type Citation } from './citations.ts';
import { parseRequirements, type Requirement } from './report.ts';

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
