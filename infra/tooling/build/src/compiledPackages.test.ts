import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { compileOnce } from './compiledPackages.ts';

let root: string;
const write = (path: string, text: string): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'forecourt-compiled-'));
  write('tsconfig.json', '{}');
  write('node_modules/.package-lock.json', '{}');
  write('sample/package.json', JSON.stringify({ name: '@forecourt/sample', version: '1.0.0' }));
  write('sample/src/index.ts', 'export const one = 1;');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Packs the sample; the text of its compiled file, and whether it was compiled anew. */
function pack(): { readonly text: string; readonly isNew: boolean } {
  let isNew = false;
  compileOnce(join(root, 'sample'), root, () => {
    isNew = true;
    write('sample/dist/index.js', readFileSync(join(root, 'sample/src/index.ts'), 'utf8').toUpperCase());
  });
  return { text: readFileSync(join(root, 'sample/dist/index.js'), 'utf8'), isNew };
}

describe('compileOnce', () => {
  it('takes what was compiled from the same files, also when something else is in dist', () => {
    expect(pack()).toEqual({ text: 'EXPORT CONST ONE = 1;', isNew: true });
    write('sample/dist/left.js', 'left');
    expect(pack()).toEqual({ text: 'EXPORT CONST ONE = 1;', isNew: false });
    expect(() => readFileSync(join(root, 'sample/dist/left.js'))).toThrow('ENOENT');
  });

  it.each([
    ['a source', 'sample/src/index.ts', 'export const two = 2;'],
    ['another file of the package', 'sample/src/more.css', 'a {}'],
    ['its version', 'sample/package.json', JSON.stringify({ name: '@forecourt/sample', version: '1.0.1' })],
    ['the compiler’s options', 'tsconfig.json', '{"strict": true}'],
    ['an installed package', 'node_modules/.package-lock.json', '{"packages": {}}'],
  ])('compiles anew when %s changes', (_, path, text) => {
    pack();
    write(path, text);
    expect(pack().isNew).toBe(true);
  });

  it('compiles anew when a package of the workspace changes that it depends on', () => {
    const dependencies = { '@forecourt/other': '1.0.0' };
    write(
      'sample/package.json',
      JSON.stringify({ name: '@forecourt/sample', version: '1.0.0', dependencies }),
    );
    write('other/package.json', JSON.stringify({ name: '@forecourt/other', version: '1.0.0' }));
    write('other/src/index.ts', 'export type Other = string;');
    mkdirSync(join(root, 'node_modules/@forecourt'), { recursive: true });
    symlinkSync(join(root, 'other'), join(root, 'node_modules/@forecourt/other'));
    expect(pack().isNew).toBe(true);
    expect(pack().isNew).toBe(false);
    write('other/src/index.ts', 'export type Other = number;');
    expect(pack().isNew).toBe(true);
  });

  it('forgets the oldest after some changes', () => {
    for (let version = 0; version < 8; version += 1) {
      write('sample/src/index.ts', `export const version = ${version};`);
      pack();
    }
    expect(readdirSync(join(root, 'node_modules/.cache/forecourt-pack/@forecourt/sample'))).toHaveLength(4);
  });
});
