import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SHELL_OWNER, classTag, isOwnClass } from '@forecourt/releases/ownNames';
import { className } from './loadTsx.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../../..');
const run = promisify(execFile);
/** Four builds, on a busy machine. */
const TIMEOUT_MS = 120_000;

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({ name: 'root', workspaces: ['mfe-tiny'] }),
  'mfe-tiny/package.json': JSON.stringify({
    name: '@forecourt/mfe-tiny',
    version: '1.0.0',
    type: 'module',
    dependencies: {
      '@forecourt/slots': '^1.0.0',
      react: '^19.0.0',
      'react-dom': '^19.0.0',
      'react-redux': '^9.0.0',
    },
  }),
  'mfe-tiny/src/slots/tiny.tsx': `
    import { lazy } from 'react';
    import { defineSlot } from '@forecourt/slots';
    import styles from './tiny.module.css';
    const Later = lazy(() => import('../Later.tsx'));
    export default defineSlot({ reads: [], view: () => <p className={styles['text']}>tiny <Later /></p> });`,
  'mfe-tiny/src/slots/tiny.module.css': '.text { color: red }',
  'mfe-tiny/src/Later.tsx': `export default function Later() { return <b>later</b>; }`,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'forecourt-reproducible-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A checkout with one remote. */
function checkOut(path: string): string {
  const root = join(folder, path);
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(root, 'node_modules'));
  return root;
}

async function buildIn(directory: string): Promise<void> {
  const bin = join(REPOSITORY, 'infra/tooling/build/bin/forecourt-build.mjs');
  await run(process.execPath, [bin], {
    cwd: directory,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

/** Builds the remote and returns its manifest. */
async function build(root: string): Promise<string> {
  await buildIn(join(root, 'mfe-tiny'));
  return readFileSync(join(root, 'mfe-tiny/dist/release.json'), 'utf8');
}

it(
  'builds the same release in a moved checkout with the cache of its old place, and repairs a damaged file',
  async () => {
    const first = checkOut('one');
    const expected = await build(first);
    const moved = join(folder, 'two');
    renameSync(first, moved);
    expect(await build(moved)).toBe(expected);

    const [script = ''] = (JSON.parse(expected) as { slots: { tiny: { scripts: string[] } } }).slots.tiny
      .scripts;
    const file = join(moved, 'mfe-tiny/dist', script);
    const intact = readFileSync(file, 'utf8');
    writeFileSync(file, intact.replace('tiny', 'TINY'));
    expect(await build(moved)).toBe(expected);
    expect(readFileSync(file, 'utf8')).toBe(intact);
  },
  TIMEOUT_MS,
);

const SHELL_FILES = ['main.ts', 'early.ts', 'server.ts', 'releaseProgram.ts'];

/** The federation's runtime, which names what it is built from. */
const MAIN = `
  import { createInstance } from '@module-federation/enhanced/runtime';
  Object.assign(globalThis, { createInstance });`;

/** Builds a shell with no other code, and returns its entry for browsers. */
async function buildShell(path: string): Promise<string> {
  const root = checkOut(path);
  const shell = join(root, 'mfe-tiny');
  for (const file of SHELL_FILES) {
    mkdirSync(join(shell, 'src', file, '..'), { recursive: true });
    writeFileSync(join(shell, 'src', file), file === 'main.ts' ? MAIN : '');
  }
  await buildIn(shell);
  return readFileSync(join(shell, 'dist/web/shell.js'), 'utf8');
}

it(
  'builds the same shell in any folder',
  async () => {
    const shells = [await buildShell('here'), await buildShell('some/where/else')];
    expect(shells[0]).toContain('Federation');
    expect(shells[1]).toBe(shells[0]);
  },
  TIMEOUT_MS,
);

it(
  'gives each slot its own styles after those that slots share',
  async () => {
    const root = checkOut('two-slots');
    const slot = (name: string) => `
      import { lazy } from 'react';
      import { defineSlot } from '@forecourt/slots';
      import styles from './${name}.module.css';
      import shared from '../shared.module.css';
      const Later = lazy(() => import('../Later.tsx'));
      const view = () => <p className={\`\${styles['text']} \${shared['text']}\`}><Later /></p>;
      export default defineSlot({ reads: [], view });`;
    const sources = join(root, 'mfe-tiny/src');
    writeFileSync(join(sources, 'shared.module.css'), '.text { color: black }');
    writeFileSync(join(sources, 'slots/tiny.tsx'), slot('tiny'));
    writeFileSync(join(sources, 'slots/other.tsx'), slot('other'));
    const long = Array.from({ length: 200 }, (_, index) => `.text${index} { order: ${index} }`).join('');
    for (const [name, color] of Object.entries({ tiny: 'red', other: 'blue' }))
      writeFileSync(join(sources, `slots/${name}.module.css`), `.text { color: ${color} } ${long}`);
    const { slots } = JSON.parse(await build(root)) as { slots: Record<string, { styles: string[] }> };
    const stylesOf = (name: string) =>
      slots[name]?.styles.map((path) => readFileSync(join(root, 'mfe-tiny/dist', path), 'utf8'));
    expect(stylesOf('tiny')).toEqual([expect.stringContaining('#000'), expect.stringContaining('red')]);
    expect(stylesOf('other')).toEqual([expect.stringContaining('#000'), expect.stringContaining('#00f')]);
  },
  TIMEOUT_MS,
);

it('numbers the classes of a package in the order of its files, later ones last', () => {
  const remote = join(folder, 'numbered');
  const write = (path: string, locals: readonly string[]) => {
    const file = join(remote, 'src', path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, locals.map((local) => `.${local}{order:1}`).join(''));
    return (local: string) => className('mfe-tiny', remote, file, local);
  };
  const many = Array.from({ length: 51 }, (_, index) => `of${index}`);
  const later = write('a.later.module.css', ['late']);
  const first = write('b/first.module.css', ['own', ...many]);
  const second = write('c.module.css', ['own']);
  const tag = classTag('mfe-tiny');
  expect([first('own'), first('of50'), second('own'), later('late')]).toEqual([
    `a${tag}`,
    `Z${tag}`,
    `aa${tag}`,
    `ab${tag}`,
  ]);
  // A name of a keyframe has no number.
  expect(second('spin')).toMatch(new RegExp(`^spin-\\w{3}${tag}$`));
});

it('names each class of a file elsewhere by its place and the hash of the path', () => {
  const file = join(folder, 'many.module.css');
  const locals = Array.from({ length: 120 }, (_, index) => `of${index}`);
  writeFileSync(file, locals.map((local) => `.${local}{margin:.5px}.${local}:hover{top:0}`).join(''));
  const names = locals.map((local) => className('mfe-tiny', folder, file, local));
  expect(new Set(names).size).toBe(locals.length);
  const [hash = ''] = new Set(names.map((name) => name.slice(-6)));
  expect(names).toEqual(expect.arrayContaining([`a${hash}`, `Z${hash}`, `aa${hash}`]));
  for (const name of names) expect(name).toMatch(/^[a-zA-Z]{1,2}\w{6}$/);
  expect(className('mfe-other', folder, file, 'of0')).not.toBe(`a${hash}`);
  for (const name of names) expect(isOwnClass(name, 'mfe-tiny')).toBe(true);
  // A name of a keyframe has no place.
  expect(className('mfe-tiny', folder, file, 'spin')).toBe(`spin-${hash}`);
});

it('names the classes of shared contract modules alike wherever they are installed, and those that a remote bundles as its own', () => {
  const nameIn = (path: string, owner: string) => {
    const file = join(folder, path, 'ui/Own.module.css');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '.own { order: 1 }');
    return className(owner, join(folder, 'mfe-tiny'), file, 'own');
  };
  const inWorkspace = nameIn('shared-contracts/slots/src', SHELL_OWNER);
  expect(nameIn('own/node_modules/@forecourt/slots/dist', SHELL_OWNER)).toBe(inWorkspace);
  expect(nameIn('mfe-tiny/src', SHELL_OWNER)).not.toBe(inWorkspace);
  const bundled = nameIn('shared-contracts/search/src', 'mfe-tiny');
  expect(isOwnClass(bundled, 'mfe-tiny')).toBe(true);
  expect(nameIn('own/node_modules/@forecourt/search/dist', 'mfe-tiny')).toBe(bundled);
  expect(nameIn('shared-contracts/slots/src', 'mfe-tiny')).not.toBe(bundled);
});
