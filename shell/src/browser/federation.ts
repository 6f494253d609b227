import { isSlotModule, type SlotModule } from '@forecourt/shared-contracts/slots';
import type { BootRemote, BootSlot } from '../page/bootData.ts';
import type { Assets } from './assets.ts';
import { PermanentError } from './persistently.ts';

/** The shell's shared modules by name and version, as webpack's containers know them. */
export type ShareScope = object;

/** Hands out the share scope, once it holds all that the shell provides. */
export type ProvideShared = () => Promise<ShareScope>;

/** What a remote's entry leaves (webpack's container protocol). */
interface Container {
  /** Given the shared modules before anything is taken out, once. */
  readonly init: (scope: ShareScope) => unknown;
  /** Rejects when nothing is exposed under that name. */
  readonly get: (expose: string) => Promise<() => unknown>;
}

export type LoadRemoteSlot = (slot: BootSlot) => Promise<SlotModule>;

/** The global under which a remote's entry leaves its container: its name as an identifier. */
const containerGlobal = (remote: string) => remote.replaceAll('-', '_');

const exposedDefault = (exposed: unknown): unknown => (exposed as { default?: unknown } | null)?.default;

/**
 * Loads the slot modules of the snapshot's releases: entry and chunks by their
 * URLs and integrity, then the module out of the container. It rejects when a
 * file cannot be fetched, and with a `PermanentError` when the release does not
 * hold what its manifest said.
 */
export function createRemoteLoader(
  provideShared: ProvideShared,
  remotes: readonly BootRemote[],
  assets: Assets,
): LoadRemoteSlot {
  const entries = new Map(remotes.map(({ name, entry }) => [name, entry]));
  const containers = new Map<string, Promise<Container>>();

  async function open(remote: string, entry: string): Promise<Container> {
    const container = (globalThis as Record<string, unknown>)[containerGlobal(remote)] as
      Container | undefined;
    // The script ran and left nothing: asking again would change nothing.
    if (!container) throw new PermanentError(`${entry} leaves no ${containerGlobal(remote)}`);
    await container.init(await provideShared());
    return container;
  }

  return async ({ slot, remote, expose, scripts }) => {
    const entry = remote === null ? undefined : entries.get(remote);
    if (remote === null || entry === undefined)
      throw new PermanentError(`no release of ${remote} in the page's snapshot`);
    // Entry and chunks together: one network level, and the container finds its chunks already there.
    await Promise.all([entry, ...scripts].map(assets.script));
    const opened = containers.get(remote) ?? open(remote, entry);
    containers.set(remote, opened);
    const container = await opened;
    const module = exposedDefault((await container.get(expose))());
    if (!isSlotModule(module)) throw new PermanentError(`${remote} exposes no slot as ${expose} for ${slot}`);
    return module;
  };
}
