import { describe, expect, it } from '@jest/globals';
import { cycleProblems } from './cycles.ts';
import { type Sources, withFiles } from './sources.ts';

const EMPTY: Sources = {
  packages: [
    { folder: 'mfe-one', name: '@forecourt/mfe-one', exports: [] },
    { folder: 'infra/a', name: '@forecourt/a', exports: ['.'] },
    { folder: 'infra/b', name: '@forecourt/b', exports: ['.'] },
  ],
  imports: new Map(),
};
const problemsOf = (files: Record<string, string>) => cycleProblems(withFiles(EMPTY, files));
const rulesOf = (files: Record<string, string>) => problemsOf(files).map(({ rule }) => rule);

describe('import cycles', () => {
  it('accepts files and folders that depend one way', () => {
    const files = {
      'mfe-one/src/main.ts': "import './cards/card.ts'; import './grid/grid.ts';",
      'mfe-one/src/grid/grid.ts': "import '../cards/card.ts';",
      'mfe-one/src/cards/card.ts': "import '../price.ts';",
      'mfe-one/src/price.ts': "import 'react';",
    };
    expect(problemsOf(files)).toEqual([]);
  });

  it('reports two files that import each other', () => {
    const files = {
      'mfe-one/src/card.ts': "import { b } from './price.ts';",
      'mfe-one/src/price.ts': "import { a } from './card.ts';",
    };
    const [problem, ...others] = problemsOf(files);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ file: 'mfe-one/src/card.ts', line: 1, rule: 'file-cycle' });
    expect(problem?.message).toContain('mfe-one/src/price.ts → mfe-one/src/card.ts');
  });

  it('includes type-only imports in cycles', () => {
    const files = {
      'mfe-one/src/card.ts': "import type { B } from './price.ts';",
      'mfe-one/src/price.ts': "export type B = import('./card.ts').A;",
    };
    expect(rulesOf(files)).toEqual(['file-cycle']);
  });

  it('reports a cycle of several files', () => {
    const files = {
      'mfe-one/src/a.ts': "export * from './b.ts';",
      'mfe-one/src/b.ts': "import './c.ts';",
      'mfe-one/src/c.ts': "const load = () => import('./a.ts');",
      'mfe-one/src/unrelated.ts': "import './a.ts';",
    };
    const [problem] = problemsOf(files);
    expect(problem?.message).toMatch(/^cycle of 3 files/);
    expect(problem?.message).not.toContain('unrelated');
  });

  it('reports sibling folders that import each other through different files', () => {
    const files = {
      'mfe-one/src/cards/card.ts': "import '../grid/row.ts';",
      'mfe-one/src/grid/grid.ts': "import '../cards/deep/badge.ts';",
      'mfe-one/src/grid/row.ts': '',
      'mfe-one/src/cards/deep/badge.ts': '',
    };
    const [problem, ...others] = problemsOf(files);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ rule: 'folder-cycle' });
    expect(problem?.message).toContain(
      "mfe-one/src/grid → mfe-one/src/cards: mfe-one/src/grid/grid.ts:1 imports '../cards/deep/badge.ts'",
    );
  });

  it('accepts a folder and a sibling file that import each other', () => {
    const files = {
      'mfe-one/src/main.ts': "import './cards/card.ts';",
      'mfe-one/src/cards/card.ts': "import '../context.ts';",
      'mfe-one/src/context.ts': '',
    };
    expect(problemsOf(files)).toEqual([]);
  });

  it('lets a test import from any folder', () => {
    const files = {
      'mfe-one/src/cards/card.ts': "import '../grid/grid.ts';",
      'mfe-one/src/grid/grid.ts': '',
      'mfe-one/src/grid/grid.test.ts': "import '../cards/card.ts';",
    };
    expect(problemsOf(files)).toEqual([]);
  });

  it('reports packages that import each other', () => {
    const files = {
      'infra/a/src/index.ts': "import { b } from '@forecourt/b';",
      'infra/b/src/index.ts': "import { a } from '@forecourt/a/part';",
    };
    expect(rulesOf(files)).toEqual(['package-cycle']);
  });
});
