import { PermanentError } from './call.ts';
import type { Assets } from './assets.ts';
import { containerGlobal } from '@forecourt/releases/containerNames';
import type { SlotModule } from '@forecourt/slots';
import { isSlotModule } from '@forecourt/slots/module';
import type { ModuleFederation, ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import type { BootRemote, BootSlot } from '../universal/bootData.ts';

/** The federation instance created by the shell's build; it holds the shared modules. */
export type FederationHost = Pick<ModuleFederation, 'registerPlugins' | 'registerRemotes' | 'loadRemote'>;

/** Loads entries in place of the runtime, which does not check integrity or the snapshot. */
const entryLoader = (assets: Assets): ModuleFederationRuntimePlugin => ({
  name: 'forecourt-entries',
  async loadEntry({ remoteInfo }) {
    await assets.script(remoteInfo.entry);
    const container = (globalThis as Record<string, unknown>)[remoteInfo.entryGlobalName];
    // Retrying would not help.
    if (!container)
      throw new PermanentError(`${remoteInfo.entry} does not define ${remoteInfo.entryGlobalName}`);
    return container as Awaited<ReturnType<NonNullable<ModuleFederationRuntimePlugin['loadEntry']>>>;
  },
});

/**
 * Registers the snapshot's releases with the federation runtime and returns the
 * loader of their slot modules. It rejects when a file cannot be fetched, and
 * with a `PermanentError` when a release lacks what its manifest lists.
 */
export function createRemoteLoader(
  host: FederationHost,
  remotes: readonly BootRemote[],
  assets: Assets,
): (slot: Pick<BootSlot, 'slot' | 'remote' | 'expose' | 'scripts'>) => Promise<SlotModule> {
  const entries = new Map(remotes.map(({ name, entry }) => [name, entry]));
  host.registerPlugins([entryLoader(assets)]);
  host.registerRemotes(
    remotes.map(({ name, entry }) => ({
      name,
      entry,
      type: 'global',
      entryGlobalName: containerGlobal(name),
    })),
  );
  return async ({ slot, remote, expose, scripts }) => {
    const entry = remote === null ? undefined : entries.get(remote);
    if (entry === undefined) throw new PermanentError(`no release of ${remote} in the page's snapshot`);
    // Entry and chunks together: one network level, and the container finds its chunks already there.
    await Promise.all([entry, ...scripts].map(assets.script));
    const exposed = await host.loadRemote<{ default?: unknown }>(`${remote}/${expose.replace(/^\.\//, '')}`);
    if (!isSlotModule(exposed?.default))
      throw new PermanentError(`${remote} exposes no slot as ${expose} for ${slot}`);
    return exposed.default;
  };
}
