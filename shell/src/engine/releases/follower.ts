import { setTimeout as wait } from 'node:timers/promises';
import type { Refusal } from '@forecourt/releases/gate';
import type { Pointers } from '@forecourt/releases/pointers';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import type { ReleaseStore } from './releaseStore.ts';
import { RefusedReleases, AdoptedReleases } from './followedReleases.ts';
import {
  ReleaseError,
  type RegistryClient,
  implausibility,
  type SuspiciousPointers,
} from './registryClient.ts';
import { releaseId, type LoadedRelease } from '../rendering/release.ts';
import type { ReleaseLoader } from './releaseLoader.ts';
import type { LiveRemote, LiveRemotes } from './snapshot.ts';
import { messageOf } from '../universal/messageOf.ts';

export interface FollowerOptions {
  readonly registry: Pick<RegistryClient, 'pointers'>;
  /** Loads a release through the gate. */
  readonly load: ReleaseLoader['load'];
  readonly renderer: Pick<SlotRenderer, 'retire'>;
  /** The last good releases on disk; without it a restart requires the registry. */
  readonly store?: Pick<ReleaseStore, 'lastGood' | 'save'>;
  /** Remotes that required slots need: pointers that lose one are not followed. */
  readonly requiredRemotes?: ReadonlySet<string>;
  /** Pointers of this revision are followed although they seem suspicious. */
  readonly confirmedRevision?: number | undefined;
  /** Time a replaced release stays loaded; default 60 s. */
  readonly retireAfterMs?: number;
  readonly pollSeconds?: number;
  /** Time until an unreachable registry or a refused release is retried; doubles with each refusal. */
  readonly retryMs?: number;
  readonly log: (event: FollowerEvent) => void;
}

interface FollowerEvent {
  readonly event: 'adopted' | 'refused' | 'registry-unreachable' | 'suspicious' | 'retired' | 'poll-failed';
  readonly release?: string;
  readonly reason?: string;
  readonly refusals?: readonly Refusal[];
}

const MIN_ROUND_MS = 50;
const RETIRE_AFTER_MS = 60_000;

const pause = (ms: number, signal: AbortSignal) =>
  wait(ms, undefined, { signal }).catch(() => {
    // Aborted: the follower is stopping.
  });

/** A log that fails must not end the following; it is reported as a warning of the process. */
const tolerant = (log: FollowerOptions['log']) => (event: FollowerEvent) => {
  try {
    log(event);
  } catch (error) {
    process.emitWarning(`release event ${event.event}: ${messageOf(error)}`);
  }
};

/**
 * Follows the registry's pointers: poll → load through the gate → live or canary →
 * retire. If a release is refused, the previous one stays live, also across a
 * restart. While the registry is unreachable or its pointers are suspicious, the
 * last good releases stay live.
 */
export class ReleaseFollower {
  readonly #options: FollowerOptions;
  readonly #adopted = new AdoptedReleases();
  readonly #loading = new Map<string, Promise<LoadedRelease>>();
  readonly #refused: RefusedReleases;
  readonly #withdrawn = new Set<string>();
  readonly #stopping = new AbortController();
  #live: LiveRemotes = new Map();
  #pointers: Pointers | undefined;
  #suspicious: SuspiciousPointers | undefined;
  #lastGood: Pointers = { revision: 0, remotes: {} };
  #following: Promise<void> = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.#options = { ...options, log: tolerant(options.log) };
    this.#refused = new RefusedReleases(this.#retryMs);
  }

  readonly live = () => this.#live;
  /** An adopted release that is not retired yet, to serve its files. */
  readonly find = (name: string, version: string) => this.#adopted.get(releaseId(name, version));
  /** Releases that the pointers name and the gate refuses, with the reasons. */
  readonly refused = () => this.#refused.entries();

  /** Revision of the pointers that are followed; undefined before the first poll. */
  readonly revision = () => this.#pointers?.revision;

  /** Address of the control room for browsers, if the registry tells it. */
  readonly room = () => this.#pointers?.room;

  /** The registry's pointers if they are suspicious. */
  readonly suspicious = () => this.#suspicious;

  /** Follows the registry until `stop`. Resolves after the first poll, whether it succeeded or not. */
  readonly start = async (): Promise<void> => {
    this.#lastGood = (await this.#options.store?.lastGood()) ?? this.#lastGood;
    await this.#poll(0);
    this.#following = (async () => {
      const { pollSeconds = 20, log } = this.#options;
      while (!this.#stopping.signal.aborted) {
        try {
          await this.#poll(pollSeconds);
        } catch (error) {
          log({ event: 'poll-failed', reason: messageOf(error) });
          await pause(this.#retryMs, this.#stopping.signal);
        }
      }
    })();
  };

  readonly stop = async (): Promise<void> => {
    this.#stopping.abort();
    await this.#following;
  };

  /** Stops serving this canary until the pointers name another release. */
  readonly withdrawCanary = (name: string, version: string): void => {
    this.#withdrawn.add(releaseId(name, version));
    const pointer = this.#live.get(name);
    if (pointer?.canary?.release.manifest.version !== version) return;
    this.#live = new Map([...this.#live, [name, { live: pointer.live }]]);
    void this.#save();
  };

  get #retryMs(): number {
    return this.#options.retryMs ?? 1000;
  }

  /** One poll of the registry, which waits up to `waitSeconds` for a change. */
  async #poll(waitSeconds: number): Promise<void> {
    const { signal } = this.#stopping;
    // A refused release may be retried before the pointers change.
    const seconds = Math.min(waitSeconds, this.#refused.secondsUntilDue());
    try {
      // Without a revision the registry does not wait: the right one may return with any revision.
      const knownRevision = this.#suspicious ? undefined : this.#pointers?.revision;
      const changed = await this.#options.registry.pointers(knownRevision, seconds, signal);
      const isAccepted = changed !== undefined && this.#accept(changed);
      if (isAccepted) this.#pointers = changed;
      if (this.#suspicious) {
        await this.#followLastGood();
        await pause(this.#retryMs, signal);
      }
      if (this.#pointers && (isAccepted || this.#refused.isAnyDue())) {
        await this.#follow(this.#pointers.remotes);
        await this.#save();
      }
      // Prevents a tight loop with a registry that does not wait.
      else await pause(MIN_ROUND_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.log({ event: 'registry-unreachable', reason: messageOf(error) });
      await this.#followLastGood();
      await pause(this.#retryMs, signal);
    }
    this.#retire();
  }

  /** Whether pointers of the registry can be followed; logs the reason once if not. */
  #accept(pointers: Pointers): boolean {
    const { requiredRemotes = new Set<string>(), confirmedRevision, log } = this.#options;
    const { revision } = pointers;
    const reason =
      revision === confirmedRevision
        ? undefined
        : implausibility(pointers, this.#pointers ?? this.#lastGood, requiredRemotes);
    if (reason !== undefined && reason !== this.#suspicious?.reason)
      log({ event: 'suspicious', reason: `revision ${revision}: ${reason}` });
    this.#suspicious = reason === undefined ? undefined : { revision, reason };
    return reason === undefined;
  }

  /** After a restart, while the registry is of no use. Saves nothing: what fails to load now may load later. */
  async #followLastGood(): Promise<void> {
    const { remotes } = this.#lastGood;
    if (this.#live.size === 0 && Object.keys(remotes).length > 0) await this.#follow(remotes);
  }

  async #follow(remotes: Pointers['remotes']): Promise<void> {
    const entries = await Promise.all(
      Object.entries(remotes).map(
        async ([name, pointer]) => [name, await this.#liveOf(name, pointer)] as const,
      ),
    );
    this.#live = new Map(entries.filter((entry): entry is [string, LiveRemote] => entry[1] !== undefined));
    const pointedIds = new Set(
      Object.entries(remotes).flatMap(([name, pointer]) =>
        [pointer.live, pointer.canary?.version].map((version) => releaseId(name, version ?? '')),
      ),
    );
    this.#refused.keep(pointedIds);
    for (const id of this.#withdrawn) if (!pointedIds.has(id)) this.#withdrawn.delete(id);
  }

  /** Stores the live releases; of a remote without one, that from before the restart. */
  async #save(): Promise<void> {
    const { revision, remotes } = this.#pointers ?? this.#lastGood;
    const earlier = Object.entries(this.#lastGood.remotes).filter(([name]) => Object.hasOwn(remotes, name));
    await this.#options.store?.save({
      revision,
      remotes: { ...Object.fromEntries(earlier), ...this.#livePointers() },
    });
  }

  /** The releases of one remote; the best available one if the pointer's is refused. */
  async #liveOf(
    name: string,
    { live: version, canary: pointer }: Pointers['remotes'][string],
  ): Promise<LiveRemote | undefined> {
    const before = this.#live.get(name);
    const isWithdrawn = pointer && this.#withdrawn.has(releaseId(name, pointer.version));
    const [current, candidate] = await Promise.all([
      this.#adopt(name, version),
      pointer && !isWithdrawn ? this.#adopt(name, pointer.version) : undefined,
    ]);
    const release =
      current ??
      before?.live ??
      (await this.#adoptLastGood(name)) ??
      (await this.#adoptIncomplete(name, version));
    if (!release) return undefined;
    return {
      live: release,
      ...(candidate && pointer && { canary: { release: candidate, weight: pointer.weight } }),
    };
  }

  async #adopt(
    name: string,
    version: string,
    { mayLackSlots = false } = {},
  ): Promise<LoadedRelease | undefined> {
    const { load, log } = this.#options;
    const id = releaseId(name, version);
    const adopted = this.#adopted.get(id);
    if (adopted) return adopted;
    if (!mayLackSlots && this.#refused.isBackingOff(id)) return undefined;
    try {
      const loading = this.#loading.get(id) ?? load(name, version, { mayLackSlots });
      this.#loading.set(id, loading);
      const release = await loading;
      this.#adopted.add(release);
      this.#refused.delete(id);
      log({
        event: 'adopted',
        release: id,
        ...(mayLackSlots && { reason: 'no better release is available' }),
      });
      return release;
    } catch (error) {
      this.#loading.delete(id);
      this.#refused.add(id, error);
      const { refusals } = error instanceof ReleaseError ? error : {};
      log({ event: 'refused', release: id, reason: messageOf(error), ...(refusals && { refusals }) });
      return undefined;
    }
  }

  /** The release that was live before the restart. */
  async #adoptLastGood(name: string): Promise<LoadedRelease | undefined> {
    const { remotes } = this.#lastGood;
    const version = Object.hasOwn(remotes, name) ? remotes[name]?.live : undefined;
    return version === undefined ? undefined : this.#adopt(name, version);
  }

  /** If the layout has a slot that no release provides yet, a release with some slots is better than none. */
  async #adoptIncomplete(name: string, version: string): Promise<LoadedRelease | undefined> {
    const refusals = this.#refused.refusalsOf(releaseId(name, version));
    const isIncomplete = refusals.length > 0 && refusals.every(({ rule }) => rule === 'SLOT_MISSING');
    return isIncomplete ? this.#adopt(name, version, { mayLackSlots: true }) : undefined;
  }

  /** Pointers of the releases that are live now. */
  #livePointers(): Pointers['remotes'] {
    return Object.fromEntries(
      [...this.#live].map(([name, { live: release, canary }]) => [
        name,
        {
          live: release.manifest.version,
          ...(canary && { canary: { version: canary.release.manifest.version, weight: canary.weight } }),
        },
      ]),
    );
  }

  #retire(): void {
    const { renderer, log, retireAfterMs = RETIRE_AFTER_MS } = this.#options;
    for (const id of this.#adopted.removeRetired(this.#live, retireAfterMs)) {
      this.#loading.delete(id);
      renderer.retire(id);
      log({ event: 'retired', release: id });
    }
  }
}
