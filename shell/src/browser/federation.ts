import { isSlotModule, type SlotModule } from '@forecourt/shared-contracts/slots';
import type { ModuleFederation, ModuleFederationRuntimePlugin } from '@module-federation/runtime';
import type { BootRemote, BootSlot } from '../page/bootData.ts';
import type { Assets } from './assets.ts';
import { PermanentError } from './persistently.ts';

/** What is used of the federation instance that the shell's build has made; it holds the shared modules. */
export type FederationHost = Pick<ModuleFederation, 'registerPlugins' | 'registerRemotes' | 'loadRemote'>;

export type LoadRemoteSlot = (slot: BootSlot) => Promise<SlotModule>;

/** The global under which a remote's entry leaves its container: its name as an identifier. */
const containerGlobal = (remote: string) => remote.replaceAll('-', '_');

/** Entries are loaded by us and not by the runtime, which knows neither integrity nor the snapshot. */
const entryLoader = (assets: Assets): ModuleFederationRuntimePlugin => ({
  name: 'forecourt-entries',
  async loadEntry({ remoteInfo }) {
    await assets.script(remoteInfo.entry);
    const container = (globalThis as Record<string, unknown>)[remoteInfo.entryGlobalName];
    // The script ran and left nothing: asking again would change nothing.
    if (!container) throw new PermanentError(`${remoteInfo.entry} leaves no ${remoteInfo.entryGlobalName}`);
    return container as Awaited<ReturnType<NonNullable<ModuleFederationRuntimePlugin['loadEntry']>>>;
  },
});

/**
 * Makes the snapshot's releases known to the federation runtime and answers the
 * loader of their slot modules. It rejects when a file cannot be fetched, and
 * with a `PermanentError` when the release does not hold what its manifest said.
 */
export function createRemoteLoader(
  host: FederationHost,
  remotes: readonly BootRemote[],
  assets: Assets,
): LoadRemoteSlot {
  const entries = new Map(remotes.map(({ name, entry }) => [name, entry]));
  host.registerPlugins([entryLoader(assets)]);
  host.registerRemotes(
    remotes.map(({ name, entry }) => ({
      name,
      entry,
      type: 'global' as const,
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
