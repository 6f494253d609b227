import { describe, expect, it } from '@jest/globals';
import { publishablePackage, repositoryOf } from './packPackage.ts';

describe('repositoryOf', () => {
  it('names the repository of the workflow that packs, which provenance requires, and none elsewhere', () => {
    const environment = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'team/forecourt' };
    const repository = repositoryOf(environment, 'shared-contracts/slots');
    expect(publishablePackage({ name: '@forecourt/slots', exports: {} }, repository)).toMatchObject({
      repository: {
        type: 'git',
        url: 'git+https://github.com/team/forecourt.git',
        directory: 'shared-contracts/slots',
      },
    });
    expect(publishablePackage({ exports: {} }, repositoryOf({}, 'x'))).not.toHaveProperty('repository');
  });
});

describe('publishablePackage', () => {
  it('points exports to compiled files and drops fields that only the workspace needs', () => {
    expect(
      publishablePackage({
        name: '@forecourt/sample',
        exports: {
          './ui': './src/ui/index.ts',
          './view': './src/View.tsx',
          './ui/tokens.css': './src/ui/tokens.css',
          './css': { types: './types/css.d.ts' },
          './package.json': './package.json',
        },
        scripts: { prepack: 'compile' },
        dependencies: { zod: '4.6.7' },
        devDependencies: { jest: '30.5.2' },
      }),
    ).toEqual({
      name: '@forecourt/sample',
      exports: {
        './ui': { types: './dist/ui/index.d.ts', default: './dist/ui/index.js' },
        './view': { types: './dist/View.d.ts', default: './dist/View.js' },
        './ui/tokens.css': './dist/ui/tokens.css',
        './css': { types: './types/css.d.ts' },
        './package.json': './package.json',
      },
      scripts: { postpack: 'node --version' },
      dependencies: { zod: '4.6.7' },
    });
  });
});
