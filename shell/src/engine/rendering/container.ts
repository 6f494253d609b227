import vm from 'node:vm';
import type { SlotModule } from '@forecourt/slots';
import { isSlotModule } from '@forecourt/slots/module';
import * as catalog from '@forecourt/search/catalog';
import * as criteria from '@forecourt/search/criteria';
import * as query from '@forecourt/search/query';
import * as url from '@forecourt/search/url';
import * as slots from '@forecourt/slots';
import * as store from '@forecourt/search/state';
import * as ui from '@forecourt/slots/ui';
import searchPackage from '@forecourt/search/package.json' with { type: 'json' };
import slotsPackage from '@forecourt/slots/package.json' with { type: 'json' };
import upstreamPackage from '@forecourt/upstream/package.json' with { type: 'json' };
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
  '@forecourt/search/catalog': { version: searchPackage.version, module: catalog },
  '@forecourt/search/criteria': { version: searchPackage.version, module: criteria },
  '@forecourt/search/query': { version: searchPackage.version, module: query },
  '@forecourt/search/url': { version: searchPackage.version, module: url },
  '@forecourt/slots': { version: slotsPackage.version, module: slots },
  '@forecourt/search/state': { version: searchPackage.version, module: store },
  '@forecourt/slots/ui': { version: slotsPackage.version, module: ui },
};

/** Contract package to the version that this shell has, for the release gate. */
export const contractVersions = (): Record<string, string> =>
  Object.fromEntries(
    [searchPackage, slotsPackage, upstreamPackage].map(({ name, version }) => [name, version]),
  );

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
