import { globSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { SKIPPED } from './sources.ts';

/** Endings of files that a test or a style file may be named after. */
const SOURCES = ['.ts', '.tsx', '.mts', '.mjs', '.cjs', '.js', '.d.mts'];

/** 'results/ResultCard.module.css' → 'ResultCard', 'url.paths.test.ts' → 'url'; undefined for files that need no source of their name. */
function sourceNameOf(path: string): string | undefined {
  const [, test, style] = /^(?:(.+)\.test\.tsx?|(.+?)(?:\.later)?\.module\.css)$/.exec(basename(path)) ?? [];
  return test?.replace(/\.[^.]*$/, '') ?? style;
}

/** Test support and samples. */
const isExempt = (path: string): boolean => /(^|\/)(testing|fixtures)\//.test(path);

/**
 * Tests and style files whose name is that of no source beside them. A test of several files is named after a folder that it
 * stands in (`seo/seo.test.ts`). A test of one part adds its name: `page.cookies.test.ts` of a source, `seo.robots.test.ts` of a
 * folder. Tests of a journey through the composed page are `*.e2e.ts` and have a name of their own.
 */
export function misnamedFiles(paths: readonly string[]): string[] {
  const all = new Set(paths);
  return paths.filter((path) => {
    const name = sourceNameOf(path);
    if (name === undefined || isExempt(path)) return false;
    const folder = dirname(path);
    const hasSource = SOURCES.some((ending) => all.has(`${folder}/${name}${ending}`));
    const isNamedAfterFolder = !path.endsWith('.css') && folder.split('/').includes(name);
    return !hasSource && !isNamedAfterFolder;
  });
}

/** Every file of the repository that is no result of a build, with forward slashes. */
const readPaths = (root: string): string[] =>
  globSync('**/*.{ts,tsx,mts,mjs,cjs,js,css}', {
    cwd: root,
    exclude: (path) => SKIPPED.has(basename(path)) || basename(path).startsWith('.'),
  }).map((path) => path.replaceAll('\\', '/'));

/** `npm run lint` runs this: one line for each misnamed file, exit status 1 if there is any. */
function main(): void {
  for (const path of misnamedFiles(readPaths(resolve(import.meta.dirname, '../../../..')))) {
    process.exitCode = 1;
    process.stderr.write(`${path} error: no source beside it is called '${sourceNameOf(path)}'\n`);
  }
}

if (import.meta.main) main();
