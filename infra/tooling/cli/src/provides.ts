import { readFileSync, existsSync, readdirSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { providesOf, type Provides, slotsByRemote } from '@forecourt/releases/gate';
import { z } from 'zod';

const CONTRACT = '@forecourt/shared-contracts';

const packageSchema = z.object({
  version: z.string(),
  /** Shared modules of the contract only, of which a page has one instance. */
  forecourt: z.object({ sharedModules: z.array(z.string()) }).optional(),
});

/** 'react-dom/client' → 'react-dom' */
const packageOf = (module: string): string =>
  module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');

function readInstalled(name: string, directory: string): z.infer<typeof packageSchema> {
  const file = findPackageJSON(name, pathToFileURL(join(directory, 'package.json')));
  if (file === undefined) throw new Error(`${name} is not installed in ${directory}`);
  return packageSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/**
 * What a shell would provide to releases, from files only: by the shell
 * of the repository around `directory`, or, in a remote's own repository, by
 * the packages installed there, which place no slots.
 */
export async function localProvides(directory: string): Promise<Provides> {
  const repository = findRepository(directory);
  const base = repository ?? directory;
  const contract = readInstalled(CONTRACT, base);
  const shared = Object.fromEntries(
    (contract.forecourt?.sharedModules ?? []).map((module) => [
      module,
      readInstalled(packageOf(module), base).version,
    ]),
  );
  return providesOf({
    shared,
    contract: contract.version,
    placed: repository === undefined ? {} : await placedSlots(repository),
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
