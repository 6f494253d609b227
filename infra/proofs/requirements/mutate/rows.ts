import type { Citation, Requirement } from '../coverage.ts';
import { execute, type MutantRun, type Outcome } from './execute.ts';
import {
  keyOf,
  selectMutants,
  type Candidate,
  type CitingTest,
  type SourceMutant,
  type Sources,
} from './select.ts';
import { type FileCoverage, readCoverage, type TestProcess } from './testFiles.ts';

export interface RowResult {
  readonly id: string;
  /** Why nothing ran. */
  readonly note?: 'browser only' | 'no coverage' | 'unstable';
  readonly killed: readonly SourceMutant[];
  readonly survived: readonly SourceMutant[];
  readonly equivalent: readonly SourceMutant[];
}

export interface RowRunOptions {
  /** Mutants per row. */
  readonly limit: number;
  readonly isEquivalent: (mutant: SourceMutant) => boolean;
  readonly progress: (text: string) => void;
  /** Takes the results so far, after each test file. */
  readonly save: (results: readonly RowResult[]) => void;
}

const isUnitTest = ({ file }: Citation) => /\.test\.tsx?$/.test(file);

/** The tests that a citation means; `it.each` makes several. */
function citingTests(citation: Citation, coverage: ReadonlyMap<string, FileCoverage>): CitingTest[] {
  const file = coverage.get(citation.file);
  if (!file) return [];
  const pattern = new RegExp(citation.name);
  return file.tests
    .filter(({ name, isPassed }) => isPassed && pattern.test(name))
    .map(({ name, hits }) => ({ testFile: citation.file, name, hits, citation, coverage: file }));
}

/** Runs by test file; a mutant that several rows chose runs once. */
function planRuns(selected: ReadonlyMap<string, readonly Candidate[]>): Map<string, MutantRun[]> {
  const tests = new Map<string, Map<string, { mutant: SourceMutant; names: Set<string> }>>();
  for (const { mutant, tests: citing } of [...selected.values()].flat())
    for (const { testFile, name } of citing) {
      const ofFile = tests.get(testFile) ?? new Map<string, { mutant: SourceMutant; names: Set<string> }>();
      tests.set(testFile, ofFile);
      const run = ofFile.get(keyOf(mutant)) ?? { mutant, names: new Set() };
      ofFile.set(keyOf(mutant), run);
      run.names.add(name);
    }
  return new Map(
    [...tests].map(([testFile, runs]) => [
      testFile,
      [...runs.values()].map(({ mutant, names }) => ({
        mutant: { path: mutant.path, id: mutant.id },
        tests: [...names],
      })),
    ]),
  );
}

type Outcomes = ReadonlyMap<string, ReadonlyMap<string, Outcome>>;

function rowResult(
  id: string,
  citations: readonly Citation[],
  candidates: readonly Candidate[],
  outcomes: Outcomes,
  isEquivalent: (mutant: SourceMutant) => boolean,
): RowResult {
  const [killed, survived, equivalent]: SourceMutant[][] = [[], [], []];
  for (const { mutant, tests } of candidates) {
    const results = tests.flatMap(({ testFile, name }) => {
      const outcome = outcomes.get(testFile)?.get(keyOf(mutant));
      return outcome?.tests.includes(name) ? [outcome.isTimeout || outcome.failed.includes(name)] : [];
    });
    if (results.includes(true)) killed?.push(mutant);
    else if (isEquivalent(mutant)) equivalent?.push(mutant);
    else if (results.length > 0) survived?.push(mutant);
  }
  const lists = { killed: killed ?? [], survived: survived ?? [], equivalent: equivalent ?? [] };
  if (!citations.some(isUnitTest)) return { id, note: 'browser only', ...lists };
  if (candidates.length === 0) return { id, note: 'no coverage', ...lists };
  const isRun = Object.values(lists).some((list) => list.length > 0);
  return isRun ? { id, ...lists } : { id, note: 'unstable', ...lists };
}

/** Mutates what is specific to each row and runs the tests that cite it. */
export async function runRows(
  testProcess: TestProcess,
  sources: Sources,
  rows: readonly Requirement[],
  citations: readonly Citation[],
  options: RowRunOptions,
): Promise<RowResult[]> {
  const ids = new Set(rows.map(({ id }) => id));
  const own = citations.filter(({ id }) => ids.has(id));
  const files = [...new Set(own.filter(isUnitTest).map(({ file }) => file))].sort();
  const coverage = await readCoverage(testProcess, files, options.progress);
  const reached = new Set<string>();
  for (const { loaded, tests } of coverage.values())
    for (const hits of [loaded, ...tests.map((test) => test.hits)]) for (const key of hits) reached.add(key);
  const mutants = sources.find(reached);
  const selected = new Map(
    rows.map((row) => {
      const tests = own
        .filter(({ id }) => id === row.id)
        .flatMap((citation) => citingTests(citation, coverage));
      return [row.id, selectMutants(row, tests, mutants, sources.weights, options.limit)];
    }),
  );
  const outcomes = new Map<string, ReadonlyMap<string, Outcome>>();
  const results = () =>
    rows.map(({ id }) =>
      rowResult(
        id,
        own.filter((citation) => citation.id === id),
        selected.get(id) ?? [],
        outcomes,
        options.isEquivalent,
      ),
    );
  const plans = [...planRuns(selected)];
  for (const [index, [testFile, runs]] of plans.entries()) {
    options.progress(`mutants ${index + 1}/${plans.length} ${testFile}: ${runs.length}`);
    const fileCoverage = coverage.get(testFile);
    if (fileCoverage) outcomes.set(testFile, await execute(testProcess, testFile, fileCoverage, runs));
    options.save(results());
  }
  return results();
}
