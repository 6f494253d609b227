import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import vm from 'node:vm';
import { registerTsx } from './loadTsx.ts';
import type { RemotePackage } from './defineRemote.ts';
import { providedVersion } from './sharedModules.ts';

export interface SlotFacts {
  readonly needs: readonly string[];
  readonly loads: boolean;
}

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
async function shareScope({ shared, directory }: RemotePackage): Promise<Record<string, object>> {
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
 * Runs the freshly built node container in `dist` and reads what each slot module
 * declares. Throws when a module is not a slot: such a release must not exist.
 * A higher `contractBuild` reads the contracts again, which changed since an earlier call.
 */
export async function readSlots(
  dist: string,
  remote: RemotePackage,
  contractBuild = 0,
): Promise<Record<string, SlotFacts>> {
  const hooks = registerTsx(contractBuild);
  try {
    return await evaluateSlots(dist, remote);
  } finally {
    hooks.deregister();
  }
}

async function evaluateSlots(dist: string, remote: RemotePackage): Promise<Record<string, SlotFacts>> {
  const directory = join(dist, 'node');
  const container = evaluate(join(directory, 'remoteEntry.cjs'), directory) as Container;
  await container.init(await shareScope(remote));
  const facts: Record<string, SlotFacts> = {};
  for (const slot of Object.keys(remote.slots)) {
    const value = (await container.get(`./${slot}`))().default as
      { kind?: string; needs?: readonly string[]; load?: unknown } | undefined;
    if (value?.kind !== 'forecourt.slot' || !Array.isArray(value.needs)) {
      throw new Error(`src/slots/${slot} must export defineSlot({ … }) as its default`);
    }
    facts[slot] = { needs: value.needs, loads: typeof value.load === 'function' };
  }
  return facts;
}
