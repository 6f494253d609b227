import vm from 'node:vm';
import { ContainerError, messageOfAny } from './containerError.ts';
import { ModuleGraph } from './moduleGraph.ts';
import { createShareScope, type SharedModules } from './shareScope.ts';

interface Container {
  readonly init: (scope: object, initScope?: object, options?: object) => unknown;
  readonly get: (module: string) => Promise<() => { default?: unknown }>;
}

/** What every slot is defined with. */
const SLOTS = '@forecourt/slots';

/** Slot to its module key, as in manifests. */
export type Exposes = Readonly<Record<string, { readonly expose: string }>>;

export interface ContainerParts {
  /** Name of the release in errors. */
  readonly label: string;
  readonly exposes: Exposes;
  readonly shared: SharedModules;
}

/** Whether the engine refuses a file as a script because it is an ES module. By its name: the error may be of another context. */
export const isModuleSyntax = (error: unknown): boolean =>
  (error as { name?: unknown } | undefined)?.name === 'SyntaxError' &&
  /import statement|import\.meta|Unexpected token 'export'|await is only/.test(messageOfAny(error));

/** The default export of each module that a container exposes. @throws ContainerError */
export async function takeModules(
  found: unknown,
  { label, exposes, shared }: ContainerParts,
  describe: (expose: string) => string,
): Promise<ReadonlyMap<string, unknown>> {
  const container = (found ?? {}) as Partial<Container>;
  if (typeof container.init !== 'function' || typeof container.get !== 'function')
    throw new ContainerError('ENTRY', `${label} is no federation container`);
  const taken = new Set<string>();
  const scope = createShareScope(shared, { from: 'shell', onTaken: (name) => taken.add(name) });
  // The third argument is what the federation runtime passes to containers of its own kind.
  const options = Object.defineProperty({ version: '', shareScopeKeys: 'default' }, 'shareScopeMap', {
    value: { default: scope },
  });
  const modules = new Map<string, unknown>();
  let at = 'its container';
  try {
    await container.init(scope, [], options);
    for (const [slot, { expose }] of Object.entries(exposes)) {
      at = describe(expose);
      modules.set(slot, (await container.get(expose))().default);
    }
    if (Object.hasOwn(shared, SLOTS) && modules.size > 0 && !taken.has(SLOTS))
      throw new ContainerError('SHARE_SCOPE', `${label} does not take ${SLOTS} from the share scope`);
  } catch (error) {
    if (error instanceof ContainerError) throw error;
    throw new ContainerError(
      taken.size === 0 ? 'SHARE_SCOPE' : 'MODULE',
      `${at} does not load: ${messageOfAny(error)}`,
      error,
    );
  }
  return modules;
}

/** Runs a CommonJS file of a release, which can only require other files of it. */
function requireFrom(sources: ReadonlyMap<string, string>, label: string): (request: string) => unknown {
  const loaded = new Map<string, { exports: unknown }>();
  return function requireOwn(request) {
    const file = request.replace(/^\.\//, '');
    const known = loaded.get(file);
    if (known) return known.exports;
    const source = sources.get(file);
    if (source === undefined) throw new Error(`${label} requires '${request}', which is no file of it`);
    const module = { exports: {} };
    loaded.set(file, module);
    // vm.Script would keep every source in V8's compilation cache.
    const run = vm.compileFunction(
      source,
      ['module', 'exports', 'require', 'process', '__dirname', '__filename'],
      { filename: `${label}/${file}` },
    ) as (...given: unknown[]) => void;
    run(module, module.exports, requireOwn, { env: { NODE_ENV: 'production' } }, label, `${label}/${file}`);
    return module.exports;
  };
}

async function openEntry(
  sources: ReadonlyMap<string, string>,
  entry: string,
  { label, shared }: ContainerParts,
): Promise<unknown> {
  try {
    return requireFrom(sources, label)(entry);
  } catch (error) {
    if (!isModuleSyntax(error)) throw error;
    const graph = new ModuleGraph(sources, { base: `file:///${label}/`, shared });
    return (await graph.import(entry)).namespace;
  }
}

/**
 * Runs the node side of a release from its sources, by path below `node/`, and resolves to what its exposed modules export by
 * default. The entry is a CommonJS or an ES module. @throws ContainerError
 */
export async function loadServerModules(
  sources: ReadonlyMap<string, string>,
  entry: string,
  parts: ContainerParts,
): Promise<ReadonlyMap<string, unknown>> {
  let container: unknown;
  try {
    container = await openEntry(sources, entry, parts);
  } catch (error) {
    throw new ContainerError('ENTRY', messageOfAny(error), error);
  }
  return takeModules(container, parts, (expose) => `${parts.label} exposes ${expose}, which`);
}
