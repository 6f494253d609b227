import type { Request } from 'express';
import type { Logger } from '@forecourt/service-kit/log';
import { createEarlyFiles, type EarlyFilesOf } from '../compose/earlyFiles.ts';
import type { PageDictionary } from '../compose/pageDictionary.ts';
import type { PageLayouts } from '../layout/permissions.ts';
import type { SlotPlacement } from '../layout/placement.ts';
import type { RenderDeps, SlotMetrics } from '../compose/renderSlots.ts';
import type { ShellAssets } from '../compose/shellAssets.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { RequestContext } from '../http/requestContext.ts';
import type { PageLoad } from '../load/pageLoad.ts';
import type { PageExtension } from '../pageExtension.ts';
import type { BrowserEvidence } from '../releases/browserEvidence.ts';
import type { FailureClaims } from '../releases/browserFailures.ts';
import type { LiveRemotes, Snapshot } from '../releases/snapshot.ts';
import { releaseId } from '../rendering/release.ts';
import type { SlotRenderer } from '../rendering/slotRenderer.ts';
import type { Site } from '../site.ts';
import type { ResponseFacts } from '../universal/responseFacts.ts';

/** Dependencies of every page. */
export interface PageDeps {
  readonly site: Site;
  readonly gateway: Pick<Gateway, 'call' | 'request'>;
  readonly releases: { readonly live: () => LiveRemotes };
  readonly renderer: SlotRenderer;
  readonly slotCache?: RenderDeps['slotCache'];
  readonly slotBreakers: RenderDeps['slotBreakers'];
  readonly slotMetrics: SlotMetrics;
  readonly browsers: Pick<BrowserEvidence, 'sent'>;
  /** Without it nothing is traced. `phase` begins a phase of the request; `forBrowser` lets its page add to the trace. */
  readonly tracing?:
    | {
        readonly slot: NonNullable<RenderDeps['trace']>;
        readonly phase: (requestId: string, name: string) => void;
        readonly forBrowser: (requestId: string) => string | undefined;
      }
    | undefined;
  readonly load: PageLoad;
  /** The site's layouts, some of whose slots may be in frames. */
  readonly layouts: PageLayouts;
  readonly assets: ShellAssets;
  /** Dictionaries for pages: what the client has of them, and the hash of the one that it should fetch. */
  readonly dictionaries: {
    readonly of: (request: Request) => PageDictionary | undefined;
    readonly offeredTo: (request: Request) => string | undefined;
  };
  /** Signs the claims of pages. */
  readonly failureClaims: FailureClaims;
  readonly logger: Logger;
  readonly extension?: PageExtension | undefined;
}

/** The slots of a page in one view, and the files that they need early. */
export interface PageView {
  readonly layout: readonly SlotPlacement[];
  readonly earlyFilesOf: EarlyFilesOf;
}

/** The view of a page kind. In a view with a name, the later styles are in the first view too. */
export function viewOf(
  { assets, layouts }: Pick<PageDeps, 'assets' | 'layouts'>,
  kind: string,
  view?: string,
): PageView {
  const layout = (layouts[kind] ?? []).filter((one) => one.view === undefined || one.view === view);
  const styles = view === undefined ? assets : { firstViewCss: assets.css, laterStyles: [] };
  return { layout, earlyFilesOf: createEarlyFiles(styles, layout, kind) };
}

export const renderDepsOf = ({
  site,
  renderer,
  slotCache,
  slotBreakers,
  slotMetrics,
  tracing,
  logger,
}: PageDeps): RenderDeps => ({
  site,
  renderer,
  slotCache,
  slotBreakers,
  metrics: slotMetrics,
  trace: tracing?.slot,
  logSlot: (event) => logger.warn(event, 'slot shows its fallback'),
});

/** What the response to one request tells its page. `snapshot` is that of the page. */
export function responseFactsOf(
  { releases, failureClaims, tracing }: Pick<PageDeps, 'releases' | 'failureClaims' | 'tracing'>,
  { requestId, visitor }: Pick<RequestContext, 'requestId' | 'visitor'>,
  snapshot: Snapshot,
): ResponseFacts {
  const live = releases.live();
  const served = [...snapshot].filter(([remote, { id }]) => {
    const pointer = live.get(remote);
    // By id: an override of the same version is not counted.
    return pointer?.live.id === id || pointer?.canary?.release.id === id;
  });
  const ids = served.map(([remote, { manifest }]) => releaseId(remote, manifest.version));
  const failureClaim = failureClaims.sign({ id: requestId, releases: ids }, visitor.id);
  return { requestId, failureClaim, trace: tracing?.forBrowser(requestId) };
}
