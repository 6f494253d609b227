import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCLI } from 'jest';
import type { Plan, PlanFiles } from './plan.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** One test file with a plan, sent by the parent process. */
export interface Task {
  readonly testFile: string;
  readonly plan: Plan;
  readonly log: string;
}

const [folder = ''] = process.argv.slice(2);

async function run({ testFile, plan, log }: Task): Promise<void> {
  const files: PlanFiles = { plan: join(folder, 'plan.json'), log };
  writeFileSync(files.plan, JSON.stringify(plan));
  const local = (file: string) => fileURLToPath(new URL(file, import.meta.url));
  const { default: projectConfig } = (await import(new URL('jest.config.mjs', `file://${ROOT}`).href)) as {
    default: Record<string, unknown>;
  };
  // Jest accepts these in the root configuration only.
  const { maxWorkers: _workers, workerIdleMemoryLimit: _limit, ...shared } = projectConfig;
  const config = {
    ...shared,
    rootDir: ROOT,
    // Only the file's folder is scanned; imports are resolved as always.
    roots: [join(ROOT, dirname(testFile))],
    testMatch: [join(ROOT, testFile)],
    cacheDirectory: join(ROOT, '.cache/mutate'),
    transform: { '^.+\\.(ts|tsx)$': local('jestTransform.mts') },
    setupFilesAfterEnv: [local('jestSetup.mts')],
    testRunner: local('jestRunner.mts'),
    globals: { mutation: files },
  };
  const options = { runInBand: true, silent: true, ci: true, watchman: false, reporters: [], _: [], $0: '' };
  const { results } = await runCLI({ config: JSON.stringify(config), ...options } as never, [ROOT]);
  // A mutant may break loading itself; the log then lacks an end.
  if (plan.mode !== 'coverage') return;
  const failure = results.testResults.find(({ testExecError }) => testExecError)?.testExecError;
  if (failure) throw new Error(`${testFile} does not run: ${failure.message}`);
  if (results.numTotalTestSuites === 0) throw new Error(`${testFile} is no test file`);
}

process.on('message', (task: Task) => {
  run(task).then(
    () => process.send?.({ type: 'done', memory: process.memoryUsage().rss }),
    (error: unknown) =>
      process.send?.({ type: 'failed', message: String(error), memory: process.memoryUsage().rss }),
  );
});
