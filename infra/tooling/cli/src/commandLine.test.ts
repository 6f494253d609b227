import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import decodeQR from 'qr/decode.js';
import { forPhone, readHost } from './commands/dev.ts';
import { describeCommands } from './commandTable.ts';
import { describeFailure, run } from './run.ts';
import { lineOf } from './testing/lineOf.ts';
import { runCommand } from './testing/runCommand.ts';

describe('command line', () => {
  it('takes empty variables for absent ones, as the services do', () => {
    const { access } = lineOf(['list'], { REGISTRY_TOKEN: '', REGISTRY_URL: '' });
    expect(access).toMatchObject({ token: undefined, registryUrl: 'http://localhost:4100' });
  });

  it.each(['-', '--'])("takes a public key that starts with '%s' for an argument", (start) => {
    const key = start.padEnd(43, 'A');
    const words = ['keys', 'add', 'sample', key];
    expect(lineOf([...words, '--json'])).toMatchObject({ args: words.slice(1), isJson: true });
    expect(lineOf(['keys', 'add', 'sample', '--', key]).args).toEqual(words.slice(1));
  });

  it.each([
    [['nothing'], "USAGE: no command 'nothing'; see `forecourt --help`"],
    [['constructor'], "USAGE: no command 'constructor'; see `forecourt --help`"],
    [['promot', 'sample'], "USAGE: no command 'promot' (Did you mean promote?); see `forecourt --help`"],
    [[], 'USAGE: a command is missing; see `forecourt --help`'],
    [
      ['canary', 'sample', '1.0.0', '5', '--minutes', '10'],
      "USAGE: unknown option '--minutes'; see `forecourt canary --help`",
    ],
    [
      ['credentials', 'create', 'ci', '--limit', '3'],
      "USAGE: unknown option '--limit'; see `forecourt credentials create --help`",
    ],
    [
      ['history', '--limt', '3'],
      "USAGE: unknown option '--limt' (Did you mean --limit?); see `forecourt history --help`",
    ],
    [
      ['log', '--verify', '--limit', '3'],
      "USAGE: option '--verify' cannot be used with option '--limit <N>'; see `forecourt log --help`",
    ],
    [
      ['keys', 'show'],
      'USAGE: keys needs list [REMOTE], generate FILE, add REMOTE PUBLIC_KEY, or remove REMOTE KEY_ID; see `forecourt keys --help`',
    ],
    [
      ['snapshot', 'spring'],
      'USAGE: snapshot needs save NAME [REMOTE@VERSION …], show NAME, or diff NAME [NAME]; see `forecourt snapshot --help`',
    ],
    [
      ['hold', 'sample', '--why'],
      "USAGE: option '--why <TEXT>' argument missing; see `forecourt hold --help`",
    ],
    [['canary', 'sample', '--why', 'x'], 'USAGE: --why and --skip-gate need VERSION PERCENT'],
  ])('refuses %j in one line', async (words, output) => {
    expect(await runCommand(words, {})).toEqual({ status: 2, output });
  });

  it('prints its version, and help of each command with its options only', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
      version: string;
    };
    expect(await runCommand(['--version'], {})).toEqual({ status: 0, output: version });
    const { output } = await runCommand(['canary', '--help'], {});
    expect(output).toMatch(
      /^Usage: forecourt canary REMOTE \[VERSION PERCENT\] \[options\]\n[^]*--skip-gate/,
    );
    expect(output).not.toContain('--minutes');
    expect((await runCommand(['snapshot', 'save', '--help'], {})).output).toContain('--yes');
  });

  it('reads options in front of a command, and repeated ones', () => {
    const words = ['credentials', 'create', 'ci', '--allow', 'a:publish', '--allow', 'b:canary,promote'];
    expect(lineOf(words).scopes).toEqual([
      { remote: 'a', actions: ['publish'] },
      { remote: 'b', actions: ['canary', 'promote'] },
    ]);
  });
});

describe('a failure of the system', () => {
  it('names a taken port and the option to choose another', async () => {
    const error = Object.assign(new Error('listen EADDRINUSE: address already in use'), {
      code: 'EADDRINUSE',
      port: 5001,
    });
    expect(describeFailure(error)).toEqual({
      code: 'PORT_TAKEN',
      message: 'another program serves on port 5001; end it, or choose another port with --port',
    });
  });

  it('names the file, and what to do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'forecourt-key-'));
    const file = join(folder, 'key.pem');
    writeFileSync(file, '');
    expect(await runCommand(['keys', 'generate', file], {})).toEqual({
      status: 1,
      output: `EEXIST: ${file}: it exists and is not replaced; choose another name`,
    });
    rmSync(folder, { recursive: true });
  });
});

describe('a reader that has seen enough', () => {
  it('does not make a command fail', async () => {
    const bin = join(import.meta.dirname, '../bin/forecourt.mjs');
    const pipe = `set -o pipefail; node ${bin} completion bash | true`;
    await expect(promisify(execFile)('bash', ['-c', pipe])).resolves.toMatchObject({ stderr: '' });
  });
});

describe('completion', () => {
  it('offers every command with its options', () => {
    const commands = describeCommands();
    expect(Object.keys(commands)).toEqual(expect.arrayContaining(['pack', 'canary', 'credentials create']));
    expect(commands['canary']).toEqual(['--registry', '--why', '--skip-gate', '--json', '--help']);
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
    expect(await complete('forecourt', 'rollback', 'mfe-results', '--skip')).toBe('');
    expect(await complete('forecourt', 'credentials', 'ex')).toBe('exchange');
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
