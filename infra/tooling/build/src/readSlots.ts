import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import vm from 'node:vm';
import { registerTsx } from './loadTsx.ts';
import { providedVersion } from './providedVersion.ts';
import { SHARED_MODULES } from './shared.ts';

export interface SlotFacts {
  readonly needs: readonly string[];
  readonly loads: boolean;
}

interface Container {
  readonly init: (scope: object) => unknown;
  readonly get: (module: string) => Promise<() => { default?: unknown }>;
}

/** Runs a CommonJS file of the build once; what it requires must be its sibling. */
function evaluate(entry: string, directory: string): unknown {
  const loaded = new Map<string, { exports: unknown }>();
  function requireSibling(request: string): unknown {
    const path = join(directory, basename(request));
    const known = loaded.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const run = vm.compileFunction(
      readFileSync(path, 'utf8'),
      ['module', 'exports', 'require', '__dirname'],
      { filename: path },
    ) as (...given: unknown[]) => void;
    run(module, module.exports, requireSibling, directory);
    return module.exports;
  }
  return requireSibling(entry);
}

/**
 * Runs a freshly built node container once and asks each slot module what it
 * declares. Throws when a module is no slot: such a release must not exist.
 */
export async function readSlots(
  entryFile: string,
  slots: readonly string[],
  repositoryRoot: string,
): Promise<Record<string, SlotFacts>> {
  registerTsx();
  const scope: Record<string, object> = Object.fromEntries(
    await Promise.all(
      SHARED_MODULES.map(async (module): Promise<[string, object]> => {
        const loaded = (await import(module)) as object;
        const version = providedVersion(module, repositoryRoot);
        return [
          module,
          { [version]: { get: () => Promise.resolve(() => loaded), loaded: 1, from: 'build', eager: true } },
        ];
      }),
    ),
  );
  const container = evaluate(entryFile, dirname(entryFile)) as Container;
  await container.init(scope);
  const facts: Record<string, SlotFacts> = {};
  for (const slot of slots) {
    const value = (await container.get(`./${slot}`))().default as
      { kind?: string; needs?: readonly string[]; load?: unknown } | undefined;
    if (value?.kind !== 'forecourt.slot' || !Array.isArray(value.needs)) {
      throw new Error(`src/slots/${slot} must export defineSlot({ … }) as its default`);
    }
    facts[slot] = { needs: value.needs, loads: typeof value.load === 'function' };
  }
  return facts;
}
