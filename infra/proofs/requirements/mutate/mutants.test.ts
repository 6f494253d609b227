import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import ts from 'typescript';
import { isValid, mutantsOf, mutate, withMarkers } from './mutants.ts';

const changes = (source: string) =>
  mutantsOf('x.tsx', source)
    .filter((mutant) => isValid(source, mutant))
    .map(({ original, replacement }) => `${original} → ${replacement}`);

/** Calls the function `f` of a module. */
function callF(source: string, args: readonly unknown[], globals: object = {}): unknown {
  const { outputText } = ts.transpileModule(source, { compilerOptions: { target: ts.ScriptTarget.ESNext } });
  return runInNewContext(`${outputText}; f(...args)`, { ...globals, args });
}

describe('mutantsOf', () => {
  it.each([
    ['f(9, 20_000)', ['9 → 10', '20_000 → 40000']],
    ["f('zip', true)", ["'zip' → ''", 'true → false']],
    ['f(a === b, a < b)', ['a === b → a !== b', 'a < b → a <= b']],
    ['f(a && b, a ?? b)', ['a && b → a', 'a ?? b → b']],
    ['f(!a, a ? b : c)', ['!a → a', 'a → false']],
    ['f(a.filter(b), a.some(b))', ['a.filter(b) → a', 'a.some(b) → a.every(b)']],
    ['f(/^a{5}$/)', ['/^a{5}$/ → /a{5}$/']],
    ['f([a, b], { a, b: c })', ['b → ', 'b: c → ']],
    ['f(row.label, row.value)', ['row.label → row.value']],
    ['const g = ({ label, value }) => ({ label, value: value });', ['label → value']],
    ['const g = () => call();', ['call() → undefined']],
    ['save(a);', ['save(a) → ']],
    ['f(<p title="x">Some text</p>)', ['Some text → ']],
    ['f(<ul><li /></ul>)', ['<li /> → ']],
    ['f(<option value="">Any</option>)', [`"" → 'mutated'`]],
  ])('changes %s: %j', (source, expected) => {
    expect(changes(source)).toEqual(expect.arrayContaining(expected));
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

  it('makes one change each', () => {
    const source = "function f(a) { return { label: a.label, value: a.value, kind: 'x' }; }";
    const row = { label: 'F-150', value: 'F150' };
    const results = mutantsOf('x.ts', source).map((mutant) => callF(mutate(source, mutant), [row]));
    expect(results).toContainEqual({ label: 'F150', value: 'F150', kind: 'x' });
    expect(results).toContainEqual({ label: 'F-150', value: 'F150', kind: '' });
    expect(results).toContainEqual({ value: 'F150', kind: 'x' });
    expect(results).not.toContainEqual({ ...row, kind: 'x' });
  });
});

describe('withMarkers', () => {
  const SOURCE = `function f(a, b) {
    const { x = 1, ...rest } = { x: a, y: [b, ...[3]], ['z']: \`\${a}-\${b}\` };
    let sum = 0;
    for (const each of rest.y) sum += each > 2 && a < 9 ? each : -each;
    if (sum > 5) sum++; else sum--;
    return [x, rest?.z.toUpperCase(), rest.missing?.deep.er ?? 'none', sum, !a, typeof b, rest.y.map((y) => ({ y }))];
  }`;

  it('keeps the lines and the meaning of the source', () => {
    const marked = withMarkers('x.ts', SOURCE);
    expect(marked.split('\n')).toHaveLength(SOURCE.split('\n').length);
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (a, b) => {
        expect(callF(marked, [a, b])).toEqual(callF(SOURCE, [a, b]));
      }),
    );
  });

  it('reaches the branches that run, and every mutant belongs to a unit', () => {
    const reached = new Set<number>();
    const markers = { reached: () => (unit: number) => reached.add(unit) };
    callF(withMarkers('x.ts', SOURCE), [1, 2], markers);
    expect(reached).toContain(SOURCE.indexOf('sum--'));
    expect(reached).not.toContain(SOURCE.indexOf('sum++'));
    const units = new Set(mutantsOf('x.ts', SOURCE).map(({ unit }) => unit));
    callF(withMarkers('x.ts', SOURCE), [1, 9], markers);
    expect(units.isSubsetOf(reached)).toBe(true);
  });
});
