import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a contract package tells the builds. */
interface ContractFacts {
  /** Modules of which a page must have exactly one instance. */
  readonly sharedModules: readonly string[];
  /** Slots that other pages than the main one have: their files are chunks of their own. */
  readonly pageSlots?: readonly string[];
  /** Slots that most visits never reach: a remote's other slots load without their code. */
  readonly laterSlots?: readonly string[];
}

export interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  /** Contract packages only. */
  readonly forecourt?: ContractFacts;
}

export const readPackageJson = (directory: string): PackageJson =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as PackageJson;

/** package.json of an installed package, as code in `directory` would resolve it; undefined if it is not installed. */
function findInstalled(name: string, directory: string): PackageJson | undefined {
  try {
    const file = findPackageJSON(name, pathToFileURL(join(directory, 'package.json')));
    return file === undefined ? undefined : readPackageJson(dirname(file));
  } catch {
    return undefined;
  }
}

/** 'react-dom/client' → 'react-dom', '@forecourt/slots/ui' → '@forecourt/slots'. */
export const packageOf = (module: string): string =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');

/** The contract packages that the package in `directory` depends on. */
const contractsOf = (directory: string): PackageJson[] =>
  Object.keys(readPackageJson(directory).dependencies ?? {})
    .map((name) => findInstalled(name, directory))
    .filter((installed) => installed?.forecourt !== undefined) as PackageJson[];

/**
 * Modules of which a page must have exactly one instance, listed in the
 * package.json of the contracts: React, and the contract modules that hold state or
 * that nearly every remote needs. Sharing more would defeat tree shaking, so
 * other modules are bundled into each remote (ADR 2).
 */
export const sharedModules = (directory: string): readonly string[] =>
  contractsOf(directory).flatMap(({ forecourt }) => forecourt?.sharedModules ?? []);

/** Slots of a kind, listed in the package.json of the contracts. */
export const slotsListedAs = (kind: 'pageSlots' | 'laterSlots', directory: string): ReadonlySet<string> =>
  new Set(contractsOf(directory).flatMap(({ forecourt }) => forecourt?.[kind] ?? []));

/** Contract package to its installed version, for those that the package in `directory` depends on. */
export const contractVersions = (directory: string): Record<string, string> =>
  Object.fromEntries(contractsOf(directory).map(({ name, version }) => [name, version]));

/** The installed version of a module's package: the version that a shell provides. */
export function providedVersion(module: string, directory: string): string {
  const installed = findInstalled(packageOf(module), directory);
  if (!installed) throw new Error(`${packageOf(module)} is not installed in ${directory}`);
  return installed.version;
}

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
