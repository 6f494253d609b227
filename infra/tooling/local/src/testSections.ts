import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { findPostgres } from '@forecourt/service-kit/testing';
import { buildAll } from './buildAll.ts';
import { browserTestsOf, REPOSITORY } from './repository.ts';
import { runVisibly } from './runTool.ts';
import { ensureBrowser, ensureOtherBrowsers, ensureSandbox } from './systemPackages.ts';

/** Result of a section. A check without tests counts as zero tests, and as one failure if it fails. */
export interface SectionResult {
  readonly passed: number;
  readonly failed: number;
  /** Names and reasons of failed tests. */
  readonly failures?: readonly string[];
  /** ms of each test file, by its name. */
  readonly fileMs?: ReadonlyMap<string, number>;
}

interface SectionRun {
  readonly signal: AbortSignal;
  /** Receives the output when the section shares the terminal. */
  readonly print?: ((text: string) => void) | undefined;
}

export interface Section {
  readonly name: string;
  readonly run: (run: SectionRun) => Promise<SectionResult>;
}

const bin = (path: string): string => join(REPOSITORY, 'node_modules', path);
const CLEAN: SectionResult = { passed: 0, failed: 0 };
const BROKEN: SectionResult = { passed: 0, failed: 1 };

/** Runs all scripts in order, even after a failure. */
const checks =
  (...scripts: readonly (readonly [string, ...string[]])[]): Section['run'] =>
  async (run) => {
    let isClean = true;
    for (const [script, ...args] of scripts) isClean = (await runVisibly(script, args, run)) && isClean;
    return isClean ? CLEAN : BROKEN;
  };

/** Runs `run` with a temporary folder for its results. */
async function withFolder(run: (folder: string) => Promise<SectionResult>): Promise<SectionResult> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-test-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const FAILURES_REPORTER = join(import.meta.dirname, 'failuresReporter.mjs');

/** Counts at least one failure when the runner failed: a test file may crash before its first test. */
const atLeastOne = (isClean: boolean, result: SectionResult): SectionResult =>
  isClean || result.failed > 0 ? result : { ...result, failed: 1 };

/** A selection without a test is a mistake: it must not pass. */
export const someTest = (result: SectionResult): SectionResult =>
  result.passed + result.failed > 0
    ? result
    : {
        ...result,
        failed: 1,
        failures: ['NO_TESTS: no browser test has such a name: check --spec, --grep and --remote'],
      };

/** Lines of a reason that the summary repeats. */
const REASON_LINES = 8;

const failure = (name: string, reason: string): string =>
  [name, ...stripVTControlCharacters(reason).split('\n').slice(0, REASON_LINES)].join('\n  ');

/** What Jest writes with `--json`, of which this needs a part. */
interface JestResults {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    /** Path of the file. */
    readonly name: string;
    readonly status: string;
    /** ms since 1970. */
    readonly startTime: number;
    readonly endTime: number;
    /** All failures of the file, or why it did not run. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const jestFailures = ({ testResults }: JestResults): string[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(REPOSITORY, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0 && status === 'failed') return failure(file, message);
    return failed.map((test) => failure(`${file}: ${test.fullName}`, test.failureMessages.join('\n')));
  });

/** Jest's options for some files; all tests without them. */
const unit =
  (related: readonly string[] = []): Section['run'] =>
  (run) =>
    withFolder(async (folder) => {
      process.stdout.write(`${await ensureSandbox()}\n`);
      const results = join(folder, 'jest.json');
      const isClean = await runVisibly(
        bin('jest/bin/jest.js'),
        ['--json', `--outputFile=${results}`, '--silent', `--reporters=${FAILURES_REPORTER}`, ...related],
        { ...run, nodeOptions: ['--experimental-vm-modules', '--no-warnings'], quiet: 'stdout' },
      );
      if (!existsSync(results)) return BROKEN;
      const tests = JSON.parse(readFileSync(results, 'utf8')) as JestResults;
      const { numPassedTests: passed, numFailedTests: failed } = tests;
      const fileMs = new Map(
        tests.testResults.map(({ name, startTime, endTime }) => [
          relative(REPOSITORY, name),
          endTime - startTime,
        ]),
      );
      return atLeastOne(isClean, { passed, failed, failures: jestFailures(tests), fileMs });
    });

/** A line that the browser tests write about each test. */
export interface BrowserTestResult {
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly file: string;
  /** File and title. */
  readonly title: string;
  /** With its hooks. */
  readonly ms: number;
  /** Why it failed. */
  readonly reason: string;
}

/** Browser tests, of which the environment may select some. */
const browserTests = (run: SectionRun, environment: Readonly<Record<string, string>> = {}) =>
  withFolder(async (folder) => {
    const { note, headlessShell } = await ensureBrowser();
    process.stdout.write(`${note}\n${await ensureOtherBrowsers()}\n`);
    const results = join(folder, 'wdio.jsonl');
    const isClean = await runVisibly(bin('@wdio/cli/bin/wdio.js'), ['run', 'infra/proofs/e2e/wdio.conf.ts'], {
      ...run,
      environment: {
        ...environment,
        E2E_RESULTS: results,
        ...(headlessShell && { CHROME_HEADLESS_SHELL_BIN: headlessShell }),
      },
    });
    const lines = existsSync(results) ? readFileSync(results, 'utf8').split('\n').filter(Boolean) : [];
    const tests = lines.map((line) => JSON.parse(line) as BrowserTestResult);
    const failed = tests.filter(({ outcome }) => outcome === 'failed');
    const fileMs = new Map<string, number>();
    for (const { file, ms } of tests) fileMs.set(file, (fileMs.get(file) ?? 0) + ms);
    return someTest(
      atLeastOne(isClean, {
        passed: tests.filter(({ outcome }) => outcome === 'passed').length,
        failed: failed.length,
        failures: failed.map(({ title, reason }) => failure(title, reason)),
        fileMs,
      }),
    );
  });

const e2e: Section['run'] = (run) => browserTests(run);

/** Browser tests that write and read through every replica of the local cluster; the others take too long for each run. */
const CLUSTER_SPECS = ['leads', 'logs'];

const cluster: Section['run'] = async (run) => {
  if (findPostgres() !== undefined)
    return browserTests(run, { E2E_CLUSTER: 'true', E2E_SPECS: CLUSTER_SPECS.join(), E2E_GREP: '' });
  process.stdout.write('skipped: no PostgreSQL\n');
  return CLEAN;
};

const build: Section['run'] = async ({ signal, print = (text) => process.stdout.write(text) }) => {
  await buildAll({
    signal,
    onPackage: (name, done, total) => print(`built ${name} (${done} of ${total})\n`),
  });
  return CLEAN;
};

const lockfile = checks([join(REPOSITORY, 'infra/tooling/build/src/completeLockfile.ts'), '--check']);
const lint = (formatted: readonly string[] = ['.']) =>
  checks(
    // It also reports the compiler's errors: its rules need the types anyway.
    [bin('oxlint/bin/oxlint')],
    [join(REPOSITORY, 'infra/tooling/lint/src/importRules.ts')],
    [join(REPOSITORY, 'infra/tooling/lint/src/fileNames.ts')],
    [join(REPOSITORY, 'infra/tooling/lint/src/engineWords.ts')],
    [join(REPOSITORY, 'infra/tooling/lint/src/unwiredFields.ts')],
    [join(REPOSITORY, 'infra/tooling/lint/src/configurationTables.ts')],
    [bin('knip/bin/knip.js'), '--no-progress'],
    [bin('oxfmt/bin/oxfmt'), '--check', '--no-error-on-unmatched-pattern', ...formatted],
  );
const spec = checks([join(REPOSITORY, 'infra/proofs/requirements/coverage.ts')]);

/** Sections that run in order. The lanes of a stage run in parallel. */
type Lane = readonly Section[];
export type Stage = readonly Lane[];

/** Everything that `npm test` checks, fast sections first. */
export const STAGES: readonly Stage[] = [
  [
    [
      { name: 'lockfile', run: lockfile },
      { name: 'build', run: build },
    ],
    [{ name: 'lint', run: lint() }],
  ],
  // One after the other: side by side they take as long, and time out more often.
  [[{ name: 'unit', run: unit() }]],
  [[{ name: 'e2e', run: e2e }]],
  [[{ name: 'cluster', run: cluster }]],
  [[{ name: 'spec', run: spec }]],
];

/** Sections that `--only <name>` also runs. */
export const NEEDED_BY: Readonly<Record<string, readonly string[]>> = { e2e: ['build'], cluster: ['build'] };

const SOURCE = /\.(?:[cm]?[jt]sx?|css|json)$/;
/** What every test runs with. */
const EVERYWHERE =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|jest\.config\.mjs|infra\/tooling\/build\/src\/jest.*)$/;

/** @throws unless the URL leads to a composed page, with the reason */
export async function checkComposedPage(url: string): Promise<string> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Error(`--url: '${url}' is no http or https URL`);
  const { origin } = new URL(url);
  const page = `${origin}/cars-for-sale/all-cars`;
  const response = await fetch(page, { signal: AbortSignal.timeout(30_000) }).catch((error: unknown) => {
    throw new Error(`--url: ${page} doesn't answer`, { cause: error });
  });
  if (!response.ok || !(await response.text()).includes('data-slot="results"'))
    throw new Error(`--url: ${page} answers ${response.status} without a results slot`);
  return origin;
}

/**
 * What a change of these files touches: all of lint, the format of the files, the tests that import them, and the browser
 * tests among them. Browser tests of the page as a whole are left to a full run.
 */
export function stagesOf(files: readonly string[]): readonly Stage[] {
  const sources = files.filter((file) => SOURCE.test(file));
  const isEverywhere = files.some((file) => EVERYWHERE.test(file));
  const related = isEverywhere ? [] : ['--passWithNoTests', '--findRelatedTests', ...sources];
  const hasSources = sources.length > 0;
  const hasBrowserTests = browserTestsOf(files).length > 0;
  const candidates: readonly (Section | false)[] = [
    isEverywhere && { name: 'lockfile', run: lockfile },
    hasBrowserTests && { name: 'build', run: build },
    files.length > 0 && { name: 'lint', run: lint(files) },
    hasSources && { name: 'unit', run: unit(related) },
    hasBrowserTests && { name: 'e2e', run: e2e },
    { name: 'spec', run: spec },
  ];
  const selected = new Map(candidates.filter((one) => one !== false).map((one) => [one.name, one]));
  return STAGES.map((stage) =>
    stage
      .map((lane) => lane.flatMap(({ name }) => selected.get(name) ?? []))
      .filter(({ length }) => length > 0),
  ).filter(({ length }) => length > 0);
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly write: (text: string) => void;
  /** Sections that must pass before a section runs. */
  readonly neededBy: Readonly<Record<string, readonly string[]>>;
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const secondsSince = (started: number): string => inSeconds(performance.now() - started);

/** Files that a section's line in the summary names. */
const SLOWEST_FILES = 5;

function slowestFiles(fileMs: ReadonlyMap<string, number>): string {
  const slowest = [...fileMs].sort(([, one], [, other]) => other - one).slice(0, SLOWEST_FILES);
  return slowest.map(([file, ms]) => `  ${inSeconds(ms).padStart(8)}  ${file}\n`).join('');
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Runs the stages in order and the lanes of a stage in parallel, then prints a summary. A failed section only skips the
 * sections that need it. Rejects only when the run is stopped.
 */
export async function runSections(stages: readonly Stage[], options: RunOptions): Promise<SectionResult> {
  const { signal, write, neededBy } = options;
  const begun = performance.now();
  const summary: string[] = [];
  const failures: string[] = [];
  const broken = new Set<string>();
  let [passed, failed] = [0, 0];

  /** The result of a section, and a note about it. */
  async function outcomeOf({ name, run }: Section, print: ((text: string) => void) | undefined) {
    const missing = neededBy[name]?.find((needed) => broken.has(needed));
    if (missing !== undefined) return { ...BROKEN, note: `not run, because ${missing} failed\n` };
    try {
      return { ...(await run({ signal, print })), note: '' };
    } catch (error) {
      if (signal.aborted) throw error;
      return { ...BROKEN, note: `${messageOf(error)}\n` };
    }
  }

  /** `hasTerminal`: prints at once; else all output is printed at the end, because the first lane prints at the same time. */
  async function runSection(section: Section, hasTerminal: boolean): Promise<void> {
    const buffered: string[] = [];
    const print = hasTerminal ? write : (text: string) => void buffered.push(text);
    const started = performance.now();
    print(`\n━━ ${section.name}\n`);
    const { note, ...result } = await outcomeOf(section, hasTerminal ? undefined : print);
    print(note);
    passed += result.passed;
    failed += result.failed;
    failures.push(...(result.failures ?? []));
    if (result.failed > 0) broken.add(section.name);
    const counts = result.passed > 0 ? `, ${result.passed} passed, ${result.failed} failed` : '';
    const mark = result.failed > 0 ? '✖' : '✔';
    const line = `${mark} ${section.name} (${secondsSince(started)}${counts})\n`;
    summary.push(line, slowestFiles(result.fileMs ?? new Map()));
    write(buffered.join('') + line);
  }

  async function runLane(lane: Lane, hasTerminal: boolean): Promise<void> {
    for (const section of lane) await runSection(section, hasTerminal);
  }

  for (const stage of stages) await Promise.all(stage.map((lane, at) => runLane(lane, at === 0)));
  if (failures.length > 0) write(`\n━━ failed tests\n${failures.map((text) => `✖ ${text}\n`).join('')}`);
  write(`\n━━ summary (${secondsSince(begun)})\n${summary.join('')}${passed} passed, ${failed} failed\n`);
  return { passed, failed };
}
