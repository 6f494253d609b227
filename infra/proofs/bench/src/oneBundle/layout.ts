import { LAYOUT as COMPOSED, type SlotPlacement } from '../../../../../shell/src/page/layout.ts';

export type * from '../../../../../shell/src/page/layout.ts';

/** The page's layout with every slot linked in. */
export const LAYOUT: readonly SlotPlacement[] = COMPOSED.map((placement) => ({
  ...placement,
  source: 'shell',
}));
