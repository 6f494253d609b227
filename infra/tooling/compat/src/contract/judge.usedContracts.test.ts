import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { usedContracts } from './judge.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-used-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

describe('usedContracts', () => {
  it('collects imported values under their exported names', () => {
    write('a.tsx', "import { Button as B, type ButtonProps } from 'ui'; export const x = <B />;");
    write('deep/b.ts', "import type { Listing } from 'ui'; export { Dialog } from 'ui';");
    expect([...(usedContracts(folder).exports.get('ui') ?? [])].sort()).toEqual(['Button', 'Dialog']);
  });

  it('collects properties that are read or destructured', () => {
    write('a.ts', 'export const f = (s) => { const { wallet: w, flags } = s.session; return [w, flags]; };');
    expect(usedContracts(folder).properties).toEqual(new Set(['session', 'wallet', 'flags']));
  });

  it('ignores imports of tests and scenarios', () => {
    write('a.test.tsx', "import { mountScenario } from 'testing';");
    write('scenarios.ts', "import { buildState } from 'testing';");
    write('testing/mount.tsx', "import { mountInTestShell } from 'testing';");
    expect(usedContracts(folder).exports.size).toBe(0);
  });
});
