import { afterAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directory = mkdtempSync(join(tmpdir(), 'descriptors-'));
afterAll(() => rmSync(directory, { recursive: true }));
chmodSync(directory, 0o755);

const secret = join(directory, 'secret');
const file = join(directory, 'file');
const program = join(directory, 'program.cjs');
writeFileSync(secret, 'SECRET');
/** Reads from, and writes to, every descriptor but the channel. */
writeFileSync(
  program,
  `const { readSync, writeSync } = require('node:fs');
  const found = [];
  for (let fd = 4; fd < 256; fd += 1) {
    const bytes = Buffer.alloc(100);
    try {
      const length = readSync(fd, bytes, 0, 100, 0);
      if (length) found.push(fd + ' ' + bytes.toString('utf8', 0, length));
    } catch {}
    try { writeSync(fd, 'WRITTEN'); } catch {}
  }
  writeSync(3, found.join('\\n') || 'nothing');`,
  { mode: 0o644 },
);

const hasBubblewrap = (() => {
  try {
    execFileSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

// Descriptors below 16, which Node itself closes, above the first gap, and far above.
const INHERIT = 'exec 9<"$1" 24<"$1" 63<"$1" 200<"$1" 25>>"$2"; shift 2; exec "$@"';

describe('a release’s process of a shell that inherited secrets and a file to write', () => {
  it.each(['process', ...(hasBubblewrap ? ['namespaces'] : [])])(
    'gets none of them at the level %s',
    (level) => {
      writeFileSync(file, '');
      const start = join(import.meta.dirname, 'testing/startFromShell.ts');
      const command = [process.execPath, '--no-warnings', start, level, program, file];
      const output = execFileSync('bash', ['-c', INHERIT, 'bash', secret, file, ...command], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const { inside, outside } = JSON.parse(output) as Record<string, { read: string; written: string }>;
      expect(inside).toEqual({ read: 'nothing', written: '' });
      // They were there.
      expect(outside?.read.split('\n')).toEqual(expect.arrayContaining(['63 SECRET', '200 SECRET']));
      expect(outside?.written).toContain('WRITTEN');
    },
  );
});
