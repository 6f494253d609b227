import vm from 'node:vm';
import type { SlotModule } from '@forecourt/slots';
import { isSlotModule } from '@forecourt/slots/module';
import * as slots from '@forecourt/slots';
import * as ui from '@forecourt/slots/ui';
import slotsPackage from '@forecourt/slots/package.json' with { type: 'json' };
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as reactDom from 'react-dom';
import * as reactDomClient from 'react-dom/client';
import * as reactRedux from 'react-redux';
import type { ReleaseSite } from './releaseSite.ts';
import reactReduxPackage from 'react-redux/package.json' with { type: 'json' };

interface Container {
  readonly init: (scope: object) => unknown;
  readonly get: (module: string) => Promise<() => { default?: unknown }>;
}

/**
 * Runs the node side of a release from its verified sources and resolves to its
 * slot modules. A release can only require its own files. Rejects when it does
 * not run or exposes something other than a slot.
 */
export async function loadSlotModules(
  sources: ReadonlyMap<string, string>,
  entry: string,
  slots: Readonly<Record<string, { readonly expose: string }>>,
  { label, site }: { readonly label: string; readonly site: Pick<ReleaseSite, 'shared'> },
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
    // vm.Script would keep every source in V8's compilation cache.
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
  await container.init(createShareScope(site));
  const modules = new Map<string, SlotModule>();
  for (const [slot, { expose }] of Object.entries(slots)) {
    const value = (await container.get(expose))().default;
    if (!isSlotModule(value)) throw new Error(`${label} exposes ${expose}, which is no slot module`);
    modules.set(slot, value);
  }
  return modules;
}

/** Modules that every release shares with the shell on the server. */
const COMMON: ReleaseSite['shared'] = {
  react: { version: react.version, module: react },
  'react/jsx-runtime': { version: react.version, module: jsxRuntime },
  'react-dom': { version: reactDom.version, module: reactDom },
  'react-dom/client': { version: reactDom.version, module: reactDomClient },
  'react-redux': { version: reactReduxPackage.version, module: reactRedux },
  '@forecourt/slots': { version: slotsPackage.version, module: slots },
  '@forecourt/slots/ui': { version: slotsPackage.version, module: ui },
};

/** The contract that every site has, and its version. */
export const SLOTS_CONTRACT: Readonly<Record<string, string>> = {
  [slotsPackage.name]: slotsPackage.version,
};

/** Shared module to provided version, for the release gate. */
export const providedVersions = ({ shared }: Pick<ReleaseSite, 'shared'>): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...COMMON, ...shared }).map(([name, { version }]) => [name, version]));

/** A new Module Federation share scope per release, because a container may write into it. */
const createShareScope = ({ shared }: Pick<ReleaseSite, 'shared'>): Record<string, object> =>
  Object.fromEntries(
    Object.entries({ ...COMMON, ...shared }).map(([name, { version, module }]) => [
      name,
      { [version]: { get: () => Promise.resolve(() => module), loaded: 1, eager: true, from: 'shell' } },
    ]),
  );
