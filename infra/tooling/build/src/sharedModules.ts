import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const CONTRACT = '@forecourt/shared-contracts';

export interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Shared modules of the contract only. */
  readonly forecourt?: { readonly sharedModules: readonly string[] };
}

export const readPackageJson = (directory: string): PackageJson =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as PackageJson;

/** package.json of an installed package, as code in `directory` would resolve it. */
function readInstalled(name: string, directory: string): PackageJson {
  const file = findPackageJSON(name, pathToFileURL(join(directory, 'package.json')));
  if (file === undefined) throw new Error(`${name} is not installed in ${directory}`);
  return readPackageJson(dirname(file));
}

/** 'react-dom/client' → 'react-dom', '@forecourt/shared-contracts/ui' → '@forecourt/shared-contracts'. */
export const packageOf = (module: string): string =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');

/**
 * Modules of which a page must have exactly one instance, listed in the
 * contract's package.json: React, and the contract modules that hold state or
 * that nearly every remote needs. Sharing more would defeat tree shaking, so
 * other modules are bundled into each remote (ADR 2).
 */
export const sharedModules = (directory: string): readonly string[] =>
  readInstalled(CONTRACT, directory).forecourt?.sharedModules ?? [];

/** The installed version of a module's package: the version that a shell provides. */
export const providedVersion = (module: string, directory: string): string =>
  readInstalled(packageOf(module), directory).version;

/** Version of the installed contract. */
export const contractVersion = (directory: string): string => providedVersion(CONTRACT, directory);

/**
 * The npm workspace around `directory`, else `directory` itself: a remote in
 * its own repository is its own root. It contains the webpack cache.
 */
export function workspaceRoot(directory: string): string {
  for (let folder = dirname(directory); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      if (readPackageJson(folder).workspaces) return folder;
    } catch {
      // No package.json in this folder.
    }
  }
  return directory;
}

/** Name of a remote's container: a JavaScript identifier, since it becomes a global. */
export const containerName = (remote: string): string => remote.replaceAll('-', '_');
