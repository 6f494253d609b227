import { execute, type MutantRun } from './execute.ts';
import { keyOf, type SourceMutant } from './select.ts';
import { type FileCoverage, readCoverage, type TestProcess } from './testFiles.ts';

export interface FileResult {
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

/** Runs mutants with every test that reaches them, until one fails; one result for each source file. */
export async function runMutants(
  testProcess: TestProcess,
  mutants: readonly SourceMutant[],
  testFiles: readonly string[],
  { isEquivalent, progress, save }: FileRunOptions,
): Promise<FileResult[]> {
  const keys = new Set(mutants.map(keyOf));
  const files = [...(await readCoverage(testProcess, testFiles, progress, keys))].map(
    ([testFile, coverage]) => ({
      testFile,
      coverage,
      milliseconds: coverage.tests.reduce((sum, test) => sum + test.milliseconds, 0),
    }),
  );
  files.sort((a, b) => a.milliseconds - b.milliseconds);
  const killed = new Set<string>();
  const covered = new Set<string>();
  const results = () =>
    [...Map.groupBy(mutants, ({ path }) => path)].map(([path, own]): FileResult => {
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
