import semver from 'semver';
import { type PointerChange, type ReleaseId, releaseLabel } from '@forecourt/cli/release';
import type { PointerRecord } from '../pointers/pointerStore.ts';

/** How long and how many releases stay that nobody points to. */
export interface KeepRules {
  /**
   * Days that a release stays after it was published or last pointed to: a tab
   * that was opened on it may still load its lazy parts.
   */
  readonly keepDays: number;
  /** Newest versions of each remote that stay whatever their age, and versions to which a rollback can go. */
  readonly keepVersions: number;
}

export interface KnownRelease extends ReleaseId {
  readonly publishedAt: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** When changes are older than this, no release that they name is kept for their sake. */
export const oldestKept = ({ keepDays }: KeepRules, now: Date): number => now.getTime() - keepDays * DAY_MS;

/** The releases that nothing keeps: neither a pointer, nor an open tab, nor a rollback, nor being new. */
export function removableReleases(
  releases: readonly KnownRelease[],
  pointers: PointerRecord,
  /** At least all changes of the kept days. */
  changes: readonly PointerChange[],
  rules: KeepRules,
  now: Date,
): KnownRelease[] {
  const kept = new Set<string>();
  const keep = (name: string, version: string | undefined) =>
    version !== undefined && kept.add(releaseLabel({ name, version }));
  for (const [name, { live, canary }] of Object.entries(pointers.remotes)) {
    keep(name, live);
    keep(name, canary?.version);
  }
  const oldest = oldestKept(rules, now);
  for (const { remote, at, before, after } of changes) {
    if (Date.parse(at) < oldest) continue;
    for (const pointer of [before, after]) {
      keep(remote, pointer?.live);
      keep(remote, pointer?.canary?.version);
    }
  }
  if (rules.keepVersions > 0) {
    for (const [name, history] of Object.entries(pointers.history))
      for (const { version } of history.slice(-rules.keepVersions)) keep(name, version);
    for (const name of new Set(releases.map((release) => release.name))) {
      const versions = releases.filter((release) => release.name === name).map(({ version }) => version);
      for (const version of versions.sort(semver.rcompare).slice(0, rules.keepVersions)) keep(name, version);
    }
  }
  return releases.filter(
    (release) => !kept.has(releaseLabel(release)) && Date.parse(release.publishedAt) < oldest,
  );
}
