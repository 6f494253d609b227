import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

export interface Package {
  /** Relative to the repository, e.g. 'infra/tooling/build'. */
  readonly folder: string;
  readonly name: string;
  /** The subpaths that other packages may import, e.g. './search'. */
  readonly exports: readonly string[];
}

export interface Import {
  /** As written, e.g. '../config.ts'. */
  readonly specifier: string;
  readonly line: number;
  /** `import('…')`: loads at run time, for example an optional package. */
  readonly isDynamic: boolean;
}

/** All packages of the workspace, and what each of their source files imports. */
export interface Sources {
  readonly packages: readonly Package[];
  /** By path relative to the repository, with forward slashes. */
  readonly imports: ReadonlyMap<string, readonly Import[]>;
}

export const SKIPPED: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'coverage',
  'screenshots',
  'tools',
  'peers',
]);
const SOURCE_FILE = /(?<!\.d)\.[cm]?tsx?$|\.mjs$/;

function* sourceFiles(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name) && !entry.name.startsWith('.')) yield* sourceFiles(root, path);
    } else if (SOURCE_FILE.test(entry.name)) yield path;
  }
}

/** Imports of every kind, those of types too; the scanner needs no syntax tree, so a thousand files take half a second. */
function importsOf(source: string): Import[] {
  let line = 1;
  let position = 0;
  return ts.preProcessFile(source, true, true).importedFiles.map(({ fileName, pos }) => {
    for (; position < pos; position += 1) if (source.charCodeAt(position) === 10) line += 1;
    const isDynamic = /\bimport\(\s*['"]?$/.test(source.slice(Math.max(0, pos - 20), pos));
    return { specifier: fileName, line, isDynamic };
  });
}

interface PackageJson {
  readonly name: string;
  readonly workspaces?: readonly string[];
  readonly exports?: string | Readonly<Record<string, unknown>>;
}

function readPackage(root: string, folder: string): Package {
  const { name, exports = {} } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as PackageJson;
  return { folder, name, exports: typeof exports === 'string' ? ['.'] : Object.keys(exports) };
}

export function readSources(root: string): Sources {
  const { workspaces = [] } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PackageJson;
  const folders = globSync([...workspaces], { cwd: root })
    .map((folder) => folder.replaceAll('\\', '/'))
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .sort();
  const files = folders.flatMap((folder) => [...sourceFiles(root, folder)]);
  return {
    packages: folders.map((folder) => readPackage(root, folder)),
    imports: new Map(files.map((file) => [file, importsOf(readFileSync(join(root, file), 'utf8'))])),
  };
}

/** The same sources with more or other files; for tests. */
export const withFiles = (sources: Sources, files: Readonly<Record<string, string>>): Sources => ({
  ...sources,
  imports: new Map([
    ...sources.imports,
    ...Object.entries(files).map(([path, text]) => [path, importsOf(text)] as const),
  ]),
});

/** The package that a file is part of: the innermost one. */
export const packageOf = ({ packages }: Sources, file: string): Package | undefined =>
  packages
    .filter(({ folder }) => file.startsWith(`${folder}/`))
    .sort((left, right) => right.folder.length - left.folder.length)[0];

/** The file that a relative import names; undefined for a package or a file that is no source. */
export function resolveImport(sources: Sources, from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const path = join(dirname(from), specifier).replaceAll('\\', '/');
  return sources.imports.has(path) ? path : undefined;
}
