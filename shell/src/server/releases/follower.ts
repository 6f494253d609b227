import type { Refusal } from '@forecourt/shared-contracts/slots/gate';
import type { Pointers } from '@forecourt/shared-contracts/slots/release';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import type { ReleaseStore } from './releaseStore.ts';
import { RefusedReleases } from './refusedReleases.ts';
import { ReleaseError, type RegistryClient } from './registryClient.ts';
import { releaseId, type LoadedRelease } from '../rendering/release.ts';
import type { ReleaseLoader } from './releaseLoader.ts';
import type { LiveRemote, LiveRemotes } from './snapshot.ts';

export interface FollowerOptions {
  readonly registry: Pick<RegistryClient, 'pointers'>;
  /** Puts a release through the gate. */
  readonly load: ReleaseLoader['load'];
  readonly renderer: Pick<SlotRenderer, 'retire'>;
  /** The last good releases on disk; without it a restart needs the registry. */
  readonly store?: Pick<ReleaseStore, 'lastGood' | 'save'>;
  /** Time an abandoned release stays for requests under way and a quick rollback. */
  readonly retireAfterMs?: number;
  readonly pollSeconds?: number;
  /** Time until a registry that is away, or a refused release, is tried again; doubled for each further refusal. */
  readonly retryMs?: number;
  readonly log: (event: {
    event: 'adopted' | 'refused' | 'registry-away' | 'retired';
    release?: string;
    reason?: string;
    refusals?: readonly Refusal[];
  }) => void;
}

export interface ReleaseFollower {
  readonly live: () => LiveRemotes;
  /** A release that pages may still ask files of; undefined when it was never adopted or is retired. */
  readonly find: (name: string, version: string) => LoadedRelease | undefined;
  /** Releases that the pointers name and this shell does not use, with the reasons. */
  readonly refused: () => ReadonlyMap<string, readonly Refusal[]>;
  /** Follows the registry until `stop`. Resolves when the first snapshot stands, or the first attempt failed. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Gives no further page this canary, until the pointers name another release; it may still be named by them. */
  readonly withdrawCanary: (name: string, version: string) => void;
}

const MIN_ROUND_MS = 50;
const RETIRE_AFTER_MS = 60_000;
/** Of many deploys within a minute only so many releases wait for their end; those before go after a tenth of the time. */
const MAX_ABANDONED = 5;

/**
 * Keeps the shell's releases at the registry's pointers. A release is loaded and
 * put through the gate before any page uses it; one that fails is refused and the
 * one before stays, also the one from before a restart. When the registry is
 * away the last good snapshot goes on.
 */
export function createReleaseFollower(options: FollowerOptions): ReleaseFollower {
  const { registry, renderer, log } = options;
  const releases = new Map<string, Promise<LoadedRelease>>();
  const adopted = new Map<string, LoadedRelease>();
  const abandonedAt = new Map<string, number>();
  const retryMs = options.retryMs ?? 1000;
  const refused = new RefusedReleases(retryMs);
  let live: LiveRemotes = new Map();
  const withdrawn = new Set<string>();
  let pointers: Pointers | undefined;
  let lastGood: Pointers['remotes'] = {};
  const stopping = new AbortController();
  let following: Promise<void> = Promise.resolve();

  async function adopt(
    name: string,
    version: string,
    { mayLackSlots = false } = {},
  ): Promise<LoadedRelease | undefined> {
    const id = releaseId(name, version);
    const known = adopted.get(id);
    if (known) return known;
    if (!mayLackSlots && refused.isResting(id)) return undefined;
    try {
      const loading = releases.get(id) ?? options.load(name, version, { mayLackSlots });
      releases.set(id, loading);
      const release = await loading;
      adopted.set(id, release);
      refused.delete(id);
      log({
        event: 'adopted',
        release: id,
        ...(mayLackSlots && { reason: 'nothing better fills its places' }),
      });
      return release;
    } catch (error) {
      releases.delete(id);
      refused.add(id, error);
      const reason = error instanceof Error ? error.message : String(error);
      const { refusals } = error instanceof ReleaseError ? error : {};
      log({ event: 'refused', release: id, reason, ...(refusals && { refusals }) });
      return undefined;
    }
  }

  /** A release that was good before the restart stands in for a live one that is refused. */
  const adoptLastGood = (name: string) => {
    const version = Object.hasOwn(lastGood, name) ? lastGood[name]?.live : undefined;
    return version === undefined ? undefined : adopt(name, version);
  };

  /**
   * A layout that places one slot more finds it in no release yet: some of its
   * places filled are better than none, as long as nothing else is to be had.
   */
  const adoptIncomplete = (name: string, version: string) => {
    const refusals = refused.refusalsOf(releaseId(name, version));
    const isIncomplete = refusals.length > 0 && refusals.every(({ rule }) => rule === 'SLOT_MISSING');
    return isIncomplete ? adopt(name, version, { mayLackSlots: true }) : undefined;
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
        const release =
          current ??
          before?.live ??
          (await adoptLastGood(name)) ??
          (await adoptIncomplete(name, pointer.live));
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
    refused.keep(named);
    for (const id of withdrawn) if (!named.has(id)) withdrawn.delete(id);
    await options.store?.save(composed());
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
    const retireAfterMs = options.retireAfterMs ?? RETIRE_AFTER_MS;
    // The longest abandoned come first.
    let surplus = abandonedAt.size - MAX_ABANDONED;
    for (const [id, since] of abandonedAt) {
      const isSurplus = surplus > 0;
      surplus -= 1;
      if (now - since < (isSurplus ? retireAfterMs / 10 : retireAfterMs)) continue;
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
        // A refused release is due before the registry has anything new to say.
        Math.min(waitSeconds, refused.secondsUntilDue()),
        stopping.signal,
      );
      pointers = changed ?? pointers;
      if (pointers && (changed || refused.isAnyDue())) await follow(pointers);
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
    refused: () => refused.entries(),
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
      lastGood = (await options.store?.lastGood()) ?? {};
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
