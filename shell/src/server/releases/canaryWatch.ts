import type { LiveRemotes } from './snapshot.ts';

/** How far back outcomes count; ms. */
const WINDOW_MS = 10 * 60_000;
const SLICE_MS = 30_000;

export interface CanaryWatchOptions {
  readonly live: () => LiveRemotes;
  /** A canary is clearly worse than live: called once for it. */
  readonly onWorse: (canary: { remote: string; version: string; reason: string }) => void;
  /** ms since any epoch. */
  readonly now: () => number;
}

export interface CanaryWatch {
  /** One render of a release of a remote, or one hydration that failed. */
  readonly record: (remote: string, version: string, isGood: boolean) => void;
}

/** Counts of one release by slices of time, the oldest first. */
class Tally {
  private slices: { since: number; good: number; bad: number }[] = [];

  add(isGood: boolean, now: number): void {
    let slice = this.slices.at(-1);
    if (!slice || now - slice.since >= SLICE_MS) {
      slice = { since: now, good: 0, bad: 0 };
      this.slices.push(slice);
      this.slices = this.slices.filter(({ since }) => now - since <= WINDOW_MS);
    }
    slice[isGood ? 'good' : 'bad'] += 1;
  }

  health(now: number): ReleaseHealth {
    const recent = this.slices.filter(({ since }) => now - since <= WINDOW_MS);
    return {
      good: recent.reduce((sum, { good }) => sum + good, 0),
      bad: recent.reduce((sum, { bad }) => sum + bad, 0),
    };
  }
}

const share = ({ good, bad }: ReleaseHealth) => `${bad} of ${good + bad}`;

/** Compares each canary with the live release of its remote over the last ten minutes. */
export function watchCanaries({ live, onWorse, now }: CanaryWatchOptions): CanaryWatch {
  /** By remote and version. */
  const tallies = new Map<string, Map<string, Tally>>();
  const ended = new Set<string>();

  function tallyOf(remote: string, version: string): Tally {
    const versions = tallies.get(remote) ?? new Map<string, Tally>();
    tallies.set(remote, versions);
    const tally = versions.get(version) ?? new Tally();
    versions.set(version, tally);
    return tally;
  }

  /** Only what pages are composed of now is counted on. */
  function forgetOthers(remote: string, versions: readonly string[]): void {
    for (const known of tallies.get(remote)?.keys() ?? [])
      if (!versions.includes(known)) tallies.get(remote)?.delete(known);
  }

  return {
    record(remote, version, isGood) {
      const pointer = live().get(remote);
      const canary = pointer?.canary?.release.manifest.version;
      if (!pointer || canary === undefined) return void tallies.delete(remote);
      const current = pointer.live.manifest.version;
      if (version !== canary && version !== current) return;
      forgetOthers(remote, [canary, current]);
      tallyOf(remote, version).add(isGood, now());
      const id = `${remote}@${canary}`;
      if (isGood || version !== canary || ended.has(id)) return;
      const [worse, better] = [tallyOf(remote, canary).health(now()), tallyOf(remote, current).health(now())];
      if (!isClearlyWorse(worse, better)) return;
      ended.add(id);
      onWorse({
        remote,
        version: canary,
        reason: `the canary failed ${share(worse)} times, ${current} ${share(better)} times within ${WINDOW_MS / 60_000} minutes`,
      });
    },
  };
}

/** Outcomes of one release within a stretch of time. */
export interface ReleaseHealth {
  readonly good: number;
  readonly bad: number;
}

/** Fewer failures are no evidence, whatever their share. */
const MIN_FAILURES = 5;
/** A difference below this share is not worth a rollback. */
const MIN_DIFFERENCE = 0.02;
/** One-sided; about three false alarms in 100,000 looks at equally good releases. */
const MIN_Z = 4;

/**
 * Is the canary clearly worse than the live release? Both shares of failures
 * are compared by a two-proportion z-test, so that a few unlucky renders of a
 * small canary end nothing, and a canary that fails always ends within seconds.
 */
export function isClearlyWorse(canary: ReleaseHealth, live: ReleaseHealth): boolean {
  const canaryTotal = canary.good + canary.bad;
  // One good and one bad render stand for what is not known yet of a live release that nobody asked for.
  const liveTotal = live.good + live.bad + 2;
  const liveBad = live.bad + (live.bad === 0 ? 0 : 1);
  if (canary.bad < MIN_FAILURES) return false;
  const canaryShare = canary.bad / canaryTotal;
  const liveShare = liveBad / liveTotal;
  if (canaryShare - liveShare < MIN_DIFFERENCE) return false;
  const pooled = (canary.bad + liveBad) / (canaryTotal + liveTotal);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / canaryTotal + 1 / liveTotal));
  // Every single render of both failed: the canary is not what is wrong.
  if (error === 0) return false;
  return (canaryShare - liveShare) / error >= MIN_Z;
}
