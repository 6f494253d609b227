import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';
import { REPOSITORY } from './repository.ts';

const BOUNDARY_RULES = ['no-restricted-imports', 'boundaries/dependencies'];

describe('the import boundaries', () => {
  let eslint: ESLint;
  beforeAll(() => {
    // Type information costs seconds and the boundaries need none of it.
    eslint = new ESLint({
      cwd: REPOSITORY,
      overrideConfig: { languageOptions: { parserOptions: { projectService: false, project: null } } },
      ruleFilter: ({ ruleId }) => BOUNDARY_RULES.includes(ruleId),
    });
  });

  const rulesBrokenBy = async (file: string, source: string): Promise<string[]> => {
    const [result] = await eslint.lintText(source, { filePath: join(REPOSITORY, file) });
    return (result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? message);
  };

  it.each([
    ['another remote by name', 'mfe-filters/src/x.ts', '@forecourt/mfe-results'],
    [
      'a file of another remote by name',
      'mfe-filters/src/x.ts',
      '@forecourt/mfe-results/src/slots/results.tsx',
    ],
    ['the shell by name', 'mfe-filters/src/x.ts', '@forecourt/shell'],
    ['infra by name', 'mfe-results/src/slots/x.tsx', '@forecourt/build/compile'],
    ['a package that looks like the contracts', 'mfe-filters/src/x.ts', '@forecourt/shared-contracts-extra'],
    ['another remote by path', 'mfe-filters/src/x.ts', '../../mfe-results/src/slots/results.tsx'],
    ['the shell by path', 'mfe-filters/src/deep/er/x.ts', '../../../../shell/src/config.ts'],
    ['the contracts by path', 'mfe-filters/src/x.ts', '../../shared-contracts/src/criteria/index.ts'],
    ['a remote from the shell', 'shell/src/x.ts', '@forecourt/mfe-filters'],
    ['infra from the shell', 'shell/src/x.ts', '@forecourt/local'],
    ['a remote from the contracts', 'shared-contracts/src/x.ts', '@forecourt/mfe-leads'],
    ['infra from the contracts', 'shared-contracts/src/x.ts', '@forecourt/marketplace-api'],
    ['the shell from infra', 'infra/services/marketplace-api/src/x.ts', '@forecourt/shell'],
  ])('refuse %s', async (_what, file, target) => {
    const broken = await rulesBrokenBy(file, `import '${target}';\n`);
    expect(broken).toContain('no-restricted-imports');
  });

  it.each([
    ['mfe-filters/src/x.ts', '@forecourt/shared-contracts/criteria'],
    ['mfe-filters/src/x.ts', 'react'],
    ['mfe-filters/src/sections/x.ts', '../location/useZipConfirmation.ts'],
    ['shell/src/x.ts', '@forecourt/shared-contracts/entities'],
    ['shell/src/page/x.ts', '../config.ts'],
    ['infra/services/remote-registry/src/x.ts', '@forecourt/shared-contracts/slots/release'],
    ['infra/proofs/e2e/src/x.ts', '@forecourt/local'],
  ])('let %s import %s', async (file, target) => {
    expect(await rulesBrokenBy(file, `import '${target}';\n`)).toEqual([]);
  });

  it('also see a path that no pattern of names would catch', async () => {
    const source = `import { buildRelease } from '../../infra/tooling/build/src/buildRelease.ts';\nbuildRelease;\n`;
    expect(await rulesBrokenBy('mfe-filters/src/x.ts', source)).toContain('boundaries/dependencies');
  });
});
