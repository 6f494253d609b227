import type { PointerChange } from '@forecourt/cli/release';
import type { PointerBoard } from '../pointers/pointerBoard.ts';
import type { PointerRecord, PointerStore } from '../pointers/pointerStore.ts';
import { type KeepRules, type KnownRelease, oldestKept, removableReleases } from './garbage.ts';
import type { ReleaseStore } from './releaseStore.ts';

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
 * Removes the releases that nothing keeps, and says which; with `isDryRun` it
 * only says so. Each is removed while no pointer moves, after a look at the
 * pointers alone; only when they have moved meanwhile is the history read anew.
 */
export async function collectGarbage(
  deps: {
    readonly releases: ReleaseStore;
    readonly pointers: PointerStore;
    readonly board: Pick<PointerBoard, 'whileNothingMoves'>;
  },
  rules: KeepRules & { readonly isDryRun: boolean },
  now: Date,
): Promise<KnownRelease[]> {
  const known: KnownRelease[] = [];
  for (const id of await deps.releases.listReleases()) {
    const release = await deps.releases.findRelease(id);
    if (release) known.push({ ...id, publishedAt: release.publishedAt });
  }
  const removable = async (record: PointerRecord) =>
    removableReleases(known, record, await changesSince(deps.pointers, oldestKept(rules, now)), rules, now);
  let record = await deps.pointers.readPointers();
  const found = await removable(record);
  if (rules.isDryRun) return found;
  let stillFound = new Set(found);
  const removed: KnownRelease[] = [];
  for (const release of found)
    await deps.board.whileNothingMoves(async () => {
      const newest = await deps.pointers.readPointers();
      if (newest.revision !== record.revision) {
        record = newest;
        stillFound = new Set(await removable(newest));
      }
      if (!stillFound.has(release)) return;
      await deps.releases.removeRelease(release);
      removed.push(release);
    });
  return removed;
}
