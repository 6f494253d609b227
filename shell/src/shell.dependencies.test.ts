import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const SRC = dirname(fileURLToPath(import.meta.url));

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

const isBrowser = (file: string): boolean => /(^|\/)browser\//.test(file);
/** Runs on the server and in the browser. */
const isUniversal = (file: string): boolean => /(^|\/)(universal|slots)\//.test(file);
const isServer = (file: string): boolean =>
  /^(engine|marketplace)\//.test(file) && !isBrowser(file) && !isUniversal(file);

describe('folders of the shell', () => {
  it('separates browser and server', () => {
    const crossing = edges.filter(
      ([from, to]) =>
        (isBrowser(from) && isServer(to)) ||
        (isServer(from) && isBrowser(to)) ||
        (isUniversal(from) && (isServer(to) || isBrowser(to))),
    );
    expect(crossing).toEqual([]);
  });

  it('keeps the service kit out of browser code', () => {
    const users = files.filter((file) =>
      readFileSync(join(SRC, file), 'utf8').includes("'@forecourt/service-kit"),
    );
    expect(users.filter((file) => !isServer(file) && file !== 'server.ts')).toEqual([]);
    expect(users.length).toBeGreaterThan(10);
  });

  it('loads no SDK of traces: the service kit does, when a receiver is configured', () => {
    const users = files.filter((file) => readFileSync(join(SRC, file), 'utf8').includes("'@opentelemetry/"));
    expect(users).toEqual(['engine/operations/tracing.ts']);
    const source = readFileSync(join(SRC, 'engine/operations/tracing.ts'), 'utf8');
    const lines = source.split('\n').filter((line) => line.includes("'@opentelemetry/"));
    for (const line of lines) expect(line).toMatch(/^import type /);
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
