import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX_LEVELS, type SandboxLevel } from './sandbox.ts';

jest.setTimeout(60_000);

const directory = mkdtempSync(join(tmpdir(), 'inherited-'));
afterAll(() => rmSync(directory, { recursive: true }));
chmodSync(directory, 0o755);

/** Tells what a release could find out about the machine and what its process inherited. */
const program = join(directory, 'program.cjs');
writeFileSync(
  program,
  `const { openSync, readFileSync, writeSync } = require('node:fs');
  const attempt = (read) => { try { return read() } catch (error) { return 'refused' } };
  const os = attempt(() => require('node:os'));
  writeSync(3, JSON.stringify({
    environment: Object.keys(process.env).sort(),
    folder: attempt(() => process.cwd()),
    terminal: attempt(() => openSync('/dev/tty')) === 'refused' ? 'none' : 'a terminal',
    secret: attempt(() => readFileSync('/proc/self/environ', 'utf8')).includes('SECRET'),
    group: attempt(() => readFileSync('/proc/self/cgroup', 'utf8')),
    kernel: os === 'refused' ? os : attempt(() => os.release()),
    load: os === 'refused' ? os : attempt(() => os.loadavg()),
    memory: os === 'refused' ? os : attempt(() => [os.totalmem(), os.freemem()]),
    parameter: attempt(() => readFileSync('/proc/sys/kernel/osrelease', 'utf8')),
  }) + '\\n');
  setInterval(() => {}, 1000);`,
  { mode: 0o644 },
);

interface View {
  readonly told: Readonly<Record<string, unknown>>;
  readonly kernel: Readonly<Record<string, unknown>>;
}

const hasBubblewrap = (() => {
  try {
    execFileSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
const LEVELS = SANDBOX_LEVELS.filter((level) => level === 'process' || hasBubblewrap);

/** A careless way to start a shell: any signal ignored, no umask, secrets in its environment, in an open terminal. */
const INHERIT = `trap '' HUP INT QUIT USR1 USR2 TERM CHLD; umask 0; cd ${directory}; export VAULT_TOKEN=SECRET; exec "$@"`;

/** What the program finds when a shell was started like that, in the sandbox and without one. */
function lookFromInside(level: SandboxLevel): { readonly inside: View; readonly outside: View } {
  const result = join(directory, `${level}.json`);
  const start = join(import.meta.dirname, 'testing/inheritedFromShell.ts');
  const command = [process.execPath, '--no-warnings', start, level, program, result];
  const quoted = ['bash', '-c', INHERIT, 'bash', ...command].map(
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  );
  // A terminal of its own, which everything that it starts inherits.
  execFileSync('script', ['--quiet', '--return', '--command', quoted.join(' '), '/dev/null'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return JSON.parse(readFileSync(result, 'utf8')) as { inside: View; outside: View };
}

/** SIGPIPE and SIGXFSZ, as Node itself sets them, and SIGUSR1, which would open its debugger. */
const IGNORED_BY_NODE = 0x1001000n;
const BLOCKED_BY_NODE = 0x200n;

// Signals, terminals and control groups are looked up in /proc.
(process.platform === 'linux' ? describe : describe.skip).each(LEVELS)(
  'at the level %s, a release’s process of a shell that was started carelessly',
  (level) => {
    let inside: View;
    let outside: View;
    beforeAll(() => {
      ({ inside, outside } = lookFromInside(level));
    });

    it('has an environment of its own', () => {
      // bwrap names the folder, which is the root.
      const own = ['NODE_ENV', ...(level === 'namespaces' ? ['PWD'] : []), 'TZ', 'UV_THREADPOOL_SIZE'];
      expect(inside.told).toMatchObject({ environment: own, secret: false });
      expect((inside.kernel['environment'] as string[]).filter((name) => !own.includes(name))).toEqual([]);
      expect(outside.told).toMatchObject({
        environment: expect.arrayContaining(['VAULT_TOKEN']),
        secret: true,
      });
    });

    it('has no controlling terminal, and a session of its own', () => {
      expect(inside.told).toMatchObject({ terminal: 'none' });
      expect(inside.kernel).toMatchObject({ terminal: 'none', session: 'its own' });
      expect(outside.told).toMatchObject({ terminal: 'a terminal' });
      expect(outside.kernel).toMatchObject({ terminal: 'a terminal', session: 'the shell’s' });
    });

    it('is in the root folder', () => {
      expect(inside.told).toMatchObject({ folder: '/' });
      expect(inside.kernel).toMatchObject({ folder: '/' });
      expect(outside.told).toMatchObject({ folder: directory });
    });

    it('creates files for its own user only', () => {
      expect(inside.kernel).toMatchObject({ umask: '0077' });
    });

    it('ignores and blocks no signal that the shell was told to ignore', () => {
      expect(BigInt(`0x${String(inside.kernel['ignoredSignals'])}`) & ~IGNORED_BY_NODE).toBe(0n);
      expect(BigInt(`0x${String(inside.kernel['blockedSignals'])}`) & ~BLOCKED_BY_NODE).toBe(0n);
    });

    it('does not learn its control group', () => {
      expect(inside.told).toMatchObject({ group: 'refused' });
      expect(outside.told).toMatchObject({ group: expect.stringContaining('::/') });
    });

    if (level === 'namespaces')
      it('learns neither load and memory of the machine nor its parameters, but the version of its kernel', () => {
        expect(inside.told).toMatchObject({ load: [0, 0, 0], memory: [0, 0], parameter: 'refused' });
        expect(outside.told).toMatchObject({
          memory: [expect.any(Number), expect.any(Number)],
          parameter: expect.stringMatching(/^\d+\./),
        });
        expect(outside.told['memory']).not.toEqual([0, 0]);
        // Linux has no namespace for it, and Node needs the call.
        expect(inside.told['kernel']).toBe(outside.told['kernel']);
      });
  },
);
