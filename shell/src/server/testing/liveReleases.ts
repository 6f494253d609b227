import type { SlotPlacement } from '../layout/placement.ts';
import type { LoadedRelease } from '../rendering/release.ts';
import { textSlot, tinyRelease } from '../rendering/testing/tinyRelease.ts';

/** By remote a release that fills all of these placements, each with its slot's name. */
export function liveReleases(
  placements: readonly SlotPlacement[],
): ReadonlyMap<string, { live: LoadedRelease }> {
  const slots = new Map<string, Record<string, string>>();
  for (const { slot, source } of placements)
    if (source !== 'shell') slots.set(source.remote, { ...slots.get(source.remote), [slot]: textSlot(slot) });
  return new Map([...slots].map(([name, sources]) => [name, { live: tinyRelease(sources, { name }) }]));
}
