import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { LEVEL_FIXTURES, FIXTURES, hasNamespaces, isolated, withStack } from './isolationLevels.ts';

const PROGRAM = join(import.meta.dirname, '../../../../shell/dist/program');

/** What `compose.release-host.yaml` gives the release host, by bubblewrap: a container engine is rarely at hand. */
const containerOf = (folder: string): readonly string[] => [
  ...['--die-with-parent', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--as-pid-1'],
  ...[
    '--hostname',
    'release',
    '--ro-bind',
    '/usr',
    '/usr',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--chdir',
    '/',
  ],
  ...['bin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
  ...['--ro-bind', process.execPath, '/node', '--ro-bind', PROGRAM, '/program', '--bind', folder, '/run'],
  ...['--cap-drop', 'ALL', ...CAPABILITIES.flatMap((name) => ['--cap-add', `CAP_${name}`]), '--clearenv'],
  ...['/node', '--disable-sigusr1', '/program/releaseHost.cjs', '/run/host.sock'],
];
/** Of the host's container: to run each release as a user of its own. */
const CAPABILITIES = process.getuid?.() === 0 ? ['SETUID', 'SETGID', 'SETPCAP', 'KILL'] : [];

/** Starts a release host before the tests around it, in a container or not; returns the shell's settings. */
function withReleaseHost(isContained: boolean): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-host-'));
  chmodSync(folder, 0o755);
  const socket = join(folder, 'host.sock');
  let end = () => {};
  before(async () => {
    const host = isContained
      ? spawn('bwrap', containerOf(folder), { stdio: ['ignore', 'pipe', 'inherit'] })
      : spawn(process.execPath, [join(PROGRAM, 'releaseHost.cjs'), socket], {
          env: {},
          stdio: ['ignore', 'pipe', 'inherit'],
        });
    end = () => void host.kill('SIGKILL');
    await once(host.stdout as NodeJS.ReadableStream, 'data');
  });
  after(() => {
    end();
    rmSync(folder, { recursive: true });
  });
  return { RELEASE_SANDBOX: 'container', RELEASE_HOST: socket };
}

if (hasNamespaces())
  describe('with a release host in a container', () => {
    isolated('container', withReleaseHost(true), LEVEL_FIXTURES);
  });
else it('stops hostile releases at the level container, which this machine does not support');

describe('with a release host outside of a container', () => {
  const readers = FIXTURES.filter(({ name }) => name === 'reads-the-host-name');
  withStack('a hostile release', withReleaseHost(false), readers, (runAttack) => {
    for (const hostile of readers)
      it('learns the name of the machine', async () => {
        assert.match((await runAttack(hostile)).shown.join(), /LOOT/);
      });
  });
});
