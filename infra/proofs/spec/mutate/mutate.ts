import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { readCitations, readRequirements, ROOT, testFiles } from '../coverage.ts';
import { EQUIVALENT_MUTANTS } from './equivalents.data.ts';
import { runRows, type RowResult } from './rows.ts';
import { type SourceMutant, keyOf, Sources } from './select.ts';
import { TestProcess, type FileCoverage } from './testFiles.ts';
import { execute, type MutantRun } from './execute.ts';

interface FileResult {
  readonly path: string;
  readonly killed: readonly SourceMutant[];
  readonly survived: readonly SourceMutant[];
  readonly equivalent: readonly SourceMutant[];
  /** No test reaches them. */
  readonly uncovered: readonly SourceMutant[];
}

interface FileRunOptions {
  /** Takes the results so far, after each test file. */
  readonly save: (results: readonly FileResult[]) => void;
  readonly isEquivalent: (mutant: SourceMutant) => boolean;
  readonly progress: (text: string) => void;
}

const reaching = (coverage: FileCoverage, key: string) =>
  coverage.loaded.has(key)
    ? coverage.tests.map(({ name }) => name)
    : coverage.tests.filter(({ hits }) => hits.has(key)).map(({ name }) => name);

/** Runs all mutants of some source files with every test that reaches them, until one fails. */
async function runFiles(
  testProcess: TestProcess,
  sources: Sources,
  paths: readonly string[],
  testFiles: readonly string[],
  { isEquivalent, progress, save }: FileRunOptions,
): Promise<FileResult[]> {
  const mutants = paths.flatMap((path) => [...sources.of(path).values()]);
  const files: { testFile: string; coverage: FileCoverage; milliseconds: number }[] = [];
  for (const testFile of testFiles) {
    const coverage = await testProcess.coverage(testFile);
    const milliseconds = coverage.tests.reduce((sum, test) => sum + test.milliseconds, 0);
    files.push({ testFile, coverage, milliseconds });
  }
  files.sort((a, b) => a.milliseconds - b.milliseconds);
  const killed = new Set<string>();
  const covered = new Set<string>();
  const results = () =>
    paths.map((path): FileResult => {
      const own = mutants.filter((mutant) => mutant.path === path);
      const open = own.filter((mutant) => !killed.has(keyOf(mutant)) && !isEquivalent(mutant));
      return {
        path,
        killed: own.filter((mutant) => killed.has(keyOf(mutant))),
        survived: open.filter((mutant) => covered.has(keyOf(mutant))),
        equivalent: own.filter((mutant) => isEquivalent(mutant)),
        uncovered: open.filter((mutant) => !covered.has(keyOf(mutant))),
      };
    });
  // Mutants that only tests reach are fast; for the others, each run loads the file.
  for (const isLoaded of [false, true])
    for (const [index, { testFile, coverage }] of files.entries()) {
      const runs = mutants
        .filter((mutant) => !killed.has(keyOf(mutant)) && !isEquivalent(mutant))
        .filter((mutant) => coverage.loaded.has(keyOf(mutant)) === isLoaded)
        .map(({ path, id }) => ({ mutant: { path, id }, tests: reaching(coverage, keyOf({ path, id })) }))
        .filter(({ tests }: MutantRun) => tests.length > 0);
      if (runs.length === 0) continue;
      progress(`${index + 1}/${files.length} ${testFile}: ${runs.length} mutants`);
      for (const run of runs) covered.add(keyOf(run.mutant));
      for (const [key, { failed, isTimeout }] of await execute(testProcess, testFile, coverage, runs, true))
        if (isTimeout || failed.length > 0) killed.add(key);
      save(results());
    }
  return results();
}

const USAGE = `npm run mutate -- B2-QP-04 A7-REF-02       mutates what these rows require, runs the tests that cite them
npm run mutate -- --owner shell            all rows of an owner; --all for all rows
npm run mutate -- --file PATH --tests DIR  all mutants of a file, with all tests below DIR (both may repeat)
  --limit 10      mutants per row
  --json FILE     also writes the results there`;

const isEquivalent = (mutant: SourceMutant) =>
  EQUIVALENT_MUTANTS.some(
    ({ path, source, original, replacement }) =>
      path === mutant.path &&
      source === mutant.source &&
      original === mutant.original &&
      replacement === mutant.replacement,
  );

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
    tests: { type: 'string', multiple: true },
    limit: { type: 'string', default: '10' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
});

async function main(): Promise<void> {
  const rows = readRequirements().filter(
    ({ id, owner }) => values.all === true || owner === values.owner || positionals.includes(id),
  );
  if (values.help || (rows.length === 0 && !values.file)) {
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
    if (values.file) {
      const tests = testFiles(ROOT)
        .map((path) => relative(ROOT, path))
        .filter((path) => /\.test\.tsx?$/.test(path))
        .filter((path) => values.tests?.some((prefix) => path.startsWith(prefix)));
      const results = await runFiles(testProcess, sources, values.file, tests, shared);
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
