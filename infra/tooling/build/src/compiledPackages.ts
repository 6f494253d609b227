import { createHash, randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { readPackageJson } from './sharedModules.ts';

// Compiling a package for its tarball takes seconds, nearly all of them for the types of other packages, and most
// packages are packed again unchanged. What was compiled is kept beside the installed packages, by its inputs.

/** Of each package; the oldest go. */
const KEPT = 4;
const TEST = /\.test\.tsx?$/;

/** Types that every package is compiled with. */
export const AMBIENT = join(import.meta.dirname, '../types/css.d.ts');

/** The files of a folder of sources but its tests, as paths in it, in a fixed order. */
export const filesOf = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !TEST.test(path))
    .sort();

/** The folders of the workspace's packages that the package in `directory` reaches by its dependencies, itself first. */
function reachedPackages(
  directory: string,
  root: string,
  reached: Set<string> = new Set(),
): ReadonlySet<string> {
  const folder = realpathSync(directory);
  if (reached.has(folder)) return reached;
  reached.add(folder);
  for (const name of Object.keys(readPackageJson(folder).dependencies ?? {})) {
    const linked = join(root, 'node_modules', name);
    // Other packages are installed, and the lock file below names their versions.
    if (existsSync(linked) && !realpathSync(linked).includes('node_modules'))
      reachedPackages(linked, root, reached);
  }
  return reached;
}

/** A name for everything that the compiled files depend on. */
function inputsOf(directory: string, root: string): string {
  const hash = createHash('sha256');
  const add = (path: string, name = '') => hash.update(`${name}\0`).update(readFileSync(path)).update('\0');
  for (const name of ['tsconfig.json', 'node_modules/.package-lock.json']) add(join(root, name));
  add(AMBIENT);
  const packages = [...reachedPackages(directory, root)];
  for (const folder of packages) add(join(folder, 'package.json'));
  for (const folder of [...packages.map((each) => join(each, 'src')), import.meta.dirname])
    for (const path of filesOf(folder)) add(join(folder, path), path);
  return hash.digest('hex');
}

/** Fills `dist` of the package in `directory` by `compile`, or with what `compile` made of the same inputs before. */
export function compileOnce(directory: string, root: string, compile: () => void): void {
  const { name } = readPackageJson(directory);
  const dist = join(directory, 'dist');
  const kept = join(root, 'node_modules/.cache/forecourt-pack', name);
  const entry = join(kept, inputsOf(directory, root));
  if (existsSync(entry)) {
    rmSync(dist, { recursive: true, force: true });
    cpSync(entry, dist, { recursive: true });
    return;
  }
  compile();
  // In one step: another pack never finds a part of it.
  const draft = join(kept, randomUUID());
  cpSync(dist, draft, { recursive: true });
  try {
    renameSync(draft, entry);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another pack was faster.
    if (!existsSync(entry)) throw error;
  }
  const byAge = readdirSync(kept)
    .map((id) => ({ path: join(kept, id), ms: statSync(join(kept, id)).mtimeMs }))
    .sort((one, other) => other.ms - one.ms);
  for (const { path } of byAge.slice(KEPT)) rmSync(path, { recursive: true, force: true });
}
