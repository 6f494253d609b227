import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildEach, openBuildCache } from './buildAll.ts';

const FOLDERS = ['mfe-results', 'shell'];

let root: string;
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const open = () => openBuildCache(root, FOLDERS);
const freshFolders = () => FOLDERS.filter((folder) => open().isFresh(folder));

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'forecourt-builds-'));
  write('package-lock.json', '{}');
  write('tsconfig.json', '{}');
  write('shared-contracts/src/index.ts', 'export const a = 1;');
  write('infra/tooling/build/src/rules.ts', 'export const b = 1;');
  write('infra/release-kit/src/isolatedProgram.ts', 'export const c = 1;');
  for (const folder of FOLDERS) {
    write(`${folder}/src/main.ts`, 'export const c = 1;');
    write(`${folder}/dist/web/main.js`, 'const c=1');
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the build cache', () => {
  it('reports every package as stale before the first build', () => {
    expect(freshFolders()).toEqual([]);
  });

  describe('after a build of all packages', () => {
    beforeEach(() => {
      const cache = open();
      for (const folder of FOLDERS) cache.record(folder);
    });

    it('reports every package as fresh when nothing changed', () => {
      expect(freshFolders()).toEqual(FOLDERS);
    });

    it('reports every package as fresh in a checkout that was moved', () => {
      const moved = `${root}-moved`;
      renameSync(root, moved);
      root = moved;
      expect(freshFolders()).toEqual(FOLDERS);
    });

    it.each([
      ['the contracts change', 'shared-contracts/src/index.ts', []],
      ['the build rules change', 'infra/tooling/build/src/rules.ts', []],
      ['what reads slots of builds changes', 'infra/release-kit/src/isolatedProgram.ts', []],
      ['the installed versions change', 'package-lock.json', []],
      ['a source file of one package changes', 'mfe-results/src/main.ts', ['shell']],
      ['a file is added to one package', 'mfe-results/src/added.css', ['shell']],
      ['the output of one package is overwritten', 'shell/dist/web/main.js', ['mfe-results']],
      ['only a test changes', 'shared-contracts/src/index.test.ts', FOLDERS],
      ['only a README changes', 'mfe-results/README.md', FOLDERS],
    ])('reports only the unaffected packages as fresh when %s', (_case, path, fresh) => {
      write(path, '// changed content');
      expect(freshFolders()).toEqual(fresh);
    });

    it('rebuilds a package whose output was deleted', () => {
      rmSync(join(root, 'shell/dist'), { recursive: true });
      expect(freshFolders()).toEqual(['mfe-results']);
    });
  });

  it('rebuilds a package when one that it depends on, directly or not, has changed', () => {
    const dependsOn = (folder: string, name: string, dependency: string) => {
      write(`${folder}/package.json`, JSON.stringify({ name, dependencies: { [dependency]: '^1.0.0' } }));
      symlinkSync(join(root, folder), join(root, 'node_modules', name));
    };
    mkdirSync(join(root, 'node_modules'));
    write('infra/kit/src/log.ts', '');
    dependsOn('infra/kit', 'kit', 'express');
    dependsOn('infra/engine', 'engine', 'kit');
    dependsOn('shell', 'shell', 'engine');
    const cache = open();
    for (const folder of FOLDERS) cache.record(folder);
    expect(freshFolders()).toEqual(FOLDERS);
    write('infra/kit/src/log.ts', '// changed content');
    expect(freshFolders()).toEqual(['mfe-results']);
  });

  it('leaves a package stale when its source changes during the build', () => {
    const cache = open();
    write('shell/src/main.ts', 'export const c = 2;');
    for (const folder of FOLDERS) cache.record(folder);
    expect(freshFolders()).toEqual(['mfe-results']);
  });
});

describe('buildEach', () => {
  const unless = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));

  it('rejects with the error of the package that failed, not of the one that it stopped', async () => {
    const started: string[] = [];
    const build = buildEach(['slow', 'broken', 'third'], async (name, signal) => {
      started.push(name);
      if (name === 'broken') throw new Error('broken: a syntax error');
      await unless(signal);
    });
    await expect(build).rejects.toThrow('broken: a syntax error');
    expect(started).toEqual(['slow', 'broken']);
  });

  it('builds every package, two at a time', async () => {
    let [running, most] = [0, 0];
    const built: string[] = [];
    await buildEach(['a', 'b', 'c', 'd', 'e'], async (name) => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      built.push(name);
    });
    expect(built.sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(most).toBe(2);
  });
});
