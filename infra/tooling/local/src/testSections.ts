import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildAll } from './buildAll.ts';
import { REPOSITORY } from './repository.ts';
import { runVisibly } from './runTool.ts';
import { ensureBrowser, ensureSandbox, firefoxNote } from './systemPackages.ts';

/** Result of a section. A check without tests counts as zero tests, and as one failure if it fails. */
export interface SectionResult {
  readonly passed: number;
  readonly failed: number;
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
      const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(results, 'utf8')) as {
        numPassedTests: number;
        numFailedTests: number;
      };
      return atLeastOne(isClean, { passed: numPassedTests, failed: numFailedTests });
    });

const e2e: Section['run'] = (run) =>
  withFolder(async (folder) => {
    const { note, headlessShell } = await ensureBrowser();
    process.stdout.write(`${note}\n${firefoxNote()}\n`);
    const results = join(folder, 'wdio.txt');
    const isClean = await runVisibly(bin('@wdio/cli/bin/wdio.js'), ['run', 'infra/proofs/e2e/wdio.conf.ts'], {
      ...run,
      environment: {
        E2E_RESULTS: results,
        ...(headlessShell && { CHROME_HEADLESS_SHELL_BIN: headlessShell }),
      },
    });
    const lines = existsSync(results) ? readFileSync(results, 'utf8').split('\n') : [];
    const count = (outcome: string) => lines.filter((line) => line === outcome).length;
    return atLeastOne(isClean, { passed: count('passed'), failed: count('failed') });
  });

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
    [bin('knip/bin/knip.js'), '--no-progress'],
    [bin('oxfmt/bin/oxfmt'), '--check', '--no-error-on-unmatched-pattern', ...formatted],
  );
const spec = checks([join(REPOSITORY, 'infra/proofs/spec/coverage.ts')]);

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
  [[{ name: 'unit', run: unit() }]],
  [[{ name: 'e2e', run: e2e }]],
  [[{ name: 'spec', run: spec }]],
];

/** Sections that `--only <name>` also runs. */
export const NEEDED_BY: Readonly<Record<string, readonly string[]>> = { e2e: ['build'] };

const BROWSER_TEST = /^infra\/proofs\/e2e\/src\/(.+)\.e2e\.ts$/;
const SOURCE = /\.(?:[cm]?[jt]sx?|css|json)$/;
/** What every test runs with. */
const EVERYWHERE =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|jest\.config\.mjs|infra\/tooling\/build\/src\/jest.*)$/;

/** Browser tests that prove a requirement which this package has or shares, by name. @throws when there are none */
export function browserTestsFor(owner: string, proofs = join(REPOSITORY, 'infra/proofs')): string[] {
  const rows = readFileSync(join(proofs, 'spec/requirements.tsv'), 'utf8').split('\n');
  const owned = new Set(
    rows
      .map((row) => row.split('\t'))
      .flatMap(([id = '', , owners = '']) => (owners.split('+').includes(owner) ? id : [])),
  );
  const found = readdirSync(join(proofs, 'e2e/src')).flatMap((file) => {
    const [, name] = /^(.+)\.e2e\.ts$/.exec(file) ?? [];
    const cited = [...readFileSync(join(proofs, 'e2e/src', file), 'utf8').matchAll(/^ *\/\/ rows: (.+)$/gm)];
    const isOwned = cited.some(([, ids = '']) => ids.split(', ').some((id) => owned.has(id)));
    return name !== undefined && isOwned ? name : [];
  });
  if (found.length === 0) throw new Error(`--remote: no browser test proves a requirement of '${owner}'`);
  return found;
}

/** Test files with these imports publish, break, write or fuzz something. */
const STACK_IMPORT =
  /from '(?:\.\/(?:hostileRelease|isolationLevels|logLines|marketplaceStore|ownStack|registryProxy|releases)\.ts|fast-check)'/;

/** Browser tests that only open pages, so they may run against any page, and the others, by name. */
export function browserTestsByNeed(proofs = join(REPOSITORY, 'infra/proofs')): {
  readonly anywhere: readonly string[];
  readonly stackOnly: readonly string[];
} {
  const source = join(proofs, 'e2e/src');
  const names = readdirSync(source).flatMap((file) => /^(.+)\.e2e\.ts$/.exec(file)?.[1] ?? []);
  const needsStack = (name: string) =>
    STACK_IMPORT.test(readFileSync(join(source, `${name}.e2e.ts`), 'utf8'));
  return {
    anywhere: names.filter((name) => !needsStack(name)).sort(),
    stackOnly: names.filter(needsStack).sort(),
  };
}

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

/** The browser tests among the files, by name. */
export const browserTestsOf = (files: readonly string[]): string[] =>
  files.flatMap((file) => BROWSER_TEST.exec(file)?.[1] ?? []);

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

/** Files that differ from `since`, committed or not; by default from where this branch left `main`. */
export async function changedFiles(since?: string, cwd = REPOSITORY): Promise<string[]> {
  const git = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('git', args, { cwd });
    return stdout.split('\0').filter(Boolean);
  };
  const branches = ['origin/main', 'main'];
  const bases = branches.map((branch) => git('merge-base', 'HEAD', branch).catch(() => undefined));
  const [found] = (await Promise.all(bases)).flatMap((base) => base ?? []);
  const base = since ?? found?.trim();
  if (base === undefined) throw new Error('--changed: no branch main here; name a commit with --since');
  const [differing, untracked] = await Promise.all([
    git('diff', '--name-only', '-z', '--diff-filter=d', base, '--'),
    git('ls-files', '--others', '--exclude-standard', '-z'),
  ]);
  return [...new Set([...differing, ...untracked])].sort();
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly write: (text: string) => void;
  /** Sections that must pass before a section runs. */
  readonly neededBy: Readonly<Record<string, readonly string[]>>;
}

const secondsSince = (started: number): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Runs the stages in order and the lanes of a stage in parallel, then prints a summary. A failed section only skips the
 * sections that need it. Rejects only when the run is stopped.
 */
export async function runSections(stages: readonly Stage[], options: RunOptions): Promise<SectionResult> {
  const { signal, write, neededBy } = options;
  const begun = performance.now();
  const summary: string[] = [];
  const broken = new Set<string>();
  let [passed, failed] = [0, 0];

  /** The result of a section, and a note about it. */
  async function outcomeOf({ name, run }: Section, print: ((text: string) => void) | undefined) {
    const missing = neededBy[name]?.find((needed) => broken.has(needed));
    const failure = { passed: 0, failed: 1 };
    if (missing !== undefined) return { ...failure, note: `not run, because ${missing} failed\n` };
    try {
      return { ...(await run({ signal, print })), note: '' };
    } catch (error) {
      if (signal.aborted) throw error;
      return { ...failure, note: `${messageOf(error)}\n` };
    }
  }

  /** `hasTerminal`: prints at once; else all output is printed at the end, because other sections print at the same time. */
  async function runSection(section: Section, hasTerminal: boolean): Promise<void> {
    const buffered: string[] = [];
    const print = hasTerminal ? write : (text: string) => void buffered.push(text);
    const started = performance.now();
    print(`\n━━ ${section.name}\n`);
    const { note, ...result } = await outcomeOf(section, hasTerminal ? undefined : print);
    print(note);
    passed += result.passed;
    failed += result.failed;
    if (result.failed > 0) broken.add(section.name);
    const counts = result.passed > 0 ? `, ${result.passed} passed, ${result.failed} failed` : '';
    const mark = result.failed > 0 ? '✖' : '✔';
    const line = `${mark} ${section.name} (${secondsSince(started)}${counts})\n`;
    summary.push(line);
    write(buffered.join('') + line);
  }

  async function runLane(lane: Lane, hasTerminal: boolean): Promise<void> {
    for (const section of lane) await runSection(section, hasTerminal);
  }

  for (const stage of stages) await Promise.all(stage.map((lane) => runLane(lane, stage.length === 1)));
  write(`\n━━ summary (${secondsSince(begun)})\n${summary.join('')}${passed} passed, ${failed} failed\n`);
  return { passed, failed };
}
