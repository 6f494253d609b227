import vm from 'node:vm';
import { isSlotModule, type SlotModule } from '@forecourt/shared-contracts/slots';
import { createShareScope } from './sharedScope.ts';

interface Container {
  readonly init: (scope: object) => unknown;
  readonly get: (module: string) => Promise<() => { default?: unknown }>;
}

/**
 * Runs the node side of a release from its verified sources and answers its
 * slot modules. A release can require its own files and nothing else. Throws
 * when it does not run or a slot is none.
 */
export async function loadSlotModules(
  sources: ReadonlyMap<string, string>,
  entry: string,
  slots: Readonly<Record<string, { readonly expose: string }>>,
  label: string,
): Promise<ReadonlyMap<string, SlotModule>> {
  const loaded = new Map<string, { exports: unknown }>();
  function requireOwn(request: string): unknown {
    const file = request.replace(/^\.\//, '');
    const known = loaded.get(file);
    if (known) return known.exports;
    const source = sources.get(file);
    if (source === undefined) throw new Error(`${label} requires '${request}', which is no file of it`);
    const module = { exports: {} };
    loaded.set(file, module);
    // Not vm.Script: that one keeps every source in V8's compilation cache.
    const run = vm.compileFunction(
      source,
      ['module', 'exports', 'require', 'process', '__dirname', '__filename'],
      { filename: `${label}/${file}` },
    ) as (...given: unknown[]) => void;
    run(module, module.exports, requireOwn, { env: { NODE_ENV: 'production' } }, label, `${label}/${file}`);
    return module.exports;
  }
  const container = requireOwn(entry) as Partial<Container>;
  if (typeof container.init !== 'function' || typeof container.get !== 'function') {
    throw new Error(`${label} is no federation container`);
  }
  await container.init(createShareScope());
  const modules = new Map<string, SlotModule>();
  for (const [slot, { expose }] of Object.entries(slots)) {
    const value = (await container.get(expose))().default;
    if (!isSlotModule(value)) throw new Error(`${label} exposes ${expose}, which is no slot module`);
    modules.set(slot, value);
  }
  return modules;
}
