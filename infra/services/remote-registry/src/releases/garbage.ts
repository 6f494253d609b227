import semver from 'semver';
import type { PointerChange } from '@forecourt/release-kit/registryResponses';
import { type ReleaseId, releaseLabel } from '@forecourt/release-kit/releaseFiles';
import type { PointerRecord, PointerStore, ReleaseStore } from '../ports.ts';
import type { PointerBoard } from '../pointers/pointerBoard.ts';

/** How long, and how many, releases stay without a pointer. */
export interface KeepRules {
  /**
   * Days that a release stays after it was published or last pointed to: an open
   * tab may still load its lazy chunks.
   */
  readonly keepDays: number;
  /** Number of newest versions per remote, and of rollback targets, that stay regardless of age. */
  readonly keepVersions: number;
}

export interface PublishedRelease extends ReleaseId {
  readonly publishedAt: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Changes before this time no longer protect the releases that they name. */
const retentionCutoff = ({ keepDays }: KeepRules, now: Date): number => now.getTime() - keepDays * DAY_MS;

/** The releases that no pointer, open tab, rollback or retention rule needs. */
export function removableReleases(
  releases: readonly PublishedRelease[],
  pointers: PointerRecord,
  /** At least all changes of the last `keepDays` days. */
  changes: readonly PointerChange[],
  rules: KeepRules,
  now: Date,
): PublishedRelease[] {
  const retained = new Set<string>();
  const keep = (name: string, version: string | undefined) =>
    version !== undefined && retained.add(releaseLabel({ name, version }));
  for (const [name, { live, canary }] of Object.entries(pointers.remotes)) {
    keep(name, live);
    keep(name, canary?.version);
  }
  const oldest = retentionCutoff(rules, now);
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
    (release) => !retained.has(releaseLabel(release)) && Date.parse(release.publishedAt) < oldest,
  );
}

async function changesSince(pointers: PointerStore, oldest: number): Promise<PointerChange[]> {
  const changes: PointerChange[] = [];
  for (;;) {
    const page = await pointers.readChanges({ limit: 200, beforeRevision: changes.at(-1)?.revision });
    changes.push(...page);
    const last = page.at(-1);
    if (!last || Date.parse(last.at) < oldest) return changes;
  }
}

/**
 * Removes the removable releases and returns them; with `isDryRun`, only returns
 * them. Each removal holds the pointer lock and checks the revision; the history
 * is read again only if the pointers have moved.
 */
export async function collectGarbage(
  deps: {
    readonly releases: ReleaseStore;
    readonly pointers: PointerStore;
    readonly board: Pick<PointerBoard, 'withPointersLocked'>;
  },
  rules: KeepRules & { readonly isDryRun: boolean },
  now: Date,
): Promise<PublishedRelease[]> {
  const releases: PublishedRelease[] = [];
  for (const id of await deps.releases.listReleases()) {
    const release = await deps.releases.findRelease(id);
    if (release) releases.push({ ...id, publishedAt: release.publishedAt });
  }
  const removable = async (record: PointerRecord) =>
    removableReleases(
      releases,
      record,
      await changesSince(deps.pointers, retentionCutoff(rules, now)),
      rules,
      now,
    );
  let record = await deps.pointers.readPointers();
  const unused = await removable(record);
  if (rules.isDryRun) return unused;
  let stillUnused = new Set(unused);
  const removedReleases: PublishedRelease[] = [];
  for (const release of unused)
    await deps.board.withPointersLocked(async () => {
      const newest = await deps.pointers.readPointers();
      if (newest.revision !== record.revision) {
        record = newest;
        stillUnused = new Set(await removable(newest));
      }
      if (!stillUnused.has(release)) return;
      await deps.releases.removeRelease(release);
      removedReleases.push(release);
    });
  return removedReleases;
}
