import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../../../..');

/**
 * Builds the worker file into a folder of its own inside the repository, where
 * it finds the libraries. Works whether or not the shell has been built.
 */
export async function buildWorkerFile(): Promise<{ file: string; remove: () => Promise<void> }> {
  const cache = join(repository, '.cache');
  await mkdir(cache, { recursive: true });
  const output = await mkdtemp(join(cache, 'worker-'));
  const builder = join(repository, 'infra/tooling/build/src/compileWorker.ts');
  await promisify(execFile)(process.execPath, ['--no-warnings', builder, output], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
  });
  return { file: join(output, 'worker.cjs'), remove: () => rm(output, { recursive: true, force: true }) };
}
