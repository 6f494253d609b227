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

export interface Section {
  readonly name: string;
  run(signal: AbortSignal): Promise<SectionResult>;
}

const bin = (path: string): string => join(REPOSITORY, 'node_modules', path);
const CLEAN: SectionResult = { passed: 0, failed: 0 };
const BROKEN: SectionResult = { passed: 0, failed: 1 };

/** Runs scripts one after the other, all of them, whatever the first says. */
const checks =
  (...scripts: readonly (readonly [string, ...string[]])[]): Section['run'] =>
  async (signal) => {
    let isClean = true;
    for (const [script, ...args] of scripts)
      isClean = (await runVisibly(script, args, { signal })) && isClean;
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

const unit: Section['run'] = (signal) =>
  withFolder(async (folder) => {
    const results = join(folder, 'jest.json');
    const isClean = await runVisibly(
      bin('jest/bin/jest.js'),
      ['--json', `--outputFile=${results}`, '--silent'],
      { signal, nodeOptions: ['--experimental-vm-modules', '--no-warnings'], quiet: 'stdout' },
    );
    if (!existsSync(results)) return BROKEN;
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(results, 'utf8')) as {
      numPassedTests: number;
      numFailedTests: number;
    };
    return atLeastOne(isClean, { passed: numPassedTests, failed: numFailedTests });
  });

const e2e: Section['run'] = (signal) =>
  withFolder(async (folder) => {
    process.stdout.write(`${ensureBrowser()}\n`);
    const results = join(folder, 'wdio.txt');
    const isClean = await runVisibly(bin('@wdio/cli/bin/wdio.js'), ['run', 'infra/e2e/wdio.conf.ts'], {
      signal,
      environment: { E2E_RESULTS: results },
    });
    const lines = existsSync(results) ? readFileSync(results, 'utf8').split('\n') : [];
    const count = (outcome: string) => lines.filter((line) => line === outcome).length;
    return atLeastOne(isClean, { passed: count('passed'), failed: count('failed') });
  });

const build: Section['run'] = async (signal) => {
  await buildAll({
    signal,
    onPackage: (name, done, total) => process.stdout.write(`built ${name} (${done} of ${total})\n`),
  });
  return CLEAN;
};

/** Everything that `npm test` looks at, in this order: what is quick comes first. */
export const SECTIONS: readonly Section[] = [
  {
    name: 'lockfile',
    run: checks([join(REPOSITORY, 'infra/build/src/completeLockfile.ts'), '--check']),
  },
  {
    name: 'lint',
    run: checks(
      [bin('eslint/bin/eslint.js'), '.', '--max-warnings=0', '--cache', '--cache-location=.cache/eslint/'],
      [bin('prettier/bin/prettier.cjs'), '--check', '.', '--log-level=warn'],
    ),
  },
  { name: 'types', run: checks([bin('typescript/bin/tsc'), '--noEmit', '-p', 'tsconfig.json']) },
  { name: 'unit', run: unit },
  { name: 'build', run: build },
  { name: 'e2e', run: e2e },
  { name: 'spec', run: checks([join(REPOSITORY, 'infra/spec/coverage.ts')]) },
];

/** Sections that `--only <name>` brings along. */
export const NEEDED_BY: Readonly<Record<string, readonly string[]>> = { e2e: ['build'] };
