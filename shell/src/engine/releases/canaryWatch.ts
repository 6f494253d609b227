import { CANARY_RULE, judgeCanary } from '@forecourt/releases/canaryRule';
import { releaseId } from '../rendering/release.ts';
import type { LiveRemotes } from './snapshot.ts';

/** Outcomes older than this do not count; ms. */
export const WINDOW_MS = 10 * 60_000;
const SLICE_MS = 30_000;

/** Outcomes of one release within the window. */
export interface ReleaseHealth {
  readonly good: number;
  readonly bad: number;
}

/** Counts outcomes of the last ten minutes by time slice, oldest first. */
export class Tally {
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

export interface CanaryWatchOptions {
  readonly live: () => LiveRemotes;
  /** Called once for a canary that is clearly worse than the live release. */
  readonly onWorse: (canary: { remote: string; version: string; reason: string }) => void;
  /** ms since any epoch. */
  readonly now: () => number;
}

export type CanaryWatch = ReturnType<typeof watchCanaries>;

const share = ({ good, bad }: ReleaseHealth) => `${bad} of ${good + bad}`;

/** The longest good times of the vitals that are compared; ms (https://web.dev/articles/vitals). */
export const GOOD_VITAL_MS = { LCP: 2_500, INP: 200 } as const;
export type ComparedVital = keyof typeof GOOD_VITAL_MS;
export const COMPARED_VITALS = Object.keys(GOOD_VITAL_MS) as ComparedVital[];

/**
 * What is compared: whether slots render and hydrate, and whether pages are quick enough for their visitors. Each vital is
 * compared by itself: many pages have an LCP and no INP, so their sum would hide a slow INP.
 */
type Aspect = 'failures' | ComparedVital;

const describeWorse = (aspect: Aspect, canary: ReleaseHealth, version: string, live: ReleaseHealth): string =>
  aspect === 'failures'
    ? `the canary failed ${share(canary)} times, ${version} ${share(live)} times`
    : `${aspect} was slow in ${share(canary)} measurements with the canary, in ${share(live)} with ${version}`;

const createTallies = (): Readonly<Record<Aspect, Tally>> => ({
  failures: new Tally(),
  LCP: new Tally(),
  INP: new Tally(),
});

/** Compares each canary with the live release of its remote over the last ten minutes. */
export function watchCanaries({ live, onWorse, now }: CanaryWatchOptions) {
  /** By release id. */
  const tallies = new Map<string, Readonly<Record<Aspect, Tally>>>();
  const ended = new Set<string>();

  function talliesOf(id: string): Readonly<Record<Aspect, Tally>> {
    const tally = tallies.get(id) ?? createTallies();
    tallies.set(id, tally);
    return tally;
  }

  const healthOf = (id: string, aspect: Aspect): ReleaseHealth =>
    tallies.get(id)?.[aspect].health(now()) ?? { good: 0, bad: 0 };

  /** Drops counts of the remote's releases that are no longer compared. */
  function dropOthers(remote: string, ids: readonly string[]): void {
    for (const id of tallies.keys()) if (id.startsWith(`${remote}@`) && !ids.includes(id)) tallies.delete(id);
  }

  function evidenceOf(remote: string, version: string, current: string) {
    const outcomes = (aspect: Aspect) => ({
      canary: healthOf(releaseId(remote, version), aspect),
      live: healthOf(releaseId(remote, current), aspect),
    });
    return {
      remote,
      version,
      ...outcomes('failures'),
      speed: COMPARED_VITALS.map((name) => ({ name, goodMs: GOOD_VITAL_MS[name], ...outcomes(name) })),
      rule: CANARY_RULE,
    };
  }

  return {
    /** One render of a release of a remote, one hydration that failed, or one measurement of a page with it. */
    record(remote: string, version: string, isGood: boolean, aspect: Aspect = 'failures'): void {
      const pointer = live().get(remote);
      const canary = pointer?.canary?.release.manifest.version;
      if (!pointer || canary === undefined) return dropOthers(remote, []);
      const current = pointer.live.manifest.version;
      if (version !== canary && version !== current) return;
      const canaryId = releaseId(remote, canary);
      const currentId = releaseId(remote, current);
      dropOthers(remote, [canaryId, currentId]);
      talliesOf(releaseId(remote, version))[aspect].add(isGood, now());
      if (isGood || version !== canary || ended.has(canaryId)) return;
      const worse = talliesOf(canaryId)[aspect].health(now());
      const better = talliesOf(currentId)[aspect].health(now());
      if (judgeCanary(worse, better) !== 'worse') return;
      ended.add(canaryId);
      onWorse({
        remote,
        version: canary,
        reason: `${describeWorse(aspect, worse, current, better)} within ${WINDOW_MS / 60_000} minutes`,
      });
    },
    /** Every canary with its outcomes and measurements, and those of the live release, for people who decide about it. */
    evidence: () =>
      [...live()].flatMap(([remote, { live: current, canary }]) =>
        canary ? [evidenceOf(remote, canary.release.manifest.version, current.manifest.version)] : [],
      ),
  };
}
