import { describe, expect, it } from '@jest/globals';
import { misnamedFiles } from './fileNames.ts';

describe('names of tests and style files', () => {
  it.each([
    ['a test without a source', 'shell/src/edges.test.ts', ['shell/src/page.ts']],
    ['a test of a component without a source', 'mfe-one/src/Card.test.tsx', ['mfe-one/src/Cards.tsx']],
    ['a test whose source is in another folder', 'mfe-one/src/a/card.test.ts', ['mfe-one/src/b/card.ts']],
    ['a test named after a part of a folder’s name', 'shell/src/seoRoutes/seo.test.ts', []],
    ['a test beside the folder of its name', 'shell/src/seo.test.ts', ['shell/src/seo/routes.ts']],
    ['a test of a part of no source', 'shell/src/edges.cookies.test.ts', ['shell/src/page.ts']],
    ['a test with its source’s name last', 'shell/src/cookies.page.test.ts', ['shell/src/page.ts']],
    ['a test of a part of a part', 'shell/src/page.cookies.names.test.ts', ['shell/src/page.ts']],
    ['a style file without a component', 'mfe-one/src/Card.module.css', ['mfe-one/src/Cards.tsx']],
    ['a later style file without a component', 'mfe-one/src/Card.later.module.css', []],
    ['a style file named after a folder', 'mfe-one/src/card/card.module.css', ['mfe-one/src/card/Card.tsx']],
  ])('rejects %s', (_what, path, others) => {
    expect(misnamedFiles([path, ...others])).toEqual([path]);
  });

  it.each([
    ['a test beside its source', 'shell/src/page.test.ts', ['shell/src/page.ts']],
    ['a test of a component', 'mfe-one/src/Card.test.tsx', ['mfe-one/src/Card.tsx']],
    ['a TypeScript test of a script', 'infra/a/src/run.test.ts', ['infra/a/src/run.mjs']],
    ['a test of its folder', 'shell/src/seo/seo.test.ts', ['shell/src/seo/routes.ts']],
    ['a test of a part of its source', 'shell/src/page.cookies.test.ts', ['shell/src/page.ts']],
    ['a test of a part of its folder', 'shell/src/seo/seo.robots.test.ts', ['shell/src/seo/routes.ts']],
    ['a test of its package', 'infra/tooling/lint/src/lint.test.ts', []],
    ['a style file beside its component', 'mfe-one/src/Card.module.css', ['mfe-one/src/Card.tsx']],
    [
      'a later style file beside its component',
      'mfe-one/src/Card.later.module.css',
      ['mfe-one/src/Card.tsx'],
    ],
    ['a style file of the page', 'shell/src/page.css', []],
    ['a test of a journey', 'infra/proofs/e2e/src/deliveries.e2e.ts', []],
    ['a test of test support', 'shell/src/testing/rig.test.ts', []],
    ['a sample', 'infra/proofs/e2e/fixtures/a/src/Card.module.css', []],
  ])('accepts %s', (_what, path, others) => {
    expect(misnamedFiles([path, ...others])).toEqual([]);
  });
});
