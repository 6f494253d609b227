import type { PageKind } from '@forecourt/search/state';
import { PAGE_LAYOUTS as COMPOSED } from '../../../../../shell/src/marketplace/layouts.ts';
import type { SlotPlacement } from '../../../../../shell/src/engine/layout/placement.ts';

export type * from '../../../../../shell/src/marketplace/layouts.ts';

/** The shell's own layouts with every slot linked in: no remote fills any of them. */
export const PAGE_LAYOUTS = Object.fromEntries<readonly SlotPlacement[]>(
  Object.entries(COMPOSED).map(([kind, placements]) => [
    kind,
    placements.map((placement) => ({ ...placement, source: 'shell' as const })),
  ]),
) as Record<PageKind, readonly SlotPlacement[]>;

export const LAYOUT = PAGE_LAYOUTS.results;
export const ALL_PLACEMENTS = Object.values(PAGE_LAYOUTS).flat();
