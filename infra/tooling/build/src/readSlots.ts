import { readFileSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { packagesOf, refuseNativeCode, RESULT, runIsolated } from '@forecourt/release-kit/isolatedProgram';
import { registerTsx } from './loadTsx.ts';
import type { RemotePackage } from './defineRemote.ts';
import { providedVersion } from './sharedModules.ts';

export interface SlotFacts {
  readonly reads: readonly string[];
  readonly loads: boolean;
}

/** What a process needs to know of a remote. */
type EvaluatedRemote = Pick<RemotePackage, 'directory' | 'shared'> & { readonly slots: readonly string[] };

interface Container {
  readonly init: (scope: object) => unknown;
  readonly get: (module: string) => Promise<() => { default?: unknown }>;
}

/** Runs a CommonJS file of the build; it may only require files of the same folder. */
function evaluate(entry: string, directory: string): unknown {
  const loaded = new Map<string, { exports: unknown }>();
  function requireSibling(request: string): unknown {
    const path = join(directory, basename(request));
    const cached = loaded.get(path);
    if (cached) return cached.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const run = vm.compileFunction(
      readFileSync(path, 'utf8'),
      ['module', 'exports', 'require', '__dirname'],
      { filename: path },
    ) as (...args: unknown[]) => void;
    run(module, module.exports, requireSibling, directory);
    return module.exports;
  }
  return requireSibling(entry);
}

/** A share scope with the modules that a shell would provide. */
async function shareScope({ shared, directory }: EvaluatedRemote): Promise<Record<string, object>> {
  const entries = Object.keys(shared).map(async (module): Promise<[string, object]> => {
    const loaded = (await import(module)) as object;
    const version = providedVersion(module, directory);
    return [
      module,
      { [version]: { get: () => Promise.resolve(() => loaded), loaded: 1, from: 'build', eager: true } },
    ];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * In a process of its own, without environment: the modules of a release run code of any package that it depends on. It
 * must neither read the secrets of the build, or files outside of the repository, nor write files or start processes.
 */
async function readIsolated(dist: string, remote: EvaluatedRemote): Promise<Record<string, SlotFacts>> {
  const program = fileURLToPath(import.meta.url);
  const folders = [dist, ...[remote.directory, dirname(program)].flatMap(packagesOf)];
  const result = await runIsolated(program, [dist, JSON.stringify(remote)], folders).catch((error: Error) => {
    throw new Error(`the modules of ${dist} do not load: ${error.message}`, { cause: error });
  });
  const { facts, problem } = result as { facts?: Record<string, SlotFacts>; problem?: string };
  if (!facts) throw new Error(problem);
  return facts;
}

/**
 * Runs the freshly built node container in `dist` and reads what each slot module
 * declares. Throws when a module is not a slot: such a release must not exist.
 * With `contractBuild`, which only development has, it runs in this process, and a
 * higher number reads the contracts again, which changed since an earlier call.
 */
export async function readSlots(
  dist: string,
  { directory, shared, slots }: RemotePackage,
  contractBuild?: number,
): Promise<Record<string, SlotFacts>> {
  const remote = { directory, shared, slots: Object.keys(slots) };
  return contractBuild === undefined
    ? readIsolated(dist, remote)
    : evaluateSlots(dist, remote, { contractBuild });
}

async function evaluateSlots(
  dist: string,
  remote: EvaluatedRemote,
  { contractBuild = 0, isIsolated = false }: { contractBuild?: number; isIsolated?: boolean },
): Promise<Record<string, SlotFacts>> {
  const hooks = registerTsx(contractBuild);
  try {
    const directory = join(dist, 'node');
    const scope = await shareScope(remote);
    if (isIsolated) refuseNativeCode();
    const container = evaluate(join(directory, 'remoteEntry.cjs'), directory) as Container;
    await container.init(scope);
    const facts: Record<string, SlotFacts> = {};
    for (const slot of remote.slots) {
      const value = (await container.get(`./${slot}`))().default as
        | { kind?: string; reads?: readonly string[]; load?: unknown }
        | undefined;
      if (value?.kind !== 'forecourt.slot' || !Array.isArray(value.reads)) {
        throw new Error(`src/slots/${slot} must export defineSlot({ … }) as its default`);
      }
      facts[slot] = { reads: value.reads, loads: typeof value.load === 'function' };
    }
    return facts;
  } finally {
    hooks.deregister();
  }
}

// Node ≥ 22.18 runs it, which lacks `import.meta.main`.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , dist = '', remote = ''] = process.argv;
  const exit = process.exit.bind(process);
  const isolated = evaluateSlots(dist, JSON.parse(remote) as EvaluatedRemote, { isIsolated: true });
  const result = await isolated.then(
    (facts) => ({ facts }),
    (error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }),
  );
  writeSync(RESULT, JSON.stringify(result));
  // Timers of a release must not delay the build.
  exit(0);
}
