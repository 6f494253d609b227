import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browserBinaries.ts';
import { buildAll } from './buildAll.ts';
import { REPOSITORY } from './repository.ts';
import { runVisibly } from './runVisibly.ts';

/** What a section found. A check that holds no tests counts as none, and as one failure if it fails. */
export interface SectionResult {
  readonly passed: number;
  readonly failed: number;
}

interface SectionRun {
  readonly signal: AbortSignal;
  /** Takes what the section says, when it does not have the terminal to itself. */
  readonly print?: ((text: string) => void) | undefined;
}

export interface Section {
  readonly name: string;
  readonly run: (run: SectionRun) => Promise<SectionResult>;
}

const bin = (path: string): string => join(REPOSITORY, 'node_modules', path);
const CLEAN: SectionResult = { passed: 0, failed: 0 };
const BROKEN: SectionResult = { passed: 0, failed: 1 };

/** Runs scripts one after the other, all of them, whatever the first says. */
const checks =
  (...scripts: readonly (readonly [string, ...string[]])[]): Section['run'] =>
  async (run) => {
    let isClean = true;
    for (const [script, ...args] of scripts) isClean = (await runVisibly(script, args, run)) && isClean;
    return isClean ? CLEAN : BROKEN;
  };

/** Runs `run` with a folder for its results, which is gone afterwards. */
async function withFolder(run: (folder: string) => Promise<SectionResult>): Promise<SectionResult> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-test-'));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** At least one failure when the runner itself says so: a test file may die before it counts. */
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

/** Section after section; what needs one processor only shares the time of its stage. */
export type Lane = readonly Section[];
export type Stage = readonly Lane[];

/** Everything that `npm test` looks at, in this order: what is quick comes first. */
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

/** Sections that `--only <name>` brings along. */
export const NEEDED_BY: Readonly<Record<string, readonly string[]>> = { e2e: ['build'] };
