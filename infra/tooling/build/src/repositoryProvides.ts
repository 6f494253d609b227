import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { providesOf, slotsByRemote, type Provides } from '@forecourt/shared-contracts/slots/gate';
import { providedVersion } from './providedVersion.ts';
import { SHARED_MODULES } from './shared.ts';

/**
 * What a shell built of this repository would provide to releases and ask of
 * them, read without building it. Throws where there is no such repository.
 */
export async function repositoryProvides(repositoryRoot: string): Promise<Provides> {
  const layoutFile = join(repositoryRoot, 'shell/src/server/layout/layouts.ts');
  if (!existsSync(layoutFile))
    throw new Error(`no shell in ${repositoryRoot}: name a running one by --shell`);
  const { ALL_PLACEMENTS } = (await import(pathToFileURL(layoutFile).href)) as {
    ALL_PLACEMENTS: Parameters<typeof slotsByRemote>[0];
  };
  const shared = Object.fromEntries(
    SHARED_MODULES.map((module) => [module, providedVersion(module, repositoryRoot)]),
  );
  return providesOf({
    shared,
    contract: shared['@forecourt/shared-contracts/slots'],
    placed: slotsByRemote(ALL_PLACEMENTS),
  });
}
