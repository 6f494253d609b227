import { describe, expect, it } from '@jest/globals';
import { mutantsOf } from './mutants.ts';
import { selectMutants } from './select.ts';
import type { TestFile } from './testRuns.ts';

describe('selectMutants', () => {
  const NAMES = ['modelCode3', 'sortBy', 'common', 'modelCode1'];
  const mutants = mutantsOf('x.ts', NAMES.map((name) => `read('${name}');`).join('\n')).filter(
    ({ operator }) => operator === 'string',
  );
  const unitOf = (name: string) => `x.ts#${mutants[NAMES.indexOf(name)]!.unit}`;
  const row = { id: 'A', owner: '', area: '', requirement: 'modelCode1, modelCode3', check: 'reads' };
  const citations = [{ id: 'A', file: 'x.test.ts', line: 1, name: '^reads$', source: "it('reads')" }];
  const select = (units: string[], loaded: string[] = []) => {
    const file: TestFile = {
      path: 'x.test.ts',
      loaded: new Set(loaded.map(unitOf)),
      tests: [],
      milliseconds: 1,
    };
    const test = { name: 'reads', units: new Set(units.map(unitOf)), file };
    file.tests.push(test, { name: 'other', units: new Set([unitOf('common')]), file });
    const options = { limit: 3, canRun: () => true };
    return selectMutants(row, { citations, tests: [test] }, mutants, options).map(
      ({ mutant }) => mutant.original,
    );
  };

  it('prefers the words of the requirement to code that any test reaches', () => {
    const all = select(['modelCode3', 'sortBy', 'common'], ['modelCode1']);
    expect(all.slice(0, 2).sort()).toEqual(["'modelCode1'", "'modelCode3'"]);
  });

  it('selects nothing that no citing test reaches', () => {
    expect(select(['sortBy'])).toEqual(["'sortBy'"]);
    expect(select([])).toEqual([]);
  });
});
