import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestRegistry, type TestRegistry } from './http/testApp.ts';
import { sampleRelease, temporaryDirectory, writeRelease } from './testing.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('./cli.ts', import.meta.url));

let registry: TestRegistry;
let build: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  registry = await startTestRegistry();
  build = await temporaryDirectory();
  await writeRelease(build.path, sampleRelease());
});
afterAll(async () => {
  await registry.stop();
  await build.remove();
});

/** The program's exit status and what it said, on one line or more. */
const cli = async (args: string[], registryUrl = registry.url) => {
  const env = { PATH: process.env['PATH'], REGISTRY_URL: registryUrl };
  try {
    const { stdout } = await run(process.execPath, [program, ...args], { env });
    return { status: 0, said: stdout.trim() };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { status: code, said: stderr.trim() };
  }
};

describe('the command line', () => {
  it('publishes, promotes, lists and says why it cannot', async () => {
    expect(await cli(['publish', build.path])).toEqual({ status: 0, said: 'published sample@1.0.0' });
    expect(await cli(['publish', build.path])).toEqual({
      status: 1,
      said: 'RELEASE_EXISTS: sample@1.0.0 is already published, with the same files; a release never changes',
    });
    expect(await cli(['promote', 'sample@1.0.0'])).toEqual({
      status: 0,
      said: 'sample: live 1.0.0 (revision 1)',
    });
    expect((await cli(['list'])).said).toMatch(/^sample@1\.0\.0 .* live$/);
    expect((await cli(['rollback', 'sample'])).said).toMatch(/^NO_PREVIOUS_RELEASE: .+$/);
  }, 30_000);

  it('exits with 2 on a wrong command line and with 1 when nobody answers', async () => {
    expect((await cli(['deploy', 'sample'])).status).toBe(2);
    expect(await cli(['canary', 'sample@1.0.0', 'five'])).toEqual({
      status: 2,
      said: 'PERCENT must be a number from 0 to 100',
    });
    expect(await cli(['promote', 'sample@latest'])).toMatchObject({ status: 2 });
    const unreachable = await cli(['list'], 'http://127.0.0.1:9');
    expect(unreachable.status).toBe(1);
    expect(unreachable.said).toMatch(/^UNREACHABLE: http:\/\/127\.0\.0\.1:9 does not answer \(.+\)$/);
  }, 30_000);
});
