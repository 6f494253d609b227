import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { providesSchema, SIZE_BUDGETS, type Provides } from '@forecourt/shared-contracts/slots/gate';
import { providedVersion } from './providedVersion.ts';
import { SHARED_MODULES } from './shared.ts';

interface Placement {
  readonly slot: string;
  readonly source: 'shell' | { readonly remote: string };
}

/**
 * What a shell built of this repository would provide to releases and ask of
 * them, read without building it. Throws where there is no such repository.
 */
export async function repositoryProvides(repositoryRoot: string): Promise<Provides> {
  const layoutFile = join(repositoryRoot, 'shell/src/page/layout.ts');
  if (!existsSync(layoutFile))
    throw new Error(`no shell in ${repositoryRoot}: name a running one by --shell`);
  const { LAYOUT } = (await import(pathToFileURL(layoutFile).href)) as { LAYOUT: readonly Placement[] };
  const remotes: Record<string, { slots: string[] }> = {};
  for (const { slot, source } of LAYOUT)
    if (source !== 'shell') (remotes[source.remote] ??= { slots: [] }).slots.push(slot);
  const contracts = join(repositoryRoot, 'shared-contracts/package.json');
  return providesSchema.parse({
    shared: Object.fromEntries(
      SHARED_MODULES.map((module) => [module, providedVersion(module, repositoryRoot)]),
    ),
    contract: (JSON.parse(readFileSync(contracts, 'utf8')) as { version: string }).version,
    remotes,
    budgets: SIZE_BUDGETS,
  });
}
