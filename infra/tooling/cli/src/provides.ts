import { readFileSync, existsSync, readdirSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PAGE_SLOTS, SIZE_BUDGETS } from '@forecourt/search/releasePolicy';
import { marketplaceState } from '@forecourt/search/state';
import { providesOf, type Provides, slotsByRemote } from '@forecourt/releases/gate';
import { z } from 'zod';

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  /** Contract packages only: their modules of which a page has one instance, and the slots of other pages. */
  forecourt: z
    .object({ sharedModules: z.array(z.string()), pageSlots: z.array(z.string()).default([]) })
    .optional(),
});
type PackageJson = z.infer<typeof packageSchema>;

/** 'react-dom/client' → 'react-dom' */
export const packageOf = (module: string): string =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');

export const readPackage = (file: string): PackageJson =>
  packageSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

function findInstalled(name: string, directory: string): PackageJson | undefined {
  try {
    const file = findPackageJSON(name, pathToFileURL(join(directory, 'package.json')));
    return file === undefined ? undefined : readPackage(file);
  } catch {
    return undefined;
  }
}

/** The contract packages that the package in `directory` depends on, by name. */
export function installedContracts(directory: string): Map<string, PackageJson> {
  const { dependencies } = readPackage(join(directory, 'package.json'));
  const contracts = new Map<string, PackageJson>();
  for (const name of Object.keys(dependencies)) {
    const installed = findInstalled(name, directory);
    if (installed?.forecourt) contracts.set(name, installed);
  }
  return contracts;
}

/** The version that is installed where code in `directory` would find it. */
export function versionOf(name: string, directory: string): string {
  const installed = findInstalled(name, directory);
  if (!installed) throw new Error(`${name} is not installed in ${directory}`);
  return installed.version;
}

/** Where the modules are installed that a build of `directory` shares: the shell of its repository, or the folder itself. */
export function providingFolder(directory: string): string {
  const repository = findRepository(directory);
  return repository === undefined ? directory : join(repository, 'shell');
}

/**
 * What a shell would provide to releases, from files only: by the shell
 * of the repository around `directory`, or, in a remote's own repository, by
 * the packages installed there, which place no slots.
 */
export async function localProvides(directory: string): Promise<Provides> {
  const repository = findRepository(directory);
  const base = providingFolder(directory);
  const contracts = installedContracts(base);
  const facts = [...contracts.values()].map(({ forecourt }) => forecourt);
  const shared = facts.flatMap((one) => one?.sharedModules ?? []);
  return providesOf({
    shared: Object.fromEntries(shared.map((module) => [module, versionOf(packageOf(module), base)])),
    contracts: Object.fromEntries([...contracts].map(([name, { version }]) => [name, version])),
    state: marketplaceState.parts,
    placed: repository === undefined ? {} : await placedSlots(repository),
    pageSlots: PAGE_SLOTS,
    budgets: SIZE_BUDGETS,
  });
}

type Placements = Parameters<typeof slotsByRemote>[0];

/** The slots of the results page; other pages have theirs in the same file. */
const LAYOUT_TABLE = /^export const LAYOUT\b/m;

/** The nearest folder at or above `directory` that holds a shell; undefined outside a Forecourt repository. */
export function findRepository(directory: string): string | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (findLayoutFile(folder) !== undefined) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The shell's layout table, wherever the shell keeps it; a path below `repository` with forward slashes. */
export function findLayoutFile(repository: string): string | undefined {
  const sources = join(repository, 'shell/src');
  if (!existsSync(sources)) return undefined;
  const file = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .sort()
    .find((path) => LAYOUT_TABLE.test(readFileSync(join(sources, path), 'utf8')));
  return file && `shell/src/${file.replaceAll('\\', '/')}`;
}

/** Remote to its slots on any page of the repository's shell, read without building the shell. */
export async function placedSlots(repository: string): Promise<Record<string, string[]>> {
  const file = findLayoutFile(repository);
  if (file === undefined) return {};
  const module = (await import(pathToFileURL(join(repository, file)).href)) as {
    LAYOUT?: Placements;
    /** Absent in trees whose only page is the results page. */
    ALL_PLACEMENTS?: Placements;
  };
  return slotsByRemote(module.ALL_PLACEMENTS ?? module.LAYOUT ?? []);
}
