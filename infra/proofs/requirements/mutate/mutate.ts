import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { readCitations, readRequirements, type Requirement, ROOT, testFiles } from '../coverage.ts';
import type { Mutant } from './mutants.ts';
import { type Candidate, canRun, isReachedBy, readMutants, selectMutants } from './select.ts';
import { type CoveredTest, failingTests, readCoverage, type TestFile } from './testRuns.ts';

const USAGE = `npm run mutate -- B2-QP-04 A7-REF-02       mutates what these rows require, runs the tests that cite them
npm run mutate -- --owner shell            all rows of an owner; --all for all rows
npm run mutate -- --file PATH --tests DIR  all mutants of a file, with all tests below DIR (both may repeat)
  --limit 10 mutants per row; --json FILE also writes the results there`;

interface Subject {
  readonly id: string;
  readonly candidates: readonly Candidate[];
  /** Why nothing runs. */
  readonly note?: string;
}

const FATES = ['killed', 'survived', 'equivalent', 'untested'] as const;
type Fate = (typeof FATES)[number];

/** Mutants that change nothing that a caller can see; each row has a file's name, the reason and changes with their declarations. */
const equivalents = new Set(
  readFileSync(new URL('equivalents.tsv', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((row) => {
      const [file = '', , ...changes] = row.split('\t');
      return changes.map((change) => `${file}\t${change}`);
    }),
);
const isEquivalent = ({ path, context, original, replacement }: Mutant): boolean =>
  equivalents.has(`${basename(path)}\t${context}: ${original} → ${replacement}`);

const progress = (text: string) => process.stderr.write(`${text}\n`);
const isUnitTest = (file: string) => /\.test\.tsx?$/.test(file);

/** Works on several items at a time, as many as there are cores. */
async function forEach<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) await work(item, index);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

/** What the tests reach, those that pass; a file that doesn't run has none. */
async function readTests(paths: readonly string[]): Promise<CoveredTest[]> {
  const tests: CoveredTest[] = [];
  await forEach(paths, async (path, index) => {
    progress(`coverage ${index + 1}/${paths.length} ${path}`);
    try {
      tests.push(...(await readCoverage(path)).tests);
    } catch (error) {
      progress(String(error));
      process.exitCode = 1;
    }
  });
  return tests;
}

/** Mutants that are specific to each of the rows. */
async function mutantsOfRows(isChosen: (row: Requirement) => boolean, limit: number): Promise<Subject[]> {
  const rows = readRequirements().filter(isChosen);
  const ids = new Set(rows.map(({ id }) => id));
  const citations = readCitations().filter(({ id, file }) => ids.has(id) && isUnitTest(file));
  const tests = await readTests([...new Set(citations.map(({ file }) => file))].sort());
  const reached = new Set(tests.flatMap(({ units, file }) => [...units, ...file.loaded]));
  const paths = new Set([...reached].map((unit) => unit.slice(0, unit.lastIndexOf('#'))));
  const mutants = [...paths].flatMap(readMutants).filter(({ path, unit }) => reached.has(`${path}#${unit}`));
  return rows.map((row) => {
    const own = citations.filter(({ id }) => id === row.id);
    // `it.each` makes several tests of a citation.
    const isCiting = ({ name, file: { path } }: CoveredTest) =>
      own.some((citation) => citation.file === path && new RegExp(citation.name).test(name));
    const citing = { citations: own, tests: tests.filter(isCiting) };
    const candidates = selectMutants(row, citing, mutants, { limit, canRun });
    const note = own.length === 0 ? 'browser only' : 'no coverage';
    return { id: row.id, candidates, ...(candidates.length === 0 && { note }) };
  });
}

/** All mutants of the files, with all tests below the folders. */
async function mutantsOfFiles(paths: readonly string[], folders: readonly string[]): Promise<Subject[]> {
  const files = testFiles(ROOT).map((path) => relative(ROOT, path));
  const isChosen = (file: string) => isUnitTest(file) && folders.some((folder) => file.startsWith(folder));
  const tests = await readTests(files.filter(isChosen));
  const reaching = (mutant: Mutant) => ({ mutant, tests: tests.filter((test) => isReachedBy(test, mutant)) });
  return paths.map((id) => ({ id, candidates: readMutants(id).filter(canRun).map(reaching) }));
}

const namesOf = (tests: readonly CoveredTest[]) => [...new Set(tests.map(({ name }) => name))];
/** Runs the tests of each candidate with its mutant, one file after another until a test fails. */
async function fatesOf(candidates: readonly Candidate[]): Promise<Map<Candidate, Fate>> {
  const fates = new Map<Candidate, Fate>();
  const byFile = Map.groupBy(
    candidates.flatMap(({ tests }) => tests),
    ({ file }) => file,
  );
  /** Tests that fail without any mutant when the file's other tests don't run. */
  const dependent = new Map<TestFile, Promise<readonly string[]>>();
  await forEach(candidates, async (candidate, index) => {
    const { mutant, tests } = candidate;
    let fate: Fate = 'untested';
    for (const [file, own] of Map.groupBy(tests, (test) => test.file)) {
      if (!dependent.has(file)) dependent.set(file, failingTests(file, namesOf(byFile.get(file)!)));
      const failing = await dependent.get(file)!;
      const names = namesOf(own).filter((name) => !failing.includes(name));
      if (names.length === 0) continue;
      fate = (await failingTests(file, names, mutant)).length > 0 ? 'killed' : 'survived';
      if (fate === 'killed') break;
    }
    fates.set(candidate, fate !== 'killed' && isEquivalent(mutant) ? 'equivalent' : fate);
    progress(
      `mutant ${index + 1}/${candidates.length} ${mutant.path}:${mutant.line} ${fates.get(candidate)}`,
    );
  });
  return fates;
}

type Result = Pick<Subject, 'id' | 'note'> & {
  readonly mutants: readonly (Mutant & { readonly fate: Fate })[];
};

function print(results: readonly Result[]): void {
  const counts = (mutants: Result['mutants']) =>
    FATES.map((fate) => `${mutants.filter((mutant) => mutant.fate === fate).length} ${fate}`).join(', ');
  for (const { id, note, mutants } of results) {
    console.log(id.padEnd(18) + (note ?? counts(mutants)));
    for (const { path, line, operator, original, replacement, fate } of mutants)
      if (fate === 'survived' || fate === 'untested')
        console.log(`    ${fate} ${path}:${line} ${operator}: ${original} → ${replacement || '(removed)'}`);
  }
  console.log(`${results.length} rows or files: ${counts(results.flatMap(({ mutants }) => mutants))}`);
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const texts = { type: 'string', multiple: true } as const;
  const flag = { type: 'boolean' } as const;
  const options = { all: flag, owner: text, file: texts, tests: texts, limit: text, json: text };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const { all = false, limit = '10', tests = [] } = values;
  const isChosen = ({ id, owner }: Requirement) => all || owner === values.owner || positionals.includes(id);
  const subjects = values.file
    ? await mutantsOfFiles(values.file, tests)
    : await mutantsOfRows(isChosen, Number(limit));
  if (subjects.length === 0) {
    console.log(USAGE);
    process.exitCode = 1;
    return;
  }
  const fates = await fatesOf(subjects.flatMap(({ candidates }) => candidates));
  const results = subjects.map(({ candidates, ...subject }) => ({
    ...subject,
    mutants: candidates.map((candidate) => ({ ...candidate.mutant, fate: fates.get(candidate)! })),
  }));
  if (values.json) writeFileSync(values.json, JSON.stringify(results, null, 1));
  print(results);
}

await main();
