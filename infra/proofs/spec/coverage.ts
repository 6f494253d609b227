import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { rowCitations } from './citations.ts';
import { formatTable, measureCoverage, parseRequirements } from './report.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXCLUDED = new Set(['node_modules', 'dist', '.git', '.data', '.cache']);

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (EXCLUDED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testFiles(path);
    return /\.(test\.tsx?|e2e\.ts)$/.test(entry.name) ? [path] : [];
  });
}

const { values } = parseArgs({ options: { owner: { type: 'string' } } });
const rows = parseRequirements(readFileSync(join(ROOT, 'infra/proofs/spec/requirements.tsv'), 'utf8'));
const citations = testFiles(ROOT).flatMap((path) =>
  rowCitations(relative(ROOT, path), readFileSync(path, 'utf8')),
);
const { owners, uncovered, unknown } = measureCoverage(rows, citations);

console.log(formatTable(owners));
if (values.owner !== undefined) {
  if (!owners.some(({ owner }) => owner === values.owner)) {
    console.error(`\nNo row is owned by '${values.owner}'.`);
    process.exitCode = 1;
  }
  const open = uncovered.filter((row) => row.owner === values.owner);
  console.log(`\n${open.length} rows of ${values.owner} that no test cites:`);
  for (const { id, area, requirement } of open)
    console.log(`${id.padEnd(18)}${area.padEnd(18)}${requirement}`);
}
if (unknown.length > 0) {
  console.error('\nCited, but not in requirements.tsv:');
  for (const { id, file, line } of unknown) console.error(`${id.padEnd(18)}${file}:${line}`);
  process.exitCode = 1;
}
