import { LAYOUT as COMPOSED, type SlotPlacement } from '../../../../../shell/src/server/layout/layouts.ts';

export type * from '../../../../../shell/src/server/layout/layouts.ts';

/** The page's own layout, with every slot linked in: no remote fills any of them. */
export const LAYOUT: readonly SlotPlacement[] = COMPOSED.map((placement) => ({
  ...placement,
  source: 'shell',
}));
