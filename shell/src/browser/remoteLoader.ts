import { PermanentError } from './persistently.ts';
import { isSlotModule, type SlotModule } from '@forecourt/shared-contracts/slots';
import type { ModuleFederation, ModuleFederationRuntimePlugin } from '@module-federation/runtime';
import type { BootRemote, BootSlot } from '../both/bootData.ts';

interface TrustedTypePolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

/** Loads files of the page's snapshot: only those, and only with the bytes that their integrity names. */
export interface Assets {
  /** Rejects when the file cannot be fetched (then a later call tries anew) or is not in the snapshot. */
  readonly script: (url: string) => Promise<void>;
  /** Resolves at once when the page links the style already. */
  readonly style: (url: string) => Promise<void>;
}

function settled(element: HTMLElement, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    element.addEventListener('load', () => resolve(), { once: true });
    element.addEventListener(
      'error',
      () => {
        // A failed element is no use; the next attempt brings its own.
        element.remove();
        reject(new Error(`cannot load ${url}`));
      },
      { once: true },
    );
    document.head.append(element);
  });
}

/**
 * `integrity`: URL of each file of the snapshot to its Subresource Integrity.
 * URLs are compared as a whole after resolution, never by a prefix.
 */
export function createAssets(integrity: Readonly<Record<string, string>>, nonce: string): Assets {
  const absolute = (url: string) => new URL(url, document.baseURI).href;
  const known = new Map(Object.entries(integrity).map(([url, hash]) => [absolute(url), hash]));
  const trustedTypes = (window as { trustedTypes?: TrustedTypePolicyFactory }).trustedTypes;
  const policy = trustedTypes?.createPolicy('forecourt', {
    createScriptURL(url) {
      if (!known.has(url)) throw new TypeError(`${url} is not in the page's snapshot`);
      return url;
    },
  });
  const loading = new Map<string, Promise<void>>();

  const once = (url: string, load: (href: string, hash: string) => Promise<void>): Promise<void> => {
    const href = absolute(url);
    const hash = known.get(href);
    if (hash === undefined) return Promise.reject(new PermanentError(`${url} is not in the page's snapshot`));
    const running = loading.get(href);
    if (running) return running;
    const started = load(href, hash).catch((error: unknown) => {
      loading.delete(href);
      throw error;
    });
    loading.set(href, started);
    return started;
  };

  return {
    script: (url) =>
      once(url, (href, hash) => {
        const script = document.createElement('script');
        script.integrity = hash;
        script.crossOrigin = 'anonymous';
        script.nonce = nonce;
        script.src = policy ? policy.createScriptURL(href) : href;
        return settled(script, href);
      }),
    style: (url) =>
      once(url, (href, hash) => {
        const links = document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]');
        if ([...links].some((link) => link.href === href)) return Promise.resolve();
        const link = document.createElement('link');
        link.rel = 'stylesheet';
        link.integrity = hash;
        link.crossOrigin = 'anonymous';
        link.nonce = nonce;
        link.href = href;
        return settled(link, href);
      }),
  };
}

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
