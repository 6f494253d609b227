import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { deadReferences } from './markdown.ts';
import { readSources } from './sources.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../../..');

let folder = '';
afterEach(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

/** The dead references in a repository of these files. */
function referencesIn(files: Readonly<Record<string, string>>): readonly string[] {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-markdown-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  execFileSync('git', ['-C', folder, 'init', '--quiet']);
  execFileSync('git', ['-C', folder, 'add', '--all']);
  return deadReferences(folder).map(({ reference }) => reference);
}

describe('deadReferences', () => {
  it('finds links to files and headings that do not exist', () => {
    expect(
      referencesIn({
        'README.md':
          '# A\n\n[b](docs/b.md) [c](docs/c.md) [here](#a) [b](docs/b.md#two-words) [b](docs/b.md#three)',
        'docs/b.md': '## Two `words`\n\n[up](../README.md)',
      }),
    ).toEqual(['docs/c.md', 'docs/b.md#three']);
  });

  it('finds paths in code marks that do not exist, but no globs and build folders', () => {
    expect(
      referencesIn({
        'shell/a.ts': '',
        'README.md': '`shell/a.ts` `shell/b.ts` `shell/*.ts` `shell/dist/web`',
      }),
    ).toEqual(['shell/b.ts']);
  });

  it('finds names of source files that do not exist in any folder', () => {
    expect(
      referencesIn({
        'shell/src/cache/key.ts': '',
        'README.md': '`key.ts` `cache/key.ts` `cache/page.ts` `other.test.ts` `pointers.json`',
      }),
    ).toEqual(['cache/page.ts', 'other.test.ts']);
  });

  it('finds commands that no package has', () => {
    expect(
      referencesIn({
        'package.json': '{"scripts": {"dev": "true"}}',
        'shell/package.json': '{"name": "shell", "scripts": {"serve": "true"}}',
        'README.md': '`npm run dev` `npm run serve -w shell` `npm run gone` `npm run dev -w shell`',
      }),
    ).toEqual(['npm run gone', 'npm run dev -w shell']);
  });

  it('ignores links of the web, code blocks and changelogs', () => {
    expect(
      referencesIn({
        'README.md': '[w](https://example.com)\n\n```ts\nconst a = [b](c);\n```\n',
        'CHANGELOG.md': '[gone](gone.md)',
      }),
    ).toEqual([]);
  });
});

it('finds no dead reference in the documentation', () => {
  expect(deadReferences(REPOSITORY)).toEqual([]);
});

const [, ...sections] = readFileSync(join(REPOSITORY, 'infra/docs/stack.md'), 'utf8').split(/^## /m);

/** Installed on demand, in a folder that is no workspace. */
const LERNA = 'infra/tooling/releasing/lerna';
const packageJsons = ['.', LERNA, ...readSources(REPOSITORY).packages.map(({ folder }) => folder)].map(
  (folder) =>
    JSON.parse(readFileSync(join(REPOSITORY, folder, 'package.json'), 'utf8')) as Record<
      'dependencies' | 'devDependencies',
      Readonly<Record<string, string>> | undefined
    >,
);
const isDependency = (name: string): boolean =>
  packageJsons.some(({ dependencies, devDependencies }) => name in { ...dependencies, ...devDependencies });

describe('the page about the stack', () => {
  it.each(sections.map((section) => [/^\S+/.exec(section)?.[0] ?? '', section] as const))(
    'says of %s, a dependency, what it does, where to look and what is not used',
    (name, section) => {
      expect(isDependency(name)).toBe(true);
      expect(section).toMatch(/Not used|Never imported/);
      const paths = [...section.matchAll(/`((?:infra|mfe-[a-z-]+|shared-contracts|shell)\/[^`]+)`/g)];
      expect(paths.map(([, path]) => path).filter((path) => !existsSync(join(REPOSITORY, path!)))).toEqual(
        [],
      );
    },
  );
});
