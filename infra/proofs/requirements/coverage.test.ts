import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { formatTable, measureCoverage, parseRequirements, rowDeclarations } from './coverage.ts';

const rowCitations = (file: string, source: string) => rowDeclarations(file, source).citations;
const idsIn = (source: string) => rowCitations('x.test.tsx', source).map(({ id }) => id);

describe('rowCitations', () => {
  it('reads the lines above it, test, only and each, with the line of the test', () => {
    const source = [
      '// rows: A1-X-01, A1-X-02',
      "it('one', () => {});",
      '// Why this matters.',
      '// rows: A1-X-03',
      '// rows: A1-X-04',
      'test.only(`two`, async () => {});',
      '// rows: A1-X-05',
      "it.each([1, 2])('three %s', (n) => {});",
      "describe('outer', () => {",
      '  // rows: A1-X-06',
      "  it('four', () => <p>text</p>);",
      '});',
    ].join('\n');
    const positions = rowCitations('x.test.tsx', source).map(({ id, file, line }) => ({ id, file, line }));
    expect(positions).toEqual([
      { id: 'A1-X-01', file: 'x.test.tsx', line: 2 },
      { id: 'A1-X-02', file: 'x.test.tsx', line: 2 },
      { id: 'A1-X-03', file: 'x.test.tsx', line: 6 },
      { id: 'A1-X-04', file: 'x.test.tsx', line: 6 },
      { id: 'A1-X-05', file: 'x.test.tsx', line: 8 },
      { id: 'A1-X-06', file: 'x.test.tsx', line: 11 },
    ]);
  });

  it('matches the full names of the tests as Jest prints them', () => {
    const source = [
      "describe('reads', () => {",
      '  // rows: A1-X-01',
      "  it.each([1, 2])('number %s (of $all)', () => {});",
      '  // rows: A1-X-02',
      '  it(`a ${name}? or not`, () => {});',
      "  describe.each(list)('in $area', () => {",
      '    // rows: A1-X-03',
      "    it('100% of it', () => {});",
      '  });',
      '});',
    ].join('\n');
    const names = rowCitations('x.test.ts', source).map(({ name }) => new RegExp(name));
    const titles = ['reads number 2 (of 7)', 'reads a b? or not', 'reads in here 100% of it'];
    expect(titles.map((title) => names.map((name) => name.test(title)))).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
    ]);
  });

  it('ignores skipped tests, other statements, titles, strings and prose', () => {
    const source = `
      // rows: A1-X-01
      it.skip('skipped', () => {});
      // rows: A1-X-02
      it.todo('later');
      // rows: A1-X-03
      xit('skipped', () => {});
      describe.skip('skipped', () => {
        // rows: A1-X-04
        it('inside', () => {});
      });
      // rows: A1-X-05
      const text = '// rows: A1-X-06';
      it(
        'mentions A1-X-07 [A1-X-08]', () => {});
      // The rows: A1-X-09 would prove this.
      it('is not cited', () => {});`;
    expect(idsIn(source)).toEqual([]);
    expect(rowDeclarations('x.test.ts', source).misplaced.map(({ line }) => line)).toEqual([2, 4, 6, 9, 12]);
  });

  it('reports lines that declare rows above nothing, and none of those above a test', () => {
    const source = `
      describe('one', () => {
        // rows: A1-X-01
        // Why this matters.
        it('is', () => {});
        // rows: A1-X-02
      });
      // rows: A1-X-03`;
    expect(rowDeclarations('x.test.ts', source)).toMatchObject({
      citations: [{ id: 'A1-X-01' }],
      misplaced: [
        { file: 'x.test.ts', line: 6 },
        { file: 'x.test.ts', line: 8 },
      ],
    });
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
  const citations = rowCitations('x.test.ts', "// rows: A1-X-01, A9-NO-01\nit('works', () => {});");

  it('counts cited rows by the first owner and keeps the rest', () => {
    const { owners, uncovered } = measureCoverage(rows, citations);
    expect(owners).toEqual([
      { owner: 'infra', cited: 0, total: 1 },
      { owner: 'shell', cited: 1, total: 2 },
    ]);
    expect(uncovered.map(({ id }) => id)).toEqual(['A1-X-02', 'A1-X-03']);
    expect(formatTable(owners).split('\n').at(-1)).toMatch(/^all\s+1\s+3$/);
  });

  it('reports an unknown row id with its location', () => {
    expect(measureCoverage(rows, citations).unknown).toMatchObject([
      { id: 'A9-NO-01', file: 'x.test.ts', line: 2 },
    ]);
  });

  it('rejects a table with a repeated id', () => {
    expect(() => parseRequirements(`${TABLE}\nA1-X-01\ts\tshell\turls\tAgain\tc`)).toThrow('A1-X-01');
  });
});

const COMMAND = fileURLToPath(new URL('./coverage.ts', import.meta.url));

describe('the command', () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [COMMAND, ...args], { encoding: 'utf8' });

  it('prints every owner, and the uncovered rows of the requested one', async () => {
    // A wrong citation anywhere in the repository makes it exit with 1, with the same output.
    const { stdout } = await run('--owner', 'infra').catch((failure: { stdout: string }) => failure);
    expect(stdout).toMatch(/^shared-contracts\s+\d+\s+\d+$/m);
    expect(stdout).toMatch(/rows of infra that no test cites/);
  });

  it('exits with an error for an owner without rows', async () => {
    await expect(run('--owner', 'nobody')).rejects.toMatchObject({ code: 1 });
  });
});
