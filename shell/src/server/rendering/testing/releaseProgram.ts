import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../../../../..');

/**
 * Builds the program of a release's process into a folder of its own inside the repository, where
 * it finds the libraries. Works whether or not the shell has been built.
 */
export async function buildReleaseProgram(): Promise<{ file: string; remove: () => Promise<void> }> {
  const cache = join(repository, '.cache');
  await mkdir(cache, { recursive: true });
  const output = await mkdtemp(join(cache, 'program-'));
  // The sandbox may read it as another user.
  await chmod(output, 0o755);
  const builder = join(repository, 'infra/tooling/build/src/compileReleaseProgram.ts');
  await promisify(execFile)(process.execPath, ['--no-warnings', builder, output], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
  });
  return { file: join(output, 'release.cjs'), remove: () => rm(output, { recursive: true, force: true }) };
}
