import { providesOf as createProvides, type Provides } from '@forecourt/releases/gate';
import { PAGE_SLOTS, SIZE_BUDGETS } from '@forecourt/search/releasePolicy';
import { marketplaceState } from '@forecourt/search/state';

export {
  checkManifest,
  describeRefusal,
  firstView,
  type GateResult,
  gateResultSchema,
  type Provides,
  providesSchema,
  type Refusal,
  refusalSchema,
  slotsByRemote,
} from '@forecourt/releases/gate';

type Shell = Parameters<typeof createProvides>[0];

export const providesOf = (
  shell: Omit<Shell, 'state' | 'pageSlots' | 'budgets'> & Partial<Pick<Shell, 'budgets'>>,
): Provides =>
  createProvides({
    ...shell,
    state: marketplaceState.parts,
    pageSlots: PAGE_SLOTS,
    budgets: shell.budgets ?? SIZE_BUDGETS,
  });
