import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { REPOSITORY } from './repository.ts';
import { watchTypes } from './typeErrors.ts';

// TypeScript reads its own libraries first, with a lower priority than everything else.
const LIMIT_MS = 180_000;
let folder: string;
beforeAll(() => {
  // Inside the repository, whose options it has.
  mkdirSync(join(REPOSITORY, '.cache'), { recursive: true });
  folder = mkdtempSync(join(REPOSITORY, '.cache/type-errors-'));
  mkdirSync(join(folder, 'package/src'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

it(
  'prints type errors by file and line while something else builds, and when they are gone',
  async () => {
    const source = join(folder, 'package/src/card.ts');
    writeFileSync(source, "\nexport const price: number = 'free';\n");
    const printed: string[] = [];
    const name = join(folder.slice(REPOSITORY.length), 'package').replace(/^\//, '');
    const types = watchTypes([name], { folder: join(folder, 'types'), print: (line) => printed.push(line) });
    try {
      for (let tries = 0; tries < LIMIT_MS / 100 && printed.length < 1; tries += 1) await wait(100);
      expect(printed[0]).toMatch(
        /^Type error: .*package\/src\/card\.ts:2:14: TS2322: Type 'string' is not assignable/,
      );
      writeFileSync(source, 'export const price: number = 1;\n');
      for (let tries = 0; tries < LIMIT_MS / 100 && printed.length < 2; tries += 1) await wait(100);
      expect(printed[1]).toBe('No type errors left.');
    } finally {
      types.close();
    }
  },
  2 * LIMIT_MS,
);
