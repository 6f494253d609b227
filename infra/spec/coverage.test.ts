import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { formatTable, measureCoverage } from './report.ts';
import { parseRequirements } from './requirements.ts';
import { citedIds, testTitles } from './titles.ts';

const titlesIn = (source: string) => testTitles('x.test.tsx', source).map(({ title }) => title);

describe('testTitles', () => {
  it('finds the titles of it, test, only and each, with their lines', () => {
    const source = [
      "it('one', () => {});",
      'test.only(`two ${1} end`, async () => {});',
      "it.each([1, 2])('three %s', (n) => {});",
      "it.each`a\n${1}`('four', () => {});",
      "describe('outer', () => { it('fi' + 've', () => <p>text</p>); });",
    ].join('\n');
    expect(testTitles('x.test.tsx', source)).toEqual([
      { title: 'one', file: 'x.test.tsx', line: 1 },
      { title: 'two   end', file: 'x.test.tsx', line: 2 },
      { title: 'three %s', file: 'x.test.tsx', line: 3 },
      { title: 'four', file: 'x.test.tsx', line: 4 },
      { title: 'five', file: 'x.test.tsx', line: 6 },
    ]);
  });

  it('passes over comments, strings, other calls and tests that do not run', () => {
    const source = `
      // it('in a comment', () => {});
      /* it('in a block', () => {}); */
      const text = "it('in a string', () => {})";
      exit('another call', () => {});
      it.todo('later');
      it.skip('skipped', () => {});
      xit('skipped too', () => {});
      describe.skip('skipped', () => { it('inside', () => {}); });
      xdescribe('skipped', () => { it('inside', () => {}); });
      it('runs', () => {});`;
    expect(titlesIn(source)).toEqual(['runs']);
  });
});

describe('citedIds', () => {
  it('reads ids in square brackets only', () => {
    expect(citedIds('keeps one [B5-URL-01, A2-QP-09] of [many], like A2-QP-10 [x]')).toEqual([
      'B5-URL-01',
      'A2-QP-09',
    ]);
  });
});

const TABLE = [
  'id\tsource\towner\tarea\trequirement\tcheck',
  'A1-X-01\ts\tshell+infra\turls\tFirst\tc',
  'A1-X-02\ts\tinfra+shell\turls\tSecond\tc',
  'A1-X-03\ts\tshell\turls\tThird\tc',
].join('\n');

describe('measureCoverage', () => {
  const rows = parseRequirements(TABLE);
  const titles = testTitles('x.test.ts', "it('does [A1-X-01, A9-NO-01]', () => {});");

  it('counts cited rows by the first owner and keeps the rest', () => {
    const { owners, uncovered } = measureCoverage(rows, titles);
    expect(owners).toEqual([
      { owner: 'infra', cited: 0, total: 1 },
      { owner: 'shell', cited: 1, total: 2 },
    ]);
    expect(uncovered.map(({ id }) => id)).toEqual(['A1-X-02', 'A1-X-03']);
    expect(formatTable(owners).split('\n').at(-1)).toMatch(/^all\s+1\s+3$/);
  });

  it('names an id that no row has, with its place', () => {
    expect(measureCoverage(rows, titles).unknown).toEqual([{ id: 'A9-NO-01', file: 'x.test.ts', line: 1 }]);
  });

  it('refuses a table with a repeated id', () => {
    expect(() => parseRequirements(`${TABLE}\nA1-X-01\ts\tshell\turls\tAgain\tc`)).toThrow('A1-X-01');
  });
});

const COMMAND = fileURLToPath(new URL('./coverage.ts', import.meta.url));

describe('the command', () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [COMMAND, ...args], { encoding: 'utf8' });

  it('prints every owner and, for one of them, its open rows', async () => {
    // A wrong citation anywhere in the repository ends it with 1, after the same output.
    const { stdout } = await run('--owner', 'infra').catch((failure: { stdout: string }) => failure);
    expect(stdout).toMatch(/^shared-contracts\s+\d+\s+\d+$/m);
    expect(stdout).toMatch(/rows of infra which no test cites/);
  });

  it('fails for an owner who has no row', async () => {
    await expect(run('--owner', 'nobody')).rejects.toMatchObject({ code: 1 });
  });
});
