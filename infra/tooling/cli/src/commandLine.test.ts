import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import decodeQR from 'qr/decode.js';
import { readCommandLine } from './commandLine.ts';
import { forPhone, readHost } from './commands/dev.ts';
import { completions, COMMANDS, run } from './run.ts';

describe('command line', () => {
  it('takes empty variables for absent ones, as the services do', () => {
    const { access } = readCommandLine(['list'], { REGISTRY_TOKEN: '', REGISTRY_URL: '' });
    expect(access).toMatchObject({ token: undefined, registryUrl: 'http://localhost:4100' });
  });

  it.each(['-', '--'])("takes a public key that starts with '%s' for an argument", (start) => {
    const key = start.padEnd(43, 'A');
    const words = ['keys', 'add', 'sample', key];
    expect(readCommandLine([...words, '--json'], {})).toMatchObject({ args: words.slice(1), isJson: true });
    expect(readCommandLine(['keys', 'add', 'sample', '--', key], {}).args).toEqual(words.slice(1));
  });

  it.each(['nothing', 'constructor'])("refuses the unknown command '%s' with the usage", async (command) => {
    const printed: string[] = [];
    const print = (text: string) => void printed.push(text);
    expect(await run([command], {}, { out: print, err: print })).toBe(2);
    expect(printed.join('')).toContain(`no command '${command}'`);
  });
});

describe('completion', () => {
  it('offers every command and option, as the usage lists them', () => {
    const { commands, options } = completions();
    expect(commands).toEqual(Object.keys(COMMANDS).sort());
    expect(options).toEqual(expect.arrayContaining(['--json', '--why', '--registry', '--help']));
  });

  it('completes a command in bash', async () => {
    let script = '';
    const print = (text: string) => void (script += text);
    expect(await run(['completion', 'bash'], {}, { out: print, err: print })).toBe(0);
    const complete = (...words: string[]) => {
      const line = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _forecourt; echo "\${COMPREPLY[@]}"`;
      return promisify(execFile)('bash', ['-c', `${script}\n${line}`]).then(({ stdout }) => stdout.trim());
    };
    expect(await complete('forecourt', 'roll')).toBe('rollback');
    expect(await complete('forecourt', 'promote', 'mfe-results', '--skip')).toBe('--skip-gate');
  });

  it('refuses an unknown shell', async () => {
    const out = () => {};
    expect(await run(['completion', 'constructor'], {}, { out, err: out })).toBe(2);
  });
});

describe('failures with --json', () => {
  it.each([
    [['show', 'mfe-x', '--json', '--registry', 'http://127.0.0.1:9'], 1, 'UNREACHABLE'],
    [['canary', 'mfe-x', '1.0.0', '--json'], 2, 'USAGE'],
  ])('are an object with a code: %j', async (words, status, code) => {
    let printed = '';
    const err = (text: string) => void (printed += text);
    expect(await run(words, {}, { out: err, err })).toBe(status);
    expect(JSON.parse(printed)).toMatchObject({ error: { code } });
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

/** The picture of printed half blocks. */
function pictureOf(lines: readonly string[]) {
  const scale = 4;
  const [width, height] = [(lines[0] ?? '').length * scale, lines.length * 2 * scale];
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const row = Math.floor(y / scale);
      const block = lines[Math.floor(row / 2)]?.[Math.floor(x / scale)] ?? ' ';
      const isLight = block === '█' || block === (row % 2 === 0 ? '▀' : '▄');
      data.fill(isLight ? 255 : 0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  return { width, height, data };
}

describe('an address for a phone', () => {
  it('is printed as text and as a QR code that reads as the same', () => {
    const url = 'http://192.168.1.20:5001/cars-for-sale/all-cars';
    const lines = forPhone(url).split('\n');
    expect(lines[0]).toBe(url);
    expect(decodeQR(pictureOf(lines.filter((line) => /^[█▀▄ ]+$/.test(line))))).toBe(url);
  });

  it('must be one of this machine', () => {
    expect(readHost(undefined)).toBeUndefined();
    expect(() => readHost('203.0.113.7')).toThrow('--host must be an address of this machine');
    expect(() => readHost('0.0.0.0')).toThrow('--host must be an address of this machine');
  });
});
