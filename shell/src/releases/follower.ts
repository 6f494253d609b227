import type { Pointers } from '@forecourt/shared-contracts/slots/release';
import { checkRelease } from './gate.ts';
import type { KeptRegistry } from './keptRegistry.ts';
import type { RegistryClient } from './registryClient.ts';
import { releaseId, type LoadedRelease } from './release.ts';
import { smokeRender } from './smokeRender.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';

/** Which releases pages are composed of now: each is loaded, accepted and warm. */
export interface LiveRemote {
  readonly live: LoadedRelease;
  readonly canary?: { readonly release: LoadedRelease; readonly weight: number };
}
export type LiveRemotes = ReadonlyMap<string, LiveRemote>;

export interface FollowerOptions {
  readonly registry: RegistryClient;
  readonly renderer: SlotRenderer;
  /** What pages were composed of before a restart; without it a restart needs the registry. */
  readonly kept?: Pick<KeptRegistry, 'lastGood' | 'keep'>;
  /** Shared module to the version that this shell provides. */
  readonly provided: Readonly<Record<string, string>>;
  /** Time an abandoned release stays for requests under way and a quick rollback. */
  readonly retireAfterMs?: number;
  readonly pollSeconds?: number;
  /** Time until a registry that is away, or a refused release, is tried again; doubled for each further refusal. */
  readonly retryMs?: number;
  readonly log: (event: {
    event: 'adopted' | 'refused' | 'registry-away' | 'retired';
    release?: string;
    reason?: string;
  }) => void;
}

export interface ReleaseFollower {
  readonly live: () => LiveRemotes;
  /** A release that pages may still ask files of; undefined when it was never adopted or is retired. */
  readonly find: (name: string, version: string) => LoadedRelease | undefined;
  /** Follows the registry until `stop`. Resolves when the first snapshot stands, or the first attempt failed. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Gives no further page this canary, until the pointers name another release; it may still be named by them. */
  readonly withdrawCanary: (name: string, version: string) => void;
}

/** A release that fails is tried again ever more rarely: it may have been the machine's fault, or for good. */
const MAX_RETRY_MS = 60_000;
const MIN_ROUND_MS = 50;

interface Refusal {
  readonly count: number;
  readonly retryAt: number;
}

/**
 * Keeps the shell's releases at the registry's pointers. A release is loaded,
 * checked and rendered once before any page uses it; one that fails is refused
 * and the one before stays, also the one from before a restart. When the
 * registry is away the last good snapshot goes on.
 */
export function createReleaseFollower(options: FollowerOptions): ReleaseFollower {
  const { registry, renderer, log } = options;
  const releases = new Map<string, Promise<LoadedRelease>>();
  const adopted = new Map<string, LoadedRelease>();
  const refusals = new Map<string, Refusal>();
  const abandonedAt = new Map<string, number>();
  const retryMs = options.retryMs ?? 1000;
  let live: LiveRemotes = new Map();
  const withdrawn = new Set<string>();
  let pointers: Pointers | undefined;
  let lastGood: Pointers['remotes'] = {};
  const stopping = new AbortController();
  let following: Promise<void> = Promise.resolve();

  async function load(name: string, version: string): Promise<LoadedRelease> {
    const manifest = await registry.manifest(name, version);
    checkRelease(manifest, options.provided);
    const paths = Object.keys(manifest.files);
    const bodies = await Promise.all(paths.map((path) => registry.file(manifest, path)));
    const files = new Map(paths.map((path, at) => [path, bodies[at] as Buffer]));
    const release: LoadedRelease = {
      id: releaseId(name, version),
      manifest,
      nodeSources: new Map(
        [...files]
          .filter(([path]) => path.startsWith('node/'))
          .map(([path, body]) => [path.slice('node/'.length), body.toString('utf8')]),
      ),
      webFiles: new Map([...files].filter(([path]) => path.startsWith('web/'))),
    };
    try {
      await renderer.prepare(release);
      await smokeRender(release, renderer);
    } catch (error) {
      renderer.retire(release.id);
      throw error;
    }
    return release;
  }

  async function adopt(name: string, version: string): Promise<LoadedRelease | undefined> {
    const id = releaseId(name, version);
    const known = adopted.get(id);
    if (known) return known;
    const refused = refusals.get(id);
    if (refused && Date.now() < refused.retryAt) return undefined;
    try {
      const loading = releases.get(id) ?? load(name, version);
      releases.set(id, loading);
      const release = await loading;
      adopted.set(id, release);
      refusals.delete(id);
      log({ event: 'adopted', release: id });
      return release;
    } catch (error) {
      releases.delete(id);
      const count = (refusals.get(id)?.count ?? 0) + 1;
      const wait = Math.min(retryMs * 2 ** (count - 1), MAX_RETRY_MS);
      refusals.set(id, { count, retryAt: Date.now() + wait });
      log({ event: 'refused', release: id, reason: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  }

  /** A release that was good before the restart stands in for a live one that is refused. */
  const adoptLastGood = (name: string) => {
    const version = Object.hasOwn(lastGood, name) ? lastGood[name]?.live : undefined;
    return version === undefined ? undefined : adopt(name, version);
  };

  const composed = (): Pointers['remotes'] =>
    Object.fromEntries(
      [...live].map(([name, { live: release, canary }]) => [
        name,
        {
          live: release.manifest.version,
          ...(canary && { canary: { version: canary.release.manifest.version, weight: canary.weight } }),
        },
      ]),
    );

  async function follow({ remotes }: Pick<Pointers, 'remotes'>): Promise<void> {
    const entries = await Promise.all(
      Object.entries(remotes).map(async ([name, pointer]): Promise<[string, LiveRemote] | undefined> => {
        const before = live.get(name);
        const [current, candidate] = await Promise.all([
          adopt(name, pointer.live),
          pointer.canary && !withdrawn.has(releaseId(name, pointer.canary.version))
            ? adopt(name, pointer.canary.version)
            : undefined,
        ]);
        const release = current ?? before?.live ?? (await adoptLastGood(name));
        if (!release) return undefined;
        const weight = pointer.canary?.weight;
        return [
          name,
          {
            live: release,
            ...(candidate && weight !== undefined ? { canary: { release: candidate, weight } } : {}),
          },
        ];
      }),
    );
    live = new Map(entries.filter((entry) => entry !== undefined));
    // What the pointers no longer name is forgotten.
    const named = new Set(
      Object.entries(remotes).flatMap(([name, pointer]) =>
        [pointer.live, pointer.canary?.version].map((version) => releaseId(name, version ?? '')),
      ),
    );
    for (const id of refusals.keys()) if (!named.has(id)) refusals.delete(id);
    for (const id of withdrawn) if (!named.has(id)) withdrawn.delete(id);
    await options.kept?.keep(composed());
  }

  /** s until a refused release is due again, as the registry's long poll takes it. */
  function secondsUntilRetry(): number {
    const due = Math.min(...[...refusals.values()].map(({ retryAt }) => retryAt));
    return Math.max(0, Math.ceil((due - Date.now()) / 1000));
  }

  function retire(): void {
    const inUse = new Set<string>();
    for (const { live: release, canary } of live.values()) {
      inUse.add(release.id);
      if (canary) inUse.add(canary.release.id);
    }
    const now = Date.now();
    for (const id of adopted.keys()) {
      if (inUse.has(id)) abandonedAt.delete(id);
      else if (!abandonedAt.has(id)) abandonedAt.set(id, now);
    }
    for (const [id, since] of abandonedAt) {
      if (now - since < (options.retireAfterMs ?? 60_000)) continue;
      abandonedAt.delete(id);
      adopted.delete(id);
      releases.delete(id);
      renderer.retire(id);
      log({ event: 'retired', release: id });
    }
  }

  async function round(waitSeconds: number): Promise<void> {
    try {
      const changed = await registry.pointers(
        pointers?.revision,
        Math.min(waitSeconds, secondsUntilRetry()),
        stopping.signal,
      );
      pointers = changed ?? pointers;
      const isDue = [...refusals.values()].some(({ retryAt }) => retryAt <= Date.now());
      if (pointers && (changed || isDue)) await follow(pointers);
      // A registry that does not wait must not be asked in a tight loop.
      else await pause(MIN_ROUND_MS, stopping.signal);
    } catch (error) {
      if (stopping.signal.aborted) return;
      log({ event: 'registry-away', reason: error instanceof Error ? error.message : String(error) });
      // Nothing is known yet: the pages from before the restart are better than none.
      if (live.size === 0 && Object.keys(lastGood).length > 0) await follow({ remotes: lastGood });
      await pause(retryMs, stopping.signal);
    }
    retire();
  }

  return {
    live: () => live,
    find: (name, version) => adopted.get(releaseId(name, version)),
    withdrawCanary(name, version) {
      withdrawn.add(releaseId(name, version));
      live = new Map(
        [...live].map(([remote, pointer]) => [
          remote,
          remote === name && pointer.canary?.release.manifest.version === version
            ? { live: pointer.live }
            : pointer,
        ]),
      );
    },
    async start() {
      lastGood = (await options.kept?.lastGood()) ?? {};
      await round(0);
      following = (async () => {
        while (!stopping.signal.aborted) await round(options.pollSeconds ?? 20);
      })();
    },
    async stop() {
      stopping.abort();
      await following;
    },
  };
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
