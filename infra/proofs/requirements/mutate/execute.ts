import type { MutantKey, LogEntry, Run } from './plan.ts';
import { keyOf } from './select.ts';
import type { FileCoverage, TestProcess } from './testFiles.ts';

export interface Outcome {
  readonly mutant: MutantKey;
  /** Names of the tests that ran; one that fails without mutants doesn't run. */
  readonly tests: readonly string[];
  /** Names of the tests that failed. */
  readonly failed: readonly string[];
  readonly isTimeout: boolean;
}

export interface MutantRun extends Run {
  readonly mutant: MutantKey;
}

/** Mutants between two runs without any, which must pass. */
const CONTROL_INTERVAL = 10;
const CHUNK = 60;

type Finish = (
  run: MutantRun,
  entry: { readonly failed: readonly string[]; readonly isTimeout: boolean },
) => void;

/** Inserts controls that run all tests of the runs before them. */
function withControls(runs: readonly MutantRun[]): Run[] {
  return runs.flatMap((run, index): Run[] => {
    const isLast = index === runs.length - 1;
    if ((index + 1) % CONTROL_INTERVAL !== 0 && !isLast) return [run];
    const before = runs.slice(index - (index % CONTROL_INTERVAL), index + 1);
    return [run, { mutant: null, tests: [...new Set(before.flatMap(({ tests }) => tests))] }];
  });
}

const timesOf = (coverage: FileCoverage) => {
  const slowest = Math.max(0, ...coverage.tests.map(({ milliseconds }) => milliseconds));
  return { timeout: 5_000 + 5 * slowest, patience: 20_000 + 4 * coverage.milliseconds };
};

/** Runs of a plan in one loaded file; returns what must load the file itself. */
async function rerun(
  process: TestProcess,
  testFile: string,
  coverage: FileCoverage,
  pending: readonly MutantRun[],
  isBailing: boolean,
  finish: Finish,
): Promise<MutantRun[]> {
  const { patience, timeout } = timesOf(coverage);
  const doubtful: MutantRun[] = [];
  let rest = [...pending];
  while (rest.length > 0) {
    const chunk = rest.slice(0, CHUNK);
    const runs = withControls(chunk);
    const { log, isHung } = await process.run(
      testFile,
      { mode: 'rerun', runs, timeout, isBailing },
      patience,
    );
    const isDone = new Set<MutantRun>();
    let unconfirmed: [MutantRun, Extract<LogEntry, { type: 'end' }>][] = [];
    const started = log.findLast((entry) => entry.type === 'start')?.index ?? 0;
    for (const entry of log) {
      if (entry.type !== 'end') continue;
      const run = runs[entry.index];
      if (run?.mutant) {
        unconfirmed.push([run as MutantRun, entry]);
        isDone.add(run as MutantRun);
        if (!entry.isTimeout) continue;
      }
      const isConfirmed = run?.mutant ?? entry.failed.length === 0;
      for (const [each, end] of unconfirmed)
        // A failed control, or a mutant behind a value that was remembered: only a new load tells.
        if (isConfirmed && (end.isReached || end.failed.length > 0)) finish(each, end);
        else doubtful.push(each);
      unconfirmed = [];
    }
    doubtful.push(...unconfirmed.map(([run]) => run));
    const hanging = runs[started];
    if (isHung && hanging?.mutant && !isDone.has(hanging as MutantRun)) {
      finish(hanging as MutantRun, { failed: [...hanging.tests], isTimeout: true });
      isDone.add(hanging as MutantRun);
    }
    // Without progress each remaining run loads the file itself.
    if (isDone.size === 0) return [...doubtful, ...rest];
    rest = rest.filter((run) => !isDone.has(run));
  }
  return doubtful;
}

/** Names of the tests that fail on their own, without any mutant. */
async function dependentTests(
  process: TestProcess,
  testFile: string,
  coverage: FileCoverage,
  tests: readonly string[],
): Promise<ReadonlySet<string>> {
  const { timeout, patience } = timesOf(coverage);
  const run = { mutant: null, tests };
  const { log } = await process.run(testFile, { mode: 'load', run, timeout, isBailing: false }, patience);
  return new Set(log.find((entry) => entry.type === 'end')?.failed ?? tests);
}

/** Switches each mutant on and runs its tests of one test file, until one fails if `isBailing`. */
export async function execute(
  process: TestProcess,
  testFile: string,
  coverage: FileCoverage,
  requested: readonly MutantRun[],
  isBailing = false,
): Promise<Map<string, Outcome>> {
  const all = [...new Set(requested.flatMap(({ tests }) => tests))];
  const dependent = await dependentTests(process, testFile, coverage, all);
  const runs = requested
    .map(({ mutant, tests }) => ({ mutant, tests: tests.filter((name) => !dependent.has(name)) }))
    .filter(({ tests }) => tests.length > 0);
  const outcomes = new Map<string, Outcome>();
  const finish: Finish = ({ mutant, tests }, { failed, isTimeout }) =>
    outcomes.set(keyOf(mutant), { mutant, tests, failed, isTimeout });
  const isLoaded = ({ mutant }: MutantRun) => coverage.loaded.has(keyOf(mutant));
  const doubtful = await rerun(
    process,
    testFile,
    coverage,
    runs.filter((run) => !isLoaded(run)),
    isBailing,
    finish,
  );
  const { timeout, patience } = timesOf(coverage);
  for (const run of [...runs.filter(isLoaded), ...doubtful]) {
    const { log, isHung } = await process.run(testFile, { mode: 'load', run, timeout, isBailing }, patience);
    const end = log.find((entry) => entry.type === 'end');
    // A file that doesn't load fails all its tests.
    finish(run, end ?? { failed: [...run.tests], isTimeout: isHung });
  }
  return outcomes;
}
