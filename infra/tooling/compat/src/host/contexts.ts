import { join } from 'node:path';
import { readdirSync, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

type Respond = (params: unknown, body: unknown) => unknown;

/** A page of the host on which slots are rendered. */
export interface Context {
  readonly name: string;
  /** The only slot it is meant for; default: all slots. */
  readonly slot?: string | undefined;
  readonly state: object;
  /** Responses to calls; a call without one gets its fallback. */
  readonly calls: Readonly<Record<string, Respond>>;
}

interface Recorded {
  readonly recordedPages?: () => readonly {
    readonly name: string;
    readonly state: { readonly page?: { readonly kind: string } };
    readonly answers: Readonly<Record<string, unknown>>;
  }[];
}

interface Scenarios {
  readonly default: readonly {
    readonly name: string;
    readonly module: unknown;
    readonly state: object;
    readonly calls?: Readonly<Record<string, Respond>>;
  }[];
}

/** The pages that the host's shell recorded for its gate, and an empty page. */
export async function recordedContexts(tree: TreeModules): Promise<Context[]> {
  const recorded = ((await tree.importFile('shell/src/marketplace/recorded/pages.ts')) ??
    (await tree.importFile('shell/src/releases/recorded/pages.ts'))) as Recorded | undefined;
  const pages = (recorded?.recordedPages?.() ?? []).map(({ name, state, answers }) => ({
    name: `recorded ${name}`,
    // The page of another kind is its main slot, which has the kind's name.
    slot: state.page === undefined || state.page.kind === 'results' ? undefined : state.page.kind,
    state,
    calls: Object.fromEntries(Object.entries(answers).map(([call, answer]) => [call, () => answer])),
  }));
  const { emptySearch, anonymousSession } = await tree.importPackage('@forecourt/search/state');
  return [
    { name: 'empty page', state: { search: emptySearch, session: anonymousSession }, calls: {} },
    ...pages,
  ];
}

/** The host's own scenarios of one remote. */
export async function scenarioContexts(tree: TreeModules, root: string, remote: string): Promise<Context[]> {
  const scenarios = (await tree.importFile(`${remote}/src/scenarios.ts`)) as Scenarios | undefined;
  if (!scenarios) return [];
  const folder = join(root, remote, 'src/slots');
  const slots = new Map<unknown, string>();
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    const slot = /^([a-z][a-z0-9-]*)\.tsx?$/.exec(file)?.[1];
    if (slot === undefined) continue;
    slots.set((await tree.importFile(`${remote}/src/slots/${file}`))?.['default'], slot);
  }
  return scenarios.default.map(({ name, module, state, calls = {} }) => ({
    name: `scenario ${name}`,
    slot: slots.get(module),
    state,
    calls,
  }));
}

/** Imports from one tree: packages as its contracts resolve them, files by path. */
export interface TreeModules {
  /** Folder of the tree. */
  readonly root: string;
  /** Folder of its shell: what that depends on is what releases get. */
  readonly shell: string;
  importPackage(name: string): Promise<Record<string, unknown>>;
  versionOf(packageName: string): string;
  /** Undefined when the tree has no such file. */
  importFile(path: string): Promise<Record<string, unknown> | undefined>;
}

export function treeModules(root: string): TreeModules {
  const shell = join(root, 'shell');
  const require = createRequire(join(shell, 'package.json'));
  const importPath = (path: string) => import(pathToFileURL(path).href) as Promise<Record<string, unknown>>;
  return {
    root,
    shell,
    importPackage: (name) => importPath(require.resolve(name)),
    versionOf: (name) => (require(`${name}/package.json`) as { version: string }).version,
    importFile: async (path) => (existsSync(join(root, path)) ? importPath(join(root, path)) : undefined),
  };
}
