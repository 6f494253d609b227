import { SIZE_BUDGETS, type Provides } from '@forecourt/shared-contracts/slots/gate';
import { LAYOUT, type SlotPlacement } from '../page/layout.ts';
import { providedVersions } from '../rendering/sharedScope.ts';

/** What the layout places in each remote. */
function placedSlots(layout: readonly SlotPlacement[]): Provides['remotes'] {
  const remotes: Record<string, { slots: string[] }> = {};
  for (const { slot, source } of layout)
    if (source !== 'shell') (remotes[source.remote] ??= { slots: [] }).slots.push(slot);
  return remotes;
}

/** What this shell shares with releases, and what its page asks of them. */
export function shellProvides(layout: readonly SlotPlacement[] = LAYOUT): Provides {
  const shared = providedVersions();
  return {
    shared,
    contract: shared['@forecourt/shared-contracts/slots'] ?? '0.0.0',
    remotes: placedSlots(layout),
    budgets: { remotes: { ...SIZE_BUDGETS.remotes }, preset: SIZE_BUDGETS.preset },
  };
}
