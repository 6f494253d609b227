import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ts from 'typescript';
import { ROOT } from '../coverage.ts';
import { cloneBlock, fullName, skipTests, type CircusBlock, type CircusTest } from './circus.ts';
import { EQUIVALENT_MUTANTS } from './equivalents.data.ts';
import { instrument } from './instrument.ts';
import { MutantRecorder, MutantSwitch } from './plan.ts';
import { selectMutants, wordsOf, WordWeights, type SourceMutant } from './select.ts';
import type { FileCoverage } from './testFiles.ts';

const changes = (source: string, path = 'x.tsx') =>
  instrument(path, source).mutants.map(({ original, replacement }) => `${original} → ${replacement}`);

const callF = (source: string, globals: { mutation?: MutantSwitch; args: unknown[] }): unknown =>
  runInNewContext(`${source}; f(...args)`, globals);

/** Calls the function `f` of a module whose mutant `id` is on; 0 for none. */
function run(source: string, id: number, ...args: unknown[]): unknown {
  const { code } = instrument('x.ts', source);
  const { outputText } = ts.transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ESNext } });
  const mutants = new MutantSwitch();
  mutants.set({ path: 'x.ts', id });
  return callF(outputText, { mutation: mutants, args });
}

describe('instrument', () => {
  it.each([
    ['f(9)', '9 → 10'],
    ['f(20_000)', '20_000 → 40000'],
    ["f('zip')", "'zip' → ''"],
    ['f(true)', 'true → false'],
    ['f(a === b)', 'a === b → a !== b'],
    ['f(a < b)', 'a < b → a <= b'],
    ['f(a && b)', 'a && b → a'],
    ['f(a ?? b)', 'a ?? b → b'],
    ['f(!a)', '!a → a'],
    ['f(a ? b : c)', 'a → false'],
    ['f(a.filter(b))', 'a.filter(b) → a'],
    ['f(a.some(b))', 'a.some(b) → a.every(b)'],
    ['f(/^a{5}$/)', '/^a{5}$/ → /a{5}$/'],
    ['f([a, b])', 'b → '],
    ['f({ a, b: c })', 'b: c → '],
    ['f(row.label, row.value)', 'row.label → row.value'],
    ['const g = ({ label, value }) => ({ label, value: value });', 'label → value'],
    ['const g = () => call();', 'call() → undefined'],
    ['save(a);', 'save(a) → '],
    ['f(<p title="x">Some text</p>)', 'Some text → '],
    ['f(<ul><li /></ul>)', '<li /> → '],
    ['f(<option value="">Any</option>)', 'value="" → mutated'],
  ])('changes %s: %s', (source, change) => {
    expect(changes(source)).toContain(change);
  });

  it('leaves imports, types, log lines, messages of errors and class names alone', () => {
    const source = `import { a } from './a.ts';
      type Kind = 'x' | 'y';
      interface Row { readonly kind: 'x' }
      log.warn('not sent');
      throw new RangeError('too long');
      const view = <p className="fc-row" key="1" />;`;
    expect(changes(source).filter((change) => /'|fc|1/.test(change))).toEqual([]);
  });

  it('keeps the lines and the meaning of the source while no mutant is on', () => {
    const source = `function f(a, b) {
      const { x = 1, ...rest } = { x: a, y: [b, ...[3]], ['z']: \`\${a}-\${b}\` };
      let sum = 0;
      for (const each of rest.y) sum += each > 2 && a < 9 ? each : -each;
      sum++;
      return [x, rest?.z.toUpperCase(), rest.missing?.deep.er ?? 'none', sum, !a, typeof b];
    }`;
    expect(instrument('x.ts', source).code.split('\n')).toHaveLength(source.split('\n').length);
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (a, b) => {
        expect(run(source, 0, a, b)).toEqual(callF(source, { args: [a, b] }));
      }),
    );
  });

  it('switches exactly one mutant on', () => {
    const source = "function f(a) { return { label: a.label, value: a.value, kind: 'x' }; }";
    const { mutants } = instrument('x.ts', source);
    const row = { label: 'F-150', value: 'F150' };
    const results = mutants.map(({ id }) => run(source, id, row));
    expect(results).toContainEqual({ label: 'F150', value: 'F150', kind: 'x' });
    expect(results).toContainEqual({ label: 'F-150', value: 'F150', kind: '' });
    expect(results).toContainEqual({ value: 'F150', kind: 'x' });
    expect(results).not.toContainEqual({ ...row, kind: 'x' });
  });
});

describe('MutantRecorder', () => {
  it('collects what is reached by phase', () => {
    const recorder = new MutantRecorder();
    const mutant = recorder.of('x.ts');
    const first = recorder.start();
    expect([mutant(1), mutant(2)]).toEqual([false, false]);
    const second = recorder.start();
    mutant(2);
    expect([first, second]).toEqual([
      new Map([['x.ts', new Set([1, 2])]]),
      new Map([['x.ts', new Set([2])]]),
    ]);
  });
});

describe('cloneBlock', () => {
  const block = (name: string, parent?: CircusBlock): CircusBlock => {
    const made: CircusBlock = {
      type: 'describeBlock',
      name,
      children: [],
      hooks: [],
      ...(parent && { parent }),
    };
    parent?.children.push(made);
    return made;
  };
  const test = (name: string, parent: CircusBlock) =>
    parent.children.push({ type: 'test', name, parent, errors: ['old'], duration: 1 });
  const testsOf = ({ children }: CircusBlock): CircusTest[] =>
    children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)));

  it('copies only the named tests, without their results', () => {
    const root = block('ROOT');
    const inner = block('inner', root);
    test('one', inner);
    test('two', inner);
    test('three', block('other', root));
    const copy = cloneBlock(root, root, { name: 'run 1', tests: new Set(['inner two']), timeout: 5 });
    const tests = testsOf(copy);
    expect(tests.map((each) => fullName(each, (parent) => parent === copy))).toEqual(['inner two']);
    expect(tests[0]).toMatchObject({ errors: [], timeout: 5 });
    expect(copy.children).toHaveLength(1);
    skipTests(copy);
    expect(testsOf(copy)[0]?.mode).toBe('skip');
    expect(testsOf(root).map(({ mode }) => mode)).toEqual([undefined, undefined, undefined]);
  });
});

describe('selectMutants', () => {
  const mutant = (id: number, source: string): SourceMutant => ({
    ...{
      path: 'x.ts',
      id,
      line: id,
      operator: 'string',
      original: source,
      replacement: "''",
      source,
      context: '',
    },
    ...{ words: wordsOf(source), ownWords: wordsOf(source) },
  });
  const mutants = [
    mutant(1, 'modelCode3'),
    mutant(2, 'sortBy'),
    mutant(3, 'common'),
    mutant(4, 'modelCode1'),
  ];
  const weights = new WordWeights();
  for (const { words } of [...mutants, ...mutants, mutant(9, 'common')]) weights.addLine(words);
  const citation = { id: 'A', file: 'x.test.ts', line: 1, name: '^reads$', source: "it('reads')" };
  const select = (hits: string[], loaded: string[] = []) => {
    const test = { name: 'reads', isPassed: true, milliseconds: 1, hits: new Set(hits) };
    const other = { ...test, name: 'other', hits: new Set(['x.ts#3']) };
    const reach = new Map([...hits.map((key) => [key, 1] as const), ['x.ts#3', 2] as const]);
    const coverage: FileCoverage = { loaded: new Set(loaded), tests: [test, other], reach, milliseconds: 1 };
    const row = { id: 'A', owner: '', area: '', requirement: 'modelCode1, modelCode3', check: 'reads' };
    return selectMutants(
      row,
      [{ testFile: 'x.test.ts', name: 'reads', hits: test.hits, citation, coverage }],
      mutants,
      weights,
      3,
    );
  };

  it('prefers the words of the requirement to code that any test reaches', () => {
    const all = select(['x.ts#1', 'x.ts#2', 'x.ts#3'], ['x.ts#4']);
    expect(
      all
        .map((candidate) => candidate.mutant.id)
        .slice(0, 2)
        .sort(),
    ).toEqual([1, 4]);
  });

  it('selects nothing that no citing test reaches', () => {
    expect(select(['x.ts#2']).map((candidate) => candidate.mutant.id)).toEqual([2]);
    expect(select([])).toEqual([]);
  });
});

describe('equivalent mutants', () => {
  it('still exist, each with a reason', () => {
    const known = new Map<string, Set<string>>();
    for (const { path, source, original, replacement, reason } of EQUIVALENT_MUTANTS) {
      const ofFile =
        known.get(path) ??
        new Set(
          instrument(path, readFileSync(join(ROOT, path), 'utf8')).mutants.map((each) =>
            JSON.stringify([each.source, each.original, each.replacement]),
          ),
        );
      known.set(path, ofFile);
      expect(ofFile).toContain(JSON.stringify([source, original, replacement]));
      expect(reason).toMatch(/\w+ \w+/);
    }
  });
});

describe('the command', () => {
  const command = fileURLToPath(new URL('mutate.ts', import.meta.url));

  it('kills the mutants of a row with the tests that cite it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mutate-test-'));
    try {
      const json = join(folder, 'results.json');
      const args = [command, 'B2-QP-04', 'A1-ALERT-99', '--limit', '4', '--json', json];
      const { stdout } = await promisify(execFile)(process.execPath, args, { encoding: 'utf8' });
      expect(stdout).toMatch(/^B2-QP-04 +4 +4 +0 +0$/m);
      const [{ killed }] = JSON.parse(await readFile(json, 'utf8')) as [{ killed: { original: string }[] }];
      expect(killed.map(({ original }) => original)).toEqual(
        expect.arrayContaining(["'modelCode1'", "'modelCode2'", "'modelCode3'"]),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 240_000);

  it('exits with 1 and its usage without a known row', async () => {
    await expect(promisify(execFile)(process.execPath, [command, 'B2-QP-99'])).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('npm run mutate'),
    });
  });
});
