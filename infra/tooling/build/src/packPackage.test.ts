import { describe, expect, it } from '@jest/globals';
import { publishablePackage } from './packPackage.ts';

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
