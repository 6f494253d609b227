import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleRelease, temporaryDirectory, writeRelease } from '@forecourt/release-kit/testing';
import { startTestRegistry, storedFile, type TestRegistry } from '@forecourt/remote-registry/testing';
import { runCommand } from './testing/runCommand.ts';

const program = fileURLToPath(new URL('../bin/forecourt.mjs', import.meta.url));

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

const cli = (args: string[], registryUrl = registry.url, token?: string) =>
  runCommand(args, { REGISTRY_URL: registryUrl, REGISTRY_TOKEN: token });

describe('the program', () => {
  const start = promisify(execFile);

  it('exits with 0 and a result, or with 2 when the arguments are invalid', async () => {
    const env = { PATH: process.env['PATH'], REGISTRY_URL: registry.url };
    const [help, wrong] = await Promise.allSettled(
      [['--help'], ['deploy']].map((words) => start(process.execPath, [program, ...words], { env })),
    );
    expect(help).toMatchObject({ status: 'fulfilled', value: { stdout: expect.stringMatching(/^Usage/i) } });
    expect(wrong).toMatchObject({
      status: 'rejected',
      reason: { code: 2, stdout: '', stderr: expect.stringMatching(/^USAGE: no command 'deploy'/) },
    });
  });
});

describe('the command line', () => {
  it('publishes, promotes, lists, and prints errors', async () => {
    expect(await cli(['publish', build.path])).toEqual({ status: 0, output: 'published sample@1.0.0' });
    expect(await cli(['publish', build.path])).toEqual({
      status: 1,
      output:
        'RELEASE_EXISTS: sample@1.0.0 is already published, with the same files; a release never changes',
    });
    expect(await cli(['promote', 'sample@1.0.0'])).toEqual({
      status: 0,
      output: 'sample: live 1.0.0 (revision 1)',
    });
    expect((await cli(['list'])).output).toMatch(/^sample@1\.0\.0 .* live$/);
    expect((await cli(['rollback', 'sample'])).output).toMatch(/^NO_PREVIOUS_RELEASE: .+$/);
  });

  it('accepts remote and version as two arguments, shows a release, lists the history, and prints JSON', async () => {
    const release = sampleRelease({ version: '1.1.0' });
    const next = await temporaryDirectory();
    await writeRelease(next.path, release);
    await cli(['publish', next.path]);
    await next.remove();
    expect(await cli(['canary', 'sample', '1.1.0', '2.5', '--why', 'a new heading'])).toEqual({
      status: 0,
      output: 'sample: live 1.0.0, canary 1.1.0 at 2.5 % (revision 2)',
    });
    expect((await cli(['canary', 'sample'])).output).toMatch(
      /^sample: canary 1\.1\.0 at 2\.5 % against live 1\.0\.0; .*\nno outcome yet: not enough evidence yet: wait; a larger share takes less time$/,
    );
    expect((await cli(['show', 'sample', '1.1.0'])).output).toMatch(
      /^sample@1\.1\.0, built for slots 1\.0\.0; .*canary 1\.1\.0[^]*slot panel: .* needs search\.listings/,
    );
    expect((await cli(['history', 'sample'])).output).toMatch(
      /^2 {2}\S+ {2}local {2}canary sample: live 1\.0\.0 -> live 1\.0\.0, canary 1\.1\.0 at 2\.5 % {2}\(a new heading\)\n1 {2}/,
    );
    expect(JSON.parse((await cli(['list', '--json'])).output)).toMatchObject({
      releases: [
        { version: '1.1.0', role: 'canary', weight: 2.5 },
        { version: '1.0.0', role: 'live', weight: null },
      ],
    });
    expect(JSON.parse((await cli(['promote', 'sample', '--json'])).output)).toEqual({
      remote: 'sample',
      revision: 3,
      pointer: { live: '1.1.0' },
    });
    expect((await cli(['hold', 'sample', '--why', 'an incident'])).output).toMatch(
      /^sample: live 1\.1\.0 \(revision \d\); held: an incident$/,
    );
    expect((await cli(['resume', 'sample'])).output).toMatch(
      /^sample: live 1\.1\.0 \(revision \d\); not held$/,
    );
    expect((await cli(['gc'])).output).toBe('nothing to remove');
  });

  it('creates, lists, rotates and revokes credentials', async () => {
    const words = ['credentials', 'create', 'sample-ci', '--allow', 'sample:canary,promote', '--days', '30'];
    expect((await cli(words)).output).toMatch(
      /^sample-ci: canary, promote sample; by local at [^]*\nfrc_\S{43}$/,
    );
    expect((await cli(['credentials'])).output).toMatch(/^sample-ci: .*, until /);
    const { token } = JSON.parse((await cli(['credentials', 'rotate', 'sample-ci', '--json'])).output) as {
      token: string;
    };
    const as = (args: string[]) => cli(args, registry.url, token);
    expect((await as(['promote', 'sample', '1.1.0'])).status).toBe(0);
    expect(await as(['rollback', 'sample'])).toEqual({
      status: 1,
      output:
        'FORBIDDEN: credential sample-ci does not allow rollback sample; it allows canary, promote sample',
    });
    expect((await as(['doctor'])).output).toContain('you are sample-ci and may canary, promote sample');
    expect(await cli(['credentials', 'revoke', 'sample-ci'])).toEqual({
      status: 0,
      output: 'revoked sample-ci',
    });
    expect((await as(['promote', 'sample', '1.1.0'])).output).toMatch(/^UNAUTHORIZED: this token is unknown/);
  });

  it('ends dev in a folder without slots, which would never have a build', async () => {
    expect(await cli(['dev', build.path, '--shell', 'http://127.0.0.1:9'])).toEqual({
      status: 2,
      output: `USAGE: ${build.path} is not a remote, it has no folder src/slots: name the folder of one`,
    });
  });

  it('checks registry, token and every live file with doctor', async () => {
    const { status, output } = await cli(['doctor']);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/^(?:ok .*\n?)+$/) });
    const [folder] = await readdir(join(registry.dataDir, 'registry/files/sample'));
    const damaged = { name: 'sample', version: folder!, path: 'web/panel.css' };
    await writeFile(await storedFile(registry, damaged), 'a{}');
    const live = (await cli(['show', 'sample', '--json'])).output;
    await cli(['promote', 'sample', folder!]);
    const sick = await cli(['doctor']);
    expect(sick.status).toBe(1);
    expect(live).toContain('"live"');
    expect((await cli(['doctor', '--shell', 'http://127.0.0.1:9'])).status).toBe(1);
  });

  describe('log --verify', () => {
    let own: TestRegistry;
    /** 1.0.0 was live before 1.1.0, 1.2.0 is the canary, and 0.9.0 was never live. */
    beforeAll(async () => {
      own = await startTestRegistry();
      for (const version of ['0.9.0', '1.0.0', '1.1.0', '1.2.0']) {
        const folder = await temporaryDirectory();
        await writeRelease(folder.path, sampleRelease({ version }));
        await cli(['publish', folder.path], own.url);
        await folder.remove();
      }
      for (const words of ['promote 1.0.0', 'promote 1.1.0', 'promote 1.2.0', 'rollback', 'canary 1.2.0 5']) {
        const [verb = '', ...rest] = words.split(' ');
        expect((await cli([verb, 'sample', ...rest], own.url)).status).toBe(0);
      }
    });
    afterAll(() => own.stop());
    const verify = () => cli(['log', '--verify'], own.url);

    it('says which files it verified', async () => {
      expect(await verify()).toEqual({
        status: 0,
        output: expect.stringMatching(
          /^12 files are as they were published: sample@1\.1\.0 \(live\), sample@1\.2\.0 \(canary\), sample@1\.0\.0 \(previous\)\nthe log is intact; its head is \d+:[0-9a-f]{64}$/,
        ),
      });
    });

    it.each([
      ['live', '1.1.0', 'web/panel.css', 'changed'],
      ['live', '1.1.0', 'web/icon.svg', 'changed'],
      ['live', '1.1.0', 'node/remoteEntry.js', 'longer'],
      ['live', '1.1.0', 'web/remoteEntry.js', 'missing'],
      ['live', '1.1.0', 'web/remoteEntry.js.br', 'changed'],
      ['canary', '1.2.0', 'web/panel.css', 'changed'],
      ['previous', '1.0.0', 'web/panel.css', 'changed'],
    ])('names the file of the %s release %s: %s, %s', async (_, version, path, change) => {
      const file = await storedFile(own, { name: 'sample', version, path });
      const bytes = await readFile(file);
      const content = { changed: Buffer.alloc(bytes.length, 'x'), longer: Buffer.concat([bytes, bytes]) }[
        change
      ];
      await (content ? writeFile(file, content) : rm(file));
      const { status, output } = await verify();
      await writeFile(file, bytes);
      expect({ status, output }).toEqual({
        status: 1,
        output: expect.stringMatching(`^sample@${version}: ${path.replace(/\.br$/, '')} [^\n]+$`),
      });
      expect((await verify()).status).toBe(0);
    });

    it('does not claim to have verified a release that no visitor gets', async () => {
      const file = await storedFile(own, { name: 'sample', version: '0.9.0', path: 'web/panel.css' });
      await writeFile(file, 'a{}');
      const { status, output } = await verify();
      expect(status).toBe(0);
      expect(output).not.toContain('0.9.0');
    });
  });

  it('exits with 2 for invalid arguments and with 1 when the registry is unreachable', async () => {
    for (const words of [
      ['deploy', 'sample'],
      [],
      ['rollback', 'sample', '1.0.0'],
      ['promote', 'sample', '1.0.0', 'now'],
      ['list', '--colour'],
      ['history', '--limit', 'many'],
    ])
      expect((await cli(words)).status).toBe(2);
    for (const words of [
      ['credentials', 'create', 'ci'],
      ['credentials', 'create', 'ci', '--allow', 'sample:deploy'],
      ['credentials', 'destroy', 'ci'],
      ['credentials', 'revoke'],
    ])
      expect((await cli(words)).status).toBe(2);
    expect((await cli(['--help'])).status).toBe(0);
    expect(await cli(['canary', 'sample@1.0.0', 'five'])).toEqual({
      status: 2,
      output: 'USAGE: canary needs REMOTE VERSION PERCENT, the last a number from 0 to 100',
    });
    expect(await cli(['promote', 'sample@latest'])).toMatchObject({ status: 2 });
    const unreachable = await cli(['list'], 'http://127.0.0.1:9');
    expect(unreachable.status).toBe(1);
    expect(unreachable.output).toMatch(/^UNREACHABLE: http:\/\/127\.0\.0\.1:9 does not respond \(.+\)$/);
  });
});
