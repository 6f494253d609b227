import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { readCommandLine } from './commandLine.ts';
import { run } from './run.ts';

describe('command line', () => {
  it('takes empty variables for absent ones, as the services do', () => {
    const { access } = readCommandLine(['list'], { REGISTRY_TOKEN: '', REGISTRY_URL: '' });
    expect(access).toMatchObject({ token: undefined, registryUrl: 'http://localhost:4100' });
  });

  it.each(['nothing', 'constructor'])("refuses the unknown command '%s' with the usage", async (command) => {
    const printed: string[] = [];
    const print = (text: string) => void printed.push(text);
    expect(await run([command], {}, { out: print, err: print })).toBe(2);
    expect(printed.join('')).toContain(`no command '${command}'`);
  });
});

describe('forecourt-build', () => {
  it('refuses a version that is not semantic before it builds, in one line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'forecourt-version-'));
    const bin = join(import.meta.dirname, '../../build/bin/forecourt-build.mjs');
    const built = promisify(execFile)(process.execPath, [bin, '--version', '1.5'], { cwd: folder });
    await expect(built).rejects.toMatchObject({
      stderr: "--version must be a semantic version of three numbers, like 1.5.0, not '1.5'\n",
    });
    rmSync(folder, { recursive: true });
  });
});
