import { execute, type MutantRun } from './execute.ts';
import { keyOf, type SourceMutant } from './select.ts';
import type { Sources } from './sources.ts';
import type { FileCoverage, TestProcess } from './testFiles.ts';

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

/** Runs all mutants of some source files with every test that reaches them, until one fails. */
export async function runFiles(
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
