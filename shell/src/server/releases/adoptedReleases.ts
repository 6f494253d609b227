import type { LoadedRelease } from '../rendering/release.ts';
import type { LiveRemotes } from './snapshot.ts';

/** Caps the number of retiring releases; older ones retire ten times sooner. */
const MAX_RETIRING = 5;

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
    let surplus = this.#retiringSince.size - MAX_RETIRING;
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
