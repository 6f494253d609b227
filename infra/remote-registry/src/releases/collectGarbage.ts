import type { PointerChange, PointerStore } from '../pointers/pointerStore.ts';
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
 * only says so. The pointers are read anew before each removal: what was
 * promoted in the meantime stays.
 */
export async function collectGarbage(
  deps: { readonly releases: ReleaseStore; readonly pointers: PointerStore },
  rules: KeepRules & { readonly isDryRun: boolean },
  now: Date,
): Promise<KnownRelease[]> {
  const known: KnownRelease[] = [];
  for (const id of await deps.releases.listReleases()) {
    const release = await deps.releases.findRelease(id);
    if (release) known.push({ ...id, publishedAt: release.publishedAt });
  }
  const removable = async () =>
    removableReleases(
      known,
      await deps.pointers.readPointers(),
      await changesSince(deps.pointers, oldestKept(rules, now)),
      rules,
      now,
    );
  const found = await removable();
  if (rules.isDryRun) return found;
  const removed: KnownRelease[] = [];
  for (const release of found) {
    if (!(await removable()).includes(release)) continue;
    await deps.releases.removeRelease(release);
    removed.push(release);
  }
  return removed;
}
