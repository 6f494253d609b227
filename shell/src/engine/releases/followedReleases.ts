import type { LoadedRelease } from '../rendering/release.ts';
import type { LiveRemotes } from './snapshot.ts';
import type { Refusal } from '@forecourt/releases/gate';
import { ReleaseError } from './registryClient.ts';

/** Releases that may be retiring: so many, or two of each remote; of more, the older ones retire ten times sooner. */
const RETIRING = { least: 5, perRemote: 2 };

/** Adopted releases: live ones, and retiring ones for requests in flight and quick rollbacks. */
export class AdoptedReleases {
  readonly #releases = new Map<string, LoadedRelease>();
  /** When a release stopped being live; ms since 1970, oldest first. */
  readonly #retiringSince = new Map<string, number>();

  get(id: string): LoadedRelease | undefined {
    return this.#releases.get(id);
  }

  add(release: LoadedRelease): void {
    this.#releases.set(release.id, release);
  }

  /** Removes releases whose retirement period is over and returns their ids. */
  removeRetired(live: LiveRemotes, retireAfterMs: number): string[] {
    const liveIds = new Set(
      [...live.values()].flatMap(({ live: release, canary }) => [release.id, canary?.release.id]),
    );
    const now = Date.now();
    for (const id of this.#releases.keys()) {
      if (liveIds.has(id)) this.#retiringSince.delete(id);
      else if (!this.#retiringSince.has(id)) this.#retiringSince.set(id, now);
    }
    let surplus = this.#retiringSince.size - Math.max(RETIRING.least, RETIRING.perRemote * live.size);
    const retired: string[] = [];
    for (const [id, since] of this.#retiringSince) {
      const limitMs = surplus > 0 ? retireAfterMs / 10 : retireAfterMs;
      surplus -= 1;
      if (now - since < limitMs) continue;
      this.#retiringSince.delete(id);
      this.#releases.delete(id);
      retired.push(id);
    }
    return retired;
  }
}

/** Maximum backoff; the cause may be temporary. */
const MAX_RETRY_MS = 60_000;

interface Entry {
  readonly refusals: readonly Refusal[];
  readonly count: number;
  readonly retryAt: number;
}

/** Refused releases with reasons and retry times. */
export class RefusedReleases {
  readonly #releases = new Map<string, Entry>();
  readonly #retryMs: number;

  constructor(retryMs: number) {
    this.#retryMs = retryMs;
  }

  add(id: string, error: unknown): void {
    const count = (this.#releases.get(id)?.count ?? 0) + 1;
    const delayMs = Math.min(this.#retryMs * 2 ** (count - 1), MAX_RETRY_MS);
    const refusals = error instanceof ReleaseError ? error.refusals : [];
    this.#releases.set(id, { refusals, count, retryAt: Date.now() + delayMs });
  }

  delete(id: string): void {
    this.#releases.delete(id);
  }

  /** Removes all other releases. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#releases.keys()) if (!ids.has(id)) this.#releases.delete(id);
  }

  isBackingOff(id: string): boolean {
    return Date.now() < (this.#releases.get(id)?.retryAt ?? 0);
  }

  isAnyDue(): boolean {
    return [...this.#releases.values()].some(({ retryAt }) => retryAt <= Date.now());
  }

  /** s until the next retry; Infinity if no release is refused. */
  secondsUntilDue(): number {
    const due = Math.min(...[...this.#releases.values()].map(({ retryAt }) => retryAt));
    return Math.max(0, Math.ceil((due - Date.now()) / 1000));
  }

  refusalsOf(id: string): readonly Refusal[] {
    return this.#releases.get(id)?.refusals ?? [];
  }

  /** Every refused release with its reasons. */
  entries(): ReadonlyMap<string, readonly Refusal[]> {
    return new Map([...this.#releases].map(([id, { refusals }]) => [id, refusals]));
  }
}
