import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { providesOf, type Provides } from '@forecourt/shared-contracts/slots/gate';
import { z } from 'zod';
import { findRepository, placedSlots } from './repositoryShell.ts';

const CONTRACT = '@forecourt/shared-contracts';

const packageSchema = z.object({
  version: z.string(),
  /** Of the contract alone: the modules that a page has one instance of. */
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
 * What a shell would provide to releases, judged by files alone: by the shell
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
