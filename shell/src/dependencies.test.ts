import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const SRC = dirname(fileURLToPath(import.meta.url));

/** Folders from top to bottom: each imports only from those below it. */
const SERVER_LAYERS = [
  'server/app.ts',
  'server/config.ts',
  'server/operations',
  'server/pages',
  'server/api',
  'server/seo',
  'server/files',
  'server/accounts',
  'server/cache',
  'server/compose',
  'server/releases',
  'server/rendering',
  'server/layout',
  'server/http',
  'server/search',
  'server/visitor',
  'server/upstream',
  'server/bounds',
];
/** Attach extensions; no other file may know one. */
const ROOTS = ['server.ts', 'start.ts'];

const files = (readdirSync(SRC, { recursive: true }) as string[])
  .map((path) => path.split(sep).join('/'))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.|(^|\/)testing\//.test(path))
  .filter((path) => statSync(join(SRC, path)).isFile());
const IMPORT = /(?:from|import)\s*\(?\s*(?:\/\*[^*]*\*\/\s*)?'(\.{1,2}\/[^']+\.tsx?)'/g;
/** Includes type imports. */
const imports = new Map(
  files.map((file) => [
    file,
    [...readFileSync(join(SRC, file), 'utf8').matchAll(IMPORT)].map(([, path = '']) =>
      relative(SRC, resolve(SRC, dirname(file), path))
        .split(sep)
        .join('/'),
    ),
  ]),
);
const edges = [...imports].flatMap(([from, targets]) => targets.map((to) => [from, to] as const));

describe('folders of the shell', () => {
  it('keeps extensions out of the core', () => {
    const known = edges.filter(
      ([from, to]) =>
        to.startsWith('extensions/') && !from.startsWith('extensions/') && !ROOTS.includes(from),
    );
    expect(known).toEqual([]);
    for (const root of ROOTS) expect(imports.get(root)?.join()).toContain('extensions/');
  });

  it('separates browser and server', () => {
    const crossing = edges.filter(
      ([from, to]) =>
        (/(^|\/)browser\//.test(from) && /(^|\/)server(\/|\.ts)/.test(to)) ||
        (/(^|\/)server(\/|\.ts)/.test(from) && /(^|\/)browser\//.test(to)) ||
        (/(^|\/)both\//.test(from) && /(^|\/)(server|browser)\//.test(to)),
    );
    expect(crossing).toEqual([]);
  });

  it('imports in one direction on the server', () => {
    const layerOf = (file: string) =>
      SERVER_LAYERS.findIndex((layer) => file === layer || file.startsWith(`${layer}/`));
    const upward = edges.filter(
      ([from, to]) => layerOf(from) !== -1 && layerOf(to) !== -1 && layerOf(to) < layerOf(from),
    );
    expect(upward).toEqual([]);
    expect(files.filter((file) => file.startsWith('server/') && layerOf(file) === -1)).toEqual([]);
  });

  it('loads the SDK of traces in one place, and only when that is called', () => {
    const users = files.filter((file) => readFileSync(join(SRC, file), 'utf8').includes("'@opentelemetry/"));
    expect(users).toEqual(['server/operations/tracing.ts']);
    const source = readFileSync(join(SRC, 'server/operations/tracing.ts'), 'utf8');
    const lines = source.split('\n').filter((line) => line.includes("'@opentelemetry/"));
    for (const line of lines) expect(line).toMatch(/^import type |await import\(/);
  });

  it('has no import cycles, including type imports', () => {
    const cycles: string[][] = [];
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]) => {
      if (path.includes(file)) return void cycles.push([...path.slice(path.indexOf(file)), file]);
      if (done.has(file)) return;
      for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });
});
