import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { boundaryProblems, type Problem, cycleProblems } from './importRules.ts';
import { readSources, type Sources, withFiles } from './sources.ts';

describe('the import boundaries', () => {
  let repository: Sources;
  beforeAll(() => {
    repository = readSources(resolve(import.meta.dirname, '../../../..'));
  });

  const problemsOf = (file: string, source: string): Problem[] =>
    boundaryProblems(withFiles({ ...repository, imports: new Map() }, { [file]: source }));

  it.each([
    ['another remote by name', 'mfe-filters/src/x.ts', '@forecourt/mfe-results'],
    [
      'a file of another remote by name',
      'mfe-filters/src/x.ts',
      '@forecourt/mfe-results/src/slots/results.tsx',
    ],
    ['the shell by name', 'mfe-filters/src/x.ts', '@forecourt/shell'],
    ['infra by name', 'mfe-results/src/slots/x.tsx', '@forecourt/build/buildRelease'],
    ['a package that looks like the contracts', 'mfe-filters/src/x.ts', '@forecourt/slots-extra'],
    ['another remote by path', 'mfe-filters/src/x.ts', '../../mfe-results/src/slots/results.tsx'],
    ['the shell by path', 'mfe-filters/src/deep/er/x.ts', '../../../../shell/src/config.ts'],
    ['infra by path', 'mfe-filters/src/x.ts', '../../infra/tooling/build/src/buildRelease.ts'],
    ['a remote from the shell', 'shell/src/x.ts', '@forecourt/mfe-filters'],
    ['infra from the shell', 'shell/src/x.ts', '@forecourt/local'],
    ['a service from the shell', 'shell/src/x.ts', '@forecourt/identity'],
    ['a package that looks like the service kit', 'shell/src/x.ts', '@forecourt/service-kit-extra'],
    ['the service kit from a remote', 'mfe-filters/src/x.ts', '@forecourt/service-kit/log'],
    ['the service kit from the contracts', 'shared-contracts/slots/src/x.ts', '@forecourt/service-kit/log'],
    ['a remote from the contracts', 'shared-contracts/slots/src/x.ts', '@forecourt/mfe-leads'],
    ['infra from the contracts', 'shared-contracts/slots/src/x.ts', '@forecourt/marketplace-api'],
    ['the shell from infra', 'infra/services/marketplace-api/src/x.ts', '@forecourt/shell'],
    ['the engine from infra', 'infra/proofs/e2e/src/x.ts', '@forecourt/shell/engine'],
    [
      'the check of HTML from services',
      'infra/services/identity/src/x.ts',
      '@forecourt/shell/engine/fragmentCheck',
    ],
    ['a remote from infra', 'infra/proofs/e2e/src/x.ts', '@forecourt/mfe-leads/src/scenarios.ts'],
  ])('rejects the import of %s', (_what, file, target) => {
    expect(problemsOf(file, `import '${target}';\n`)).toMatchObject([{ rule: 'boundary', line: 1 }]);
  });

  it.each([
    ['the slots contract', 'shared-contracts/slots/src/x.ts', '@forecourt/search/criteria'],
    ['the slots contract', 'shared-contracts/slots/src/x.test.ts', '@forecourt/upstream/calls'],
    ['the releases contract', 'shared-contracts/releases/src/x.ts', '@forecourt/slots'],
    ['the upstream contract', 'shared-contracts/upstream/src/x.ts', '@forecourt/search/state'],
    ['the service kit', 'infra/service-kit/src/x.ts', '@forecourt/identity'],
    ['the service kit', 'infra/service-kit/src/x.ts', '@forecourt/local'],
    ['a service', 'infra/services/identity/src/x.ts', '@forecourt/remote-registry'],
    ['a service', 'infra/services/identity/src/x.ts', '@forecourt/demo-data'],
    ['a service', 'infra/services/identity/src/x.ts', '@forecourt/deploy'],
    ['a service', 'infra/services/identity/src/x.ts', '@forecourt/cli/client'],
    ['a service’s test', 'infra/services/identity/src/x.test.ts', '@forecourt/bench/environment'],
    ['demo data', 'infra/demo-data/src/x.ts', '@forecourt/local'],
    ['deployment', 'infra/deploy/src/x.ts', '@forecourt/local'],
    ['tooling', 'infra/tooling/local/src/x.ts', '@forecourt/bench/environment'],
    ['the harness of the proofs', 'infra/proofs/harness/src/x.ts', '@forecourt/system'],
    ['a proof', 'infra/proofs/e2e/src/x.ts', '@forecourt/bench'],
  ])('rejects an import against the direction from %s (%s) to %s', (_what, file, target) => {
    expect(problemsOf(file, `import '${target}';\n`)).toMatchObject([{ rule: 'direction', line: 1 }]);
  });

  it.each([
    ['shared-contracts/search/src/x.ts', '@forecourt/upstream/calls'],
    ['infra/services/identity/src/x.ts', '@forecourt/service-kit/log'],
    ['infra/demo-data/src/x.ts', '@forecourt/marketplace-api/stock'],
    ['infra/tooling/local/src/x.ts', '@forecourt/service-kit/testing'],
    ['infra/proofs/e2e/src/x.ts', '@forecourt/harness/releases'],
    ['infra/proofs/e2e/src/x.ts', '@forecourt/shell/engine/fragmentCheck'],
    ['infra/proofs/bench/src/x.ts', '@forecourt/marketplace-api/stock'],
  ])('finds the direction right from %s to %s', (file, target) => {
    const rules = problemsOf(file, `import '${target}';\n`).map(({ rule }) => rule);
    expect(rules).not.toContain('direction');
    expect(rules).not.toContain('boundary');
  });

  it.each([
    ['the contracts by path', 'mfe-filters/src/x.ts', '../../shared-contracts/search/src/state/index.ts'],
    ['a subpath that the contracts do not export', 'shell/src/x.ts', '@forecourt/slots/src/x.ts'],
    ['a package of infra by path', 'infra/proofs/system/src/x.ts', '../../bench/src/report/statistics.ts'],
    ['a package without exports', 'infra/proofs/system/src/x.ts', '@forecourt/compat'],
  ])('rejects %s as a deep import', (_what, file, target) => {
    expect(problemsOf(file, `import '${target}';\n`)).toMatchObject([{ rule: 'deep-import', line: 1 }]);
  });

  it.each([
    ['the marketplace', 'shell/src/engine/pages/x.ts', '../../marketplace/site.ts'],
    [
      'the marketplace in the browser',
      'shell/src/engine/browser/x.ts',
      '../../marketplace/browser/startPage.ts',
    ],
    ['the marketplace by a test', 'shell/src/engine/pages/x.test.ts', '../../marketplace/site.ts'],
    ['the marketplace’s test support', 'shell/src/engine/pages/x.test.ts', '../../testing/shellRig.ts'],
    ['the search contract by a test', 'shell/src/engine/compose/x.test.ts', '@forecourt/search/testing'],
    ['the search contract', 'shell/src/engine/compose/x.ts', '@forecourt/search/criteria'],
    ['the upstream’s entities', 'shell/src/engine/compose/x.ts', '@forecourt/upstream/entities'],
    ['the upstream’s table of calls', 'shell/src/engine/gateway/x.ts', '@forecourt/upstream/calls'],
  ])('rejects the import of %s from the engine', (_what, file, target) => {
    expect(problemsOf(file, `import '${target}';\n`)).toMatchObject([{ rule: 'wall', line: 1 }]);
  });

  it.each([
    ['shell/src/engine/pages/x.ts', '../compose/html.ts'],
    ['shell/src/engine/pages/x.ts', '@forecourt/slots'],
    ['shell/src/engine/pages/x.test.ts', '../testing/startLibrary.ts'],
    ['shell/src/testing/shellRig.ts', '../marketplace/app.ts'],
    ['shell/src/marketplace/x.ts', '../engine/index.ts'],
    ['shell/src/marketplace/x.ts', '@forecourt/search/criteria'],
  ])('lets %s import %s through no wall', (file, target) => {
    expect(problemsOf(file, `import '${target}';\n`).filter(({ rule }) => rule === 'wall')).toEqual([]);
  });

  it.each([
    ['a type import', "import type { Config } from '@forecourt/shell';"],
    ['a re-export', "export { config } from '@forecourt/shell';"],
    ['a dynamic import', "const load = () => import('@forecourt/shell');"],
    ['an import type', "let config: import('@forecourt/shell').Config;"],
    ['a require call', "const shell = require('@forecourt/shell');"],
  ])('rejects %s like any other import', (_kind, source) => {
    expect(problemsOf('mfe-filters/src/x.ts', source)).toMatchObject([{ rule: 'boundary' }]);
  });

  it.each([
    ['shell/src/x.ts', '@forecourt/search/criteria'],
    ['shell/src/x.ts', '@forecourt/upstream/calls'],
    ['shell/src/x.ts', '@forecourt/shell/marketplace'],
    ['shell/src/x.ts', '../../../../../shell/src/marketplace/site.ts'],
    ['shell/src/x.ts', '../../../../../shell/src/engine/index.ts'],
    ['shell/src/x.ts', '../../mfe-desk/src/slots/desk.tsx'],
    ['shell/src/x.ts', '@forecourt/local'],
    ['mfe-desk/src/x.ts', '@forecourt/shell/engine'],
    ['mfe-desk/src/x.ts', '@forecourt/mfe-catalog'],
    ['contract/src/x.ts', '@forecourt/search/state'],
  ])('keeps %s of the second site from importing %s', (file, target) => {
    expect(problemsOf(`infra/proofs/second-site/${file}`, `import '${target}';\n`)).toMatchObject([
      { rule: 'site', line: 1 },
    ]);
  });

  it.each([
    ['shell/src/x.ts', '@forecourt/shell/engine'],
    ['shell/src/x.ts', '@forecourt/shell/engine/browser'],
    ['shell/src/x.ts', '@forecourt/service-kit/log'],
    ['shell/src/x.ts', './site.ts'],
    ['shell/src/x.ts', 'express'],
    ['shell/src/local/x.ts', '@forecourt/local'],
    ['mfe-desk/src/x.ts', '@forecourt/slots'],
    ['mfe-desk/src/x.ts', '@forecourt/library'],
    ['contract/src/x.ts', '@forecourt/slots/state'],
  ])('lets %s of the second site import %s', (file, target) => {
    expect(problemsOf(`infra/proofs/second-site/${file}`, `import '${target}';\n`)).toEqual([]);
  });

  it('keeps the second site from parts of the engine that are no face of it', () => {
    const file = 'infra/proofs/second-site/shell/src/x.ts';
    expect(problemsOf(file, "import '@forecourt/shell/engine/gateway';\n")).toMatchObject([
      { rule: 'deep-import' },
    ]);
  });

  it.each([
    ['mfe-filters/src/x.ts', '@forecourt/search/state'],
    ['mfe-filters/src/x.ts', 'react'],
    ['mfe-filters/src/sections/x.ts', '../location/useZipConfirmation.ts'],
    ['shell/src/x.ts', '@forecourt/upstream/entities'],
    ['shell/src/x.ts', '@forecourt/service-kit/log'],
    ['shell/src/page/x.ts', '../config.ts'],
    ['infra/services/remote-registry/src/x.ts', '@forecourt/releases/manifest'],
    ['infra/proofs/e2e/src/x.ts', '@forecourt/local'],
  ])('allows %s to import %s', (file, target) => {
    expect(problemsOf(file, `import '${target}';\n`)).toEqual([]);
  });

  it('reports the line of a forbidden import', () => {
    const source = "import 'react';\n\n// why\nimport { shell } from '@forecourt/shell';\n";
    expect(problemsOf('mfe-filters/src/x.ts', source)).toMatchObject([{ line: 4 }]);
  });
});

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

  it('leaves test support out of cycles of folders', () => {
    const files = {
      'mfe-one/src/cards/card.ts': "import '../price/price.ts';",
      'mfe-one/src/price/testing/rig.ts': "import '../../cards/card.ts';",
      'mfe-one/src/price/price.ts': '',
    };
    expect(problemsOf(files)).toEqual([]);
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
