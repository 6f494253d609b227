import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { tellUnwatchedChanges } from './unwatchedChanges.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'forecourt-unwatched-'));
  for (const folder of ['shell/src', 'mfe-x/src', 'mfe-x/dist'])
    mkdirSync(join(root, folder), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

it('tells once of a source from which nothing is built, and of nothing else', async () => {
  const told: string[] = [];
  const stop = tellUnwatchedChanges(root, ['shell', 'mfe-x'], {
    isWatched: (path) => path === join(root, 'mfe-x/src/card.tsx'),
    tell: (path) => told.push(path),
  });
  try {
    for (const path of [
      'mfe-x/src/card.tsx',
      'mfe-x/src/card.test.tsx',
      'mfe-x/dist/x.js',
      'shell/src/a.ts',
      'shell/src/a.ts',
    ])
      writeFileSync(join(root, path), String(told.length));
    for (let tries = 0; tries < 50 && told.length < 1; tries += 1) await wait(100);
    await wait(200);
  } finally {
    stop();
  }
  expect(told).toEqual(['shell/src/a.ts']);
});
