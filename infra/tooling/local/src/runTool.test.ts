import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runVisibly } from './runTool.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-run-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // Without a parent that waits for it, an ended process stays listed.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

describe('runVisibly', () => {
  it('leaves no process running when it is stopped, not even one that ignores the signal', async () => {
    const script = join(folder, 'parent.cjs');
    writeFileSync(
      script,
      `const { spawn } = require('node:child_process');
      const stubborn = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.send('ready')"], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      stubborn.on('message', () => console.log(process.pid + ' ' + stubborn.pid));
      setInterval(() => {}, 1000);`,
    );
    let printed = '';
    const stopping = new AbortController();
    const run = runVisibly(script, [], { signal: stopping.signal, print: (text) => (printed += text) });
    const settled = expect(run).rejects.toMatchObject({ code: 'STOPPED' });
    while (!printed.endsWith('\n')) await wait(20);
    const started = printed.split(' ').map(Number);
    const wereRunning = started.map(isRunning);
    stopping.abort();
    await settled;
    expect([wereRunning, started.map(isRunning)]).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('passes the output on, and resolves with whether the script succeeded', async () => {
    let printed = '';
    const script = join(folder, 'fails.cjs');
    writeFileSync(script, "console.log('one'); process.exitCode = 3;");
    const { signal } = new AbortController();
    expect(await runVisibly(script, [], { signal, print: (text) => (printed += text) })).toBe(false);
    expect(printed).toBe('one\n');
  });
});
