import { appendFileSync, readFileSync } from 'node:fs';
import circus, { type JestEnvironment } from 'jest-circus/runner';
import { cloneBlock, fullName, skip, skipTests } from './circus.ts';
import type { CircusBlock, CircusEvent, CircusState, CircusTest } from './circus.ts';
import {
  MutantRecorder,
  MutantSwitch,
  type Hits,
  type LogEntry,
  type Plan,
  type PlanFiles,
  type Run,
} from './plan.ts';

type Log = (entry: LogEntry) => void;
type Handler = (event: CircusEvent, state: CircusState) => void;

const toRecord = (hits: Hits) => Object.fromEntries([...hits].map(([path, ids]) => [path, [...ids]]));

/** Merges what hooks outside of tests reached into the next test. */
function coverageHandler(recorder: MutantRecorder, log: Log): Handler {
  const loading = recorder.start();
  let current: Hits = new Map();
  let hooks: Hits = new Map();
  return ({ name, test }) => {
    if (name === 'run_start') {
      log({ type: 'loaded', hits: toRecord(loading) });
      hooks = recorder.start();
    }
    if (name === 'test_start') current = recorder.start();
    if (name !== 'test_done' || test === undefined) return;
    const hits = toRecord(current);
    for (const [path, ids] of hooks) hits[path] = [...new Set([...(hits[path] ?? []), ...ids])];
    log({
      type: 'test',
      name: fullName(test),
      isPassed: test.errors.length === 0,
      milliseconds: test.duration ?? 0,
      hits,
    });
  };
}

const isTimeout = (errors: readonly unknown[]) =>
  /Exceeded timeout|thrown: "Exceeded/.test(JSON.stringify(errors, replaceError));
const replaceError = (_key: string, value: unknown) => (value instanceof Error ? value.message : value);

/** Collects the failed tests of one run. */
class RunResult {
  readonly failed: string[] = [];
  isTimeout = false;

  add(name: string, test: CircusTest): void {
    if (test.errors.length === 0) return;
    this.failed.push(name);
    this.isTimeout ||= test.errors.some(
      (error) => isTimeout([error].flat()) || String([error].flat()[0]).includes('Exceeded timeout'),
    );
  }
}

function loadHandler(plan: Extract<Plan, { mode: 'load' }>, mutants: MutantSwitch, log: Log): Handler {
  const result = new RunResult();
  mutants.set(plan.run.mutant);
  log({ type: 'start', index: 0 });
  return ({ name, test }, { rootDescribeBlock }) => {
    if (name === 'run_start') {
      const copy = cloneBlock(rootDescribeBlock, rootDescribeBlock, {
        tests: new Set(plan.run.tests),
        timeout: plan.timeout,
      });
      rootDescribeBlock.children = copy.children;
      for (const child of copy.children) child.parent = rootDescribeBlock;
    }
    if (name === 'test_done' && test) result.add(fullName(test), test);
    if (plan.isBailing && result.failed.length > 0) skipTests(rootDescribeBlock);
    if (name === 'run_finish')
      log({
        type: 'end',
        index: 0,
        failed: result.failed,
        isReached: mutants.isReached,
        isTimeout: result.isTimeout,
      });
  };
}

function rerunHandler(plan: Extract<Plan, { mode: 'rerun' }>, mutants: MutantSwitch, log: Log): Handler {
  const blocks = new Map<CircusBlock, number>();
  let result = new RunResult();
  let current: CircusBlock;
  const addBlocks = (root: CircusBlock) => {
    for (const [index, { tests }] of plan.runs.entries()) {
      const name = `run ${index}`;
      blocks.set(cloneBlock(root, root, { name, tests: new Set(tests), timeout: plan.timeout }), index);
    }
    root.children = [...blocks.keys()];
    // Each run has its own copy of the file's hooks.
    root.hooks = [];
  };
  return ({ name, test, describeBlock }, { rootDescribeBlock }) => {
    if (name === 'run_start') addBlocks(rootDescribeBlock);
    if (name === 'test_done' && test) {
      result.add(
        fullName(test, (block) => blocks.has(block)),
        test,
      );
      if (plan.isBailing && result.failed.length > 0) skipTests(current);
    }
    const index = describeBlock && blocks.get(describeBlock);
    if (index === undefined || describeBlock?.mode === 'skip') return;
    const run: Run | undefined = plan.runs[index];
    if (name === 'run_describe_start') {
      result = new RunResult();
      current = describeBlock!;
      log({ type: 'start', index });
      mutants.set(run?.mutant ?? null);
    }
    if (name !== 'run_describe_finish') return;
    const { isReached } = mutants;
    mutants.set(null);
    log({ type: 'end', index, failed: result.failed, isReached, isTimeout: result.isTimeout });
    // What hangs may go on later; a control that fails says that the rest would not be true.
    const isSpoiled = result.isTimeout || (run?.mutant === null && result.failed.length > 0);
    if (isSpoiled) for (const [block, later] of blocks) if (later > index) skip(block);
  };
}

/** Runs a test file as the plan says; see `Plan`. */
const runner: typeof circus.default = (globalConfig, config, environment, runtime, testPath, send) => {
  const files = config.globals.mutation as PlanFiles;
  const plan = JSON.parse(readFileSync(files.plan, 'utf8')) as Plan;
  const log: Log = (entry) => appendFileSync(files.log, `${JSON.stringify(entry)}\n`);
  const recorder = new MutantRecorder();
  const mutants = new MutantSwitch();
  const handler =
    plan.mode === 'coverage'
      ? coverageHandler(recorder, log)
      : plan.mode === 'load'
        ? loadHandler(plan, mutants, log)
        : rerunHandler(plan, mutants, log);
  const instrumented: JestEnvironment = environment;
  instrumented.global.mutation = plan.mode === 'coverage' ? recorder : mutants;
  const own = instrumented.handleTestEvent?.bind(instrumented);
  instrumented.handleTestEvent = async (event, state) => {
    handler(event as CircusEvent, state as CircusState);
    await own?.(event, state);
  };
  return circus.default(globalConfig, config, environment, runtime, testPath, send);
};

export default runner;
