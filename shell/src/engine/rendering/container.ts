import { loadBrowserModules } from '@forecourt/releases/browserContainer';
import { ContainerError } from '@forecourt/releases/containerError';
import type { ReleaseManifest } from '@forecourt/releases/manifest';
import { loadServerModules } from '@forecourt/releases/serverContainer';
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
import type { ReleaseHalf } from './release.ts';
import type { ReleaseSite } from './releaseSite.ts';
import reactReduxPackage from 'react-redux/package.json' with { type: 'json' };

/** A release as its modules are loaded. */
export interface ReleaseSide {
  /** 'browser': the web side, as a page would load it; 'server': the node side. */
  readonly half: ReleaseHalf;
  readonly manifest: Pick<ReleaseManifest, 'name' | 'version' | 'entry' | 'slots'>;
  /** The files of that side, by path below `node/` or `web/`. */
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Runs one side of a release from its verified sources and resolves to its slot modules. A release loads only its own files and
 * shared modules. Rejects with a ContainerError when it does not run or exposes something other than a slot.
 */
export async function loadSlotModules(
  { half, manifest, sources }: ReleaseSide,
  { label, site }: { readonly label: string; readonly site: Pick<ReleaseSite, 'shared'> },
): Promise<ReadonlyMap<string, SlotModule>> {
  const shared = { ...COMMON, ...site.shared };
  const { entry, slots } = manifest;
  const exported =
    half === 'browser'
      ? await loadBrowserModules(sources, manifest, { label, shared })
      : await loadServerModules(sources, entry.node.slice('node/'.length), { label, exposes: slots, shared });
  const modules = new Map<string, SlotModule>();
  for (const [slot, value] of exported) {
    if (!isSlotModule(value))
      throw new ContainerError('MODULE', `${label} exposes ${slots[slot]?.expose}, which is no slot module`);
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
