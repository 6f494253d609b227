import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Imports from one tree: packages as its contracts resolve them, and files by path. */
export interface TreeModules {
  /** Folder of the tree. */
  readonly root: string;
  importPackage(name: string): Promise<Record<string, unknown>>;
  versionOf(packageName: string): string;
  /** Undefined when the tree has no such file. */
  importFile(path: string): Promise<Record<string, unknown> | undefined>;
}

export function treeModules(root: string): TreeModules {
  const require = createRequire(join(root, 'shared-contracts/package.json'));
  const importPath = (path: string) => import(pathToFileURL(path).href) as Promise<Record<string, unknown>>;
  return {
    root,
    importPackage: (name) => importPath(require.resolve(name)),
    versionOf: (name) => (require(`${name}/package.json`) as { version: string }).version,
    importFile: async (path) => (existsSync(join(root, path)) ? importPath(join(root, path)) : undefined),
  };
}
