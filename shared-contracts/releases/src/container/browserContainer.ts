import { releaseFilePath, type ReleaseManifest } from '../manifest.ts';
import { containerGlobal, policyNamesOf } from './containerNames.ts';
import { ContainerError, messageOfAny } from './containerError.ts';
import { ModuleGraph } from './moduleGraph.ts';
import { PAGE_ORIGIN, PageContext } from './pageContext.ts';
import { isModuleSyntax, takeModules } from './serverContainer.ts';
import type { SharedModules } from './shareScope.ts';

const WEB = 'web/';
const below = (path: string): string => path.slice(WEB.length);

/**
 * Runs the web side of a release as a page would load it: the scripts of its slots, then its entry, as classic scripts with the
 * page's globals and its policy of scripts. Resolves to what its exposed modules export by default. `sources` are all files of
 * the side, by path below `web/`. @throws ContainerError
 */
export async function loadBrowserModules(
  sources: ReadonlyMap<string, string>,
  manifest: Pick<ReleaseManifest, 'name' | 'version' | 'entry' | 'slots'>,
  { label, shared }: { readonly label: string; readonly shared: SharedModules },
): Promise<ReadonlyMap<string, unknown>> {
  const { name, version, entry, slots } = manifest;
  const base = PAGE_ORIGIN + releaseFilePath(name, version, WEB);
  const page = new PageContext({ sources, base, policies: policyNamesOf(name) });
  page.modules = new ModuleGraph(sources, { base, shared: {}, context: page.context });
  const scripts = new Set(Object.values(slots).flatMap((slot) => slot.scripts));
  const global = containerGlobal(name);
  for (const path of [...scripts, entry.web]) {
    try {
      page.runScript(below(path));
    } catch (error) {
      const what = isModuleSyntax(error) ? 'is an ES module' : 'does not run as a script';
      throw new ContainerError('ENTRY', `${path} ${what}: ${messageOfAny(error)}`, error);
    }
  }
  const container = page.global(global);
  if (container === undefined)
    throw new ContainerError('ENTRY', `${entry.web} does not set the global variable ${global}`);
  return takeModules(container, { label, exposes: slots, shared }, (expose) => `in a browser, ${expose}`);
}
