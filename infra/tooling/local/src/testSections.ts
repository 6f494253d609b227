import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from './buildAll.ts';
import { REPOSITORY } from './repository.ts';
import { runVisibly } from './runTool.ts';
import { spawnSync } from 'node:child_process';

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

/** Counts at least one failure when the runner failed: a test file may crash before its first test. */
const atLeastOne = (isClean: boolean, result: SectionResult): SectionResult =>
  isClean || result.failed > 0 ? result : { ...result, failed: 1 };

const unit: Section['run'] = (run) =>
  withFolder(async (folder) => {
    const results = join(folder, 'jest.json');
    const isClean = await runVisibly(
      bin('jest/bin/jest.js'),
      ['--json', `--outputFile=${results}`, '--silent'],
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
    process.stdout.write(`${ensureBrowser()}\n`);
    const results = join(folder, 'wdio.txt');
    const isClean = await runVisibly(bin('@wdio/cli/bin/wdio.js'), ['run', 'infra/proofs/e2e/wdio.conf.ts'], {
      ...run,
      environment: { E2E_RESULTS: results },
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
const lint = checks(
  [bin('oxlint/bin/oxlint')],
  [join(REPOSITORY, 'infra/tooling/lint/src/cli.ts')],
  [bin('knip/bin/knip.js'), '--no-progress'],
  [bin('prettier/bin/prettier.cjs'), '--check', '.', '--log-level=warn'],
);
const types = checks([bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json']);
const spec = checks([join(REPOSITORY, 'infra/proofs/spec/coverage.ts')]);

/** Sections that run in order. The lanes of a stage run in parallel. */
export type Lane = readonly Section[];
export type Stage = readonly Lane[];

/** Everything that `npm test` checks, fast sections first. */
export const STAGES: readonly Stage[] = [
  [
    [
      { name: 'lockfile', run: lockfile },
      { name: 'types', run: types },
      { name: 'build', run: build },
    ],
    [{ name: 'lint', run: lint }],
  ],
  [[{ name: 'unit', run: unit }]],
  [[{ name: 'e2e', run: e2e }]],
  [[{ name: 'spec', run: spec }]],
];

/** Sections that `--only <name>` also runs. */
export const NEEDED_BY: Readonly<Record<string, readonly string[]>> = { e2e: ['build'] };

const BROWSER = '/usr/bin/chromium';
const DRIVER = '/usr/bin/chromedriver';

/** Debian packages; without a font, text has no width. */
const PACKAGES = ['chromium', 'chromium-driver', 'fonts-liberation'];

const isInstalledAt = (variable: string, path: string): boolean => existsSync(process.env[variable] || path);

/**
 * Provides a browser for the end-to-end tests: that of CHROME_BIN and CHROMEDRIVER_PATH, or Debian's, which root installs
 * with apt. Elsewhere WebdriverIO downloads one. Returns a line that says what was done.
 */
function ensureBrowser(): string {
  if (isInstalledAt('CHROME_BIN', BROWSER) && isInstalledAt('CHROMEDRIVER_PATH', DRIVER))
    return 'browser: installed';
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (!canInstall) {
    return 'browser: CHROME_BIN and CHROMEDRIVER_PATH are not set and Chromium is not installed; WebdriverIO downloads a browser (or run apt-get install chromium chromium-driver)';
  }
  process.stdout.write(`Installing ${PACKAGES.join(', ')} (apt-get)\n`);
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const isInstalled =
    apt('update', '-q') && apt('install', '-q', '-y', '--no-install-recommends', ...PACKAGES);
  return isInstalled
    ? 'browser: installed just now'
    : 'browser: apt-get failed; WebdriverIO tries to download one';
}
