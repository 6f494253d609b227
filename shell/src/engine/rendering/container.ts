import vm from 'node:vm';
import { isSlotModule, type SlotModule } from '@forecourt/shared-contracts/slots';
import * as catalog from '@forecourt/shared-contracts/catalog';
import * as criteria from '@forecourt/shared-contracts/criteria';
import * as query from '@forecourt/shared-contracts/query';
import * as url from '@forecourt/shared-contracts/url';
import * as slots from '@forecourt/shared-contracts/slots';
import * as store from '@forecourt/shared-contracts/store';
import * as ui from '@forecourt/shared-contracts/ui';
import contracts from '@forecourt/shared-contracts/package.json' with { type: 'json' };
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as reactDom from 'react-dom';
import * as reactDomClient from 'react-dom/client';
import * as reactRedux from 'react-redux';
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
  await container.init(createShareScope());
  const modules = new Map<string, SlotModule>();
  for (const [slot, { expose }] of Object.entries(slots)) {
    const value = (await container.get(expose))().default;
    if (!isSlotModule(value)) throw new Error(`${label} exposes ${expose}, which is no slot module`);
    modules.set(slot, value);
  }
  return modules;
}

/** Modules shared with releases on the server: one instance and one version of each. */
const SHARED: Readonly<Record<string, { version: string; module: object }>> = {
  react: { version: react.version, module: react },
  'react/jsx-runtime': { version: react.version, module: jsxRuntime },
  'react-dom': { version: reactDom.version, module: reactDom },
  'react-dom/client': { version: reactDom.version, module: reactDomClient },
  'react-redux': { version: reactReduxPackage.version, module: reactRedux },
  '@forecourt/shared-contracts/catalog': { version: contracts.version, module: catalog },
  '@forecourt/shared-contracts/criteria': { version: contracts.version, module: criteria },
  '@forecourt/shared-contracts/query': { version: contracts.version, module: query },
  '@forecourt/shared-contracts/url': { version: contracts.version, module: url },
  '@forecourt/shared-contracts/slots': { version: contracts.version, module: slots },
  '@forecourt/shared-contracts/store': { version: contracts.version, module: store },
  '@forecourt/shared-contracts/ui': { version: contracts.version, module: ui },
};

/** Shared module to provided version, for the release gate. */
export const providedVersions = (): Record<string, string> =>
  Object.fromEntries(Object.entries(SHARED).map(([name, { version }]) => [name, version]));

/** A new Module Federation share scope per release, because a container may write into it. */
const createShareScope = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(SHARED).map(([name, { version, module }]) => [
      name,
      { [version]: { get: () => Promise.resolve(() => module), loaded: 1, eager: true, from: 'shell' } },
    ]),
  );
