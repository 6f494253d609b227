import type { SlotModule } from '@forecourt/shared-contracts/slots';
import type { Logger } from 'pino';
import type { PageExtension } from '../compose/pageExtension.ts';
import type { RenderDeps, SlotMetrics } from '../compose/renderSlots.ts';
import type { ShellAssets } from '../compose/shellAssets.ts';
import type { PageLayouts } from '../layout/permissions.ts';
import type { FailureClaims } from '../releases/failureClaims.ts';
import type { LiveRemotes } from '../releases/snapshot.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import type { SlugReferenceKeeper } from '../search/slugReference.ts';
import type { Gateway } from '../upstream/gateway.ts';
import type { PageLoad } from './pageLoad.ts';

/** Dependencies of every page. */
export interface PageDeps {
  readonly gateway: Gateway;
  readonly reference: Pick<SlugReferenceKeeper, 'current'>;
  readonly releases: { readonly live: () => LiveRemotes };
  readonly renderer: SlotRenderer;
  /** Modules of the slots that the shell provides itself. */
  readonly ownSlots: Readonly<Record<string, SlotModule>>;
  readonly slotMetrics: SlotMetrics;
  readonly load: PageLoad;
  readonly layouts: PageLayouts;
  readonly assets: ShellAssets;
  /** Signs the claims of pages. */
  readonly failureClaims: FailureClaims;
  readonly logger: Logger;
  readonly extension?: PageExtension | undefined;
}

export const renderDepsOf = ({ renderer, ownSlots, slotMetrics, logger }: PageDeps): RenderDeps => ({
  renderer,
  ownSlots,
  metrics: slotMetrics,
  logSlot: (event) => logger.warn(event, 'slot shows its fallback'),
});
