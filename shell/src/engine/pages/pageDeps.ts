import { RESERVED_SEGMENTS, RESULTS_PATH } from '@forecourt/shared-contracts/criteria';
import type { SlotModule } from '@forecourt/shared-contracts/slots';
import type { Logger } from 'pino';
import { createEarlyFiles } from '../compose/earlyFiles.ts';
import type { PageExtension } from '../pageExtension.ts';
import type { RenderDeps, SlotMetrics } from '../compose/renderSlots.ts';
import type { ShellAssets } from '../compose/shellAssets.ts';
import type { PageLayouts } from '../../marketplace/permissions.ts';
import type { SlotPlacement } from '../compose/placement.ts';
import type { FailureClaims } from '../releases/browserFailures.ts';
import type { LiveRemotes, Snapshot } from '../releases/snapshot.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import type { SlugReferenceKeeper } from '../../marketplace/results/slugReference.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { PageLoad } from '../load/pageLoad.ts';
import type { ResponseFacts } from '../universal/responseFacts.ts';
import type { RequestContext } from '../http/requestContext.ts';
import { releaseId } from '../rendering/release.ts';

/** Dependencies of every page. */
export interface PageDeps {
  readonly gateway: Gateway;
  readonly reference: Pick<SlugReferenceKeeper, 'current' | 'data'>;
  readonly releases: { readonly live: () => LiveRemotes };
  readonly renderer: SlotRenderer;
  readonly slotCache?: RenderDeps['slotCache'];
  /** Modules of the slots that the shell provides itself. */
  readonly ownSlots: Readonly<Record<string, SlotModule>>;
  readonly slotMetrics: SlotMetrics;
  /** Without it nothing is traced. `phase` begins a phase of the request; `forBrowser` lets its page add to the trace. */
  readonly tracing?:
    | {
        readonly slot: NonNullable<RenderDeps['trace']>;
        readonly phase: (requestId: string, name: string) => void;
        readonly forBrowser: (requestId: string) => string | undefined;
      }
    | undefined;
  readonly load: PageLoad;
  readonly layouts: PageLayouts;
  readonly assets: ShellAssets;
  /** Signs the claims of pages. */
  readonly failureClaims: FailureClaims;
  readonly logger: Logger;
  readonly extension?: PageExtension | undefined;
}

/** The slots of a view of the results. Beside a map, the later styles too are in the first view. */
export function viewOf({ assets, layouts }: PageDeps, shown?: SlotPlacement['view']) {
  const layout = layouts.results.filter(({ view }) => view === undefined || view === shown);
  const styles = shown ? { firstViewCss: assets.css, laterStyles: [] } : assets;
  return { layout, earlyFilesOf: createEarlyFiles(styles, layout, 'results') };
}

export const renderDepsOf = ({
  renderer,
  slotCache,
  ownSlots,
  slotMetrics,
  tracing,
  logger,
}: PageDeps): RenderDeps => ({
  renderer,
  slotCache,
  ownSlots,
  metrics: slotMetrics,
  trace: tracing?.slot,
  logSlot: (event) => logger.warn(event, 'slot shows its fallback'),
});

/** The search that the server has rendered. Not the id of the request, which differs between responses with one page. */
export const FIRST_SEARCH = 'first';

/** What the response to one request tells its page. `snapshot` is that of the page. */
export function pageViewOf(
  { releases, failureClaims, tracing }: Pick<PageDeps, 'releases' | 'failureClaims' | 'tracing'>,
  { requestId, visitor }: Pick<RequestContext, 'requestId' | 'visitor'>,
  snapshot: Snapshot,
): ResponseFacts {
  const live = releases.live();
  const compared = [...snapshot].filter(([remote, { id }]) => {
    const pointer = live.get(remote);
    // By id: an override of the same version is not compared.
    return pointer?.canary !== undefined && [pointer.live.id, pointer.canary.release.id].includes(id);
  });
  const ids = compared.map(([remote, { manifest }]) => releaseId(remote, manifest.version));
  const failureClaim = failureClaims.sign({ id: requestId, releases: ids }, visitor.id);
  return { requestId, failureClaim, trace: tracing?.forBrowser(requestId) };
}

/** Without the exceptions of `resultsPaths`. */
export const ALL_RESULTS_PATHS = [RESULTS_PATH, `${RESULTS_PATH}/*path`];

/** The same without those that may belong to other routes. The group makes Express refuse malformed encodings. */
export function resultsPaths({ extension }: Pick<PageDeps, 'extension'>): RegExp {
  const others = RESERVED_SEGMENTS.map((segment) => `${RESULTS_PATH}/${segment}`);
  if (extension) others.push(extension.path);
  return new RegExp(`^(?!(?:${others.join('|')})(?:/|$))${RESULTS_PATH}(?:/(.*))?$`, 'i');
}
