import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { readCitations, readRequirements, ROOT, testFiles } from '../coverage.ts';
import { EQUIVALENT_MUTANTS } from './equivalents.data.ts';
import { type FileResult, runMutants } from './files.ts';
import { runRows, type RowResult } from './rows.ts';
import { type SourceMutant, Sources } from './select.ts';
import { TestProcess } from './testFiles.ts';

const USAGE = `npm run mutate -- B2-QP-04 A7-REF-02       mutates what these rows require, runs the tests that cite them
npm run mutate -- --owner shell            all rows of an owner; --all for all rows
npm run mutate -- --file PATH --tests DIR  all mutants of a file, with all tests below DIR (both may repeat)
npm run mutate -- --survivors FILE --tests DIR   the survivors that --json FILE wrote, with all tests below DIR
  --limit 10      mutants per row
  --json FILE     also writes the results there`;

type Change = Pick<SourceMutant, 'path' | 'source' | 'original' | 'replacement'>;

const isSame = (one: Change, other: Change) =>
  one.path === other.path &&
  one.source === other.source &&
  one.original === other.original &&
  one.replacement === other.replacement;

const isEquivalent = (mutant: SourceMutant) => EQUIVALENT_MUTANTS.some((known) => isSame(known, mutant));

const describe = ({ path, line, original, replacement, operator }: SourceMutant) =>
  `    ${path}:${line} ${operator}: ${original}${replacement === '' ? '' : ` → ${replacement}`}`;

const percent = (part: number, all: number) => (all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`);

function printRows(results: readonly RowResult[]): void {
  console.log(`${'row'.padEnd(18)}mutants  killed  survived  equivalent`);
  for (const { id, note, killed, survived, equivalent } of results) {
    const counts = [killed.length + survived.length + equivalent.length, killed.length, survived.length];
    const cells = [7, 8, 10].map((width, index) => String(counts[index]).padStart(width));
    console.log(id.padEnd(18) + (note ?? cells.join('') + String(equivalent.length).padStart(12)));
    for (const mutant of survived) console.log(describe(mutant));
  }
  const sum = (key: 'killed' | 'survived' | 'equivalent') =>
    results.reduce((total, result) => total + result[key].length, 0);
  const noted = (note: RowResult['note']) => results.filter((result) => result.note === note).length;
  console.log(
    `${results.length} rows: ${sum('killed')} killed, ${sum('survived')} survived, ${sum('equivalent')} equivalent` +
      ` (${percent(sum('killed'), sum('killed') + sum('survived'))});` +
      ` ${noted('browser only')} browser only, ${noted('no coverage')} without coverage, ${noted('unstable')} unstable`,
  );
}

function printFiles(results: readonly FileResult[]): void {
  for (const { path, killed, survived, equivalent, uncovered } of results) {
    const open = survived.length + uncovered.length;
    console.log(
      `${path}: ${percent(killed.length, killed.length + open)} (${killed.length} killed, ${survived.length} survived,` +
        ` ${uncovered.length} without coverage, ${equivalent.length} equivalent)`,
    );
    for (const mutant of survived) console.log(describe(mutant));
    for (const mutant of uncovered) console.log(`${describe(mutant)}, without coverage`);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    owner: { type: 'string' },
    file: { type: 'string', multiple: true },
    survivors: { type: 'string', multiple: true },
    tests: { type: 'string', multiple: true },
    limit: { type: 'string', default: '10' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
});

/** Mutants of whole files, or those that survived an earlier run. */
function mutantsToRun(sources: Sources): SourceMutant[] {
  if (!values.survivors) return (values.file ?? []).flatMap((path) => [...sources.of(path).values()]);
  const survived = values.survivors
    .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as (RowResult | FileResult)[])
    .flatMap((result): readonly Change[] =>
      'uncovered' in result ? [...result.survived, ...result.uncovered] : result.survived,
    );
  return [...new Set(survived.map(({ path }) => path))]
    .flatMap((path) => [...sources.of(path).values()])
    .filter((mutant) => survived.some((change) => isSame(change, mutant)));
}

async function main(): Promise<void> {
  const rows = readRequirements().filter(
    ({ id, owner }) => values.all === true || owner === values.owner || positionals.includes(id),
  );
  const isByFile = values.file !== undefined || values.survivors !== undefined;
  if (values.help || (rows.length === 0 && !isByFile)) {
    console.log(USAGE);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const testProcess = new TestProcess();
  const sources = new Sources();
  const progress = (text: string) => process.stderr.write(`${text}\n`);
  const plain = (_key: string, value: unknown) => (value instanceof Set ? undefined : value);
  const save = (results: unknown) => {
    if (values.json) writeFileSync(values.json, JSON.stringify(results, plain, 1));
  };
  const shared = { isEquivalent, progress, save };
  try {
    if (isByFile) {
      const tests = testFiles(ROOT)
        .map((path) => relative(ROOT, path))
        .filter((path) => /\.test\.tsx?$/.test(path))
        .filter((path) => values.tests?.some((prefix) => path.startsWith(prefix)));
      const results = await runMutants(testProcess, mutantsToRun(sources), tests, shared);
      printFiles(results);
      save(results);
    } else {
      const options = { ...shared, limit: Number(values.limit) };
      const results = await runRows(testProcess, sources, rows, readCitations(), options);
      printRows(results);
      save(results);
    }
  } finally {
    testProcess.close();
  }
}

await main();
