import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ROOT } from '../coverage.ts';
import type { Mutant } from './mutants.ts';

/** A test that passes, with the units of the sources that it reaches, as 'path#start'. */
export interface CoveredTest {
  /** Full name, with those of its describe blocks. */
  readonly name: string;
  readonly units: ReadonlySet<string>;
  readonly file: TestFile;
}

export interface TestFile {
  readonly path: string;
  /** Units that loading the file reaches. */
  readonly loaded: ReadonlySet<string>;
  readonly tests: CoveredTest[];
  /** How long it all took, with loading and hooks. */
  readonly milliseconds: number;
}

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const local = (file: string) => fileURLToPath(new URL(file, import.meta.url));

interface JestFileResult {
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
}
interface Recording {
  readonly loaded: readonly string[];
  readonly tests: readonly (readonly [name: string, units: readonly string[]])[];
}

/** Runs Jest on one test file in a process that is killed after `limitMs`; returns the names of the tests that pass. */
async function runJest(
  testFile: string,
  limitMs: number,
  options: readonly string[],
  mutant?: Partial<Mutant>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'));
  const [output, units] = [join(folder, 'output.json'), join(folder, 'units.json')];
  const read = (file: string): unknown =>
    existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const project = (await import(pathToFileURL(join(ROOT, 'jest.config.mjs')).href)) as { default: object };
  const config = {
    ...project.default,
    rootDir: ROOT,
    // Only the file's folder is scanned; imports are resolved as always.
    roots: [join(ROOT, dirname(testFile))],
    testMatch: [join(ROOT, testFile)],
    cacheDirectory: join(ROOT, '.cache/mutate'),
    transform: { '^.+\\.(ts|tsx)$': local('jestTransform.mts') },
    setupFilesAfterEnv: mutant ? [] : [local('recordUnits.ts')],
  };
  const quiet = ['--runInBand', '--silent', '--ci', '--watchman=false', '--json', '--outputFile', output];
  const command = [
    '--experimental-vm-modules',
    '--no-warnings',
    jest,
    '--config',
    JSON.stringify(config),
    ...quiet,
  ];
  const env = { ...process.env, RECORDING: units, ...(mutant && { MUTANT: JSON.stringify(mutant) }) };
  const child = spawn(process.execPath, [...command, ...options], { stdio: 'ignore', cwd: ROOT, env });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  // Nothing is written by a process that was killed.
  const { testResults = [] } = (read(output) ?? {}) as { testResults?: JestFileResult[] };
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const recording = read(units) as Recording | undefined;
  rmSync(folder, { recursive: true });
  const passing = results.flatMap(({ fullName, status }) => (status === 'passed' ? fullName : []));
  return { passing: new Set(passing), recording };
}

const COVERAGE_MS = 240_000;

/** Which units loading a file and each of its tests reach. */
export async function readCoverage(path: string): Promise<TestFile> {
  const startedAt = performance.now();
  const { passing, recording } = await runJest(path, COVERAGE_MS, []);
  if (passing.size === 0 || !recording) throw new Error(`${path} does not run`);
  const milliseconds = performance.now() - startedAt;
  const file: TestFile = { path, loaded: new Set(recording.loaded), tests: [], milliseconds };
  for (const [name, units] of recording.tests)
    if (passing.has(name)) file.tests.push({ name, units: new Set(units), file });
  return file;
}

/** Which of the named tests fail, with a mutant or without; all, if the file doesn't load or hangs. */
export async function failingTests(
  file: TestFile,
  names: readonly string[],
  mutant?: Mutant,
): Promise<string[]> {
  const escaped = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const pattern = ['--testNamePattern', `^(?:${escaped.join('|')})$`];
  const { passing } = await runJest(file.path, 20_000 + 4 * file.milliseconds, pattern, mutant ?? {});
  return names.filter((name) => !passing.has(name));
}
