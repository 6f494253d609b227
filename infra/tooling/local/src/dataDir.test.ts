import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockDataDir } from './dataDir.ts';
import { removeDataDir } from './stack.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-local-'));
});
afterEach(() => removeDataDir(folder));

describe('lockDataDir', () => {
  it('rejects a folder that a running process has locked', () => {
    const unlock = lockDataDir(folder);
    expect(() => lockDataDir(folder)).toThrow(expect.objectContaining({ code: 'DATA_DIR_IN_USE' }));
    unlock();
    lockDataDir(folder)();
  });

  it('says which folder is read-only, of which the system says that the new one is missing', () => {
    // Nobody can create folders there.
    expect(() => lockDataDir('/proc/forecourt/data')).toThrow(
      expect.objectContaining({
        code: 'DATA_DIR_REFUSED',
        message:
          "/proc/forecourt can't be created, because /proc is read-only: set DATA_DIR to another folder.",
      }),
    );
  });

  it('replaces the lock of a dead process', () => {
    writeFileSync(join(folder, 'stack.pid'), '99999999\n');
    lockDataDir(folder);
    expect(readFileSync(join(folder, 'stack.pid'), 'utf8')).toBe(`${process.pid}\n`);
  });
});
