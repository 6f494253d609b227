import vm from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { requireNode } from './defineShell.ts';

/** Runs the check with a fake process of the given version, and a program after it. */
function runOn(version: string) {
  const printed: string[] = [];
  const exit = (status: number) => {
    throw new Error(`exit ${status}`);
  };
  const process = {
    version: `v${version}`,
    versions: { node: version },
    stderr: { write: (text: string) => printed.push(text) },
    exit,
  };
  const run = () => vm.runInNewContext(`${requireNode('shell')}\n'started'`, { process }) as unknown;
  return { run, printed };
}

describe('start of the shell', () => {
  it.each(['18.20.0', '20.19.0', '22.18.0'])(
    'ends with one line that says what to do on Node %s',
    (version) => {
      const { run, printed } = runOn(version);
      expect(run).toThrow('exit 1');
      expect(printed).toEqual([
        `shell: needs Node 24 or newer, this is v${version}: install it from https://nodejs.org, or use node_modules/.bin/node\n`,
      ]);
    },
  );

  it.each(['24.0.0', '26.1.0'])('goes on with Node %s', (version) => {
    const { run, printed } = runOn(version);
    expect(run()).toBe('started');
    expect(printed).toEqual([]);
  });
});
