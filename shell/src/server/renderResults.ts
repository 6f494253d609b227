import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { RootState, SessionState } from '@forecourt/shared-contracts/store';
import { CallFailure } from '../gateway/callFailure.ts';
import type { CallContext } from '../gateway/gateway.ts';
import { composePage } from '../page/composePage.ts';
import type { EarlyFilesOf } from '../page/earlyFiles.ts';
import { createPageLog, type PageLog } from '../pageCache/pageLog.ts';
import type { Rendering, RenderingContext } from '../pageCache/pageCache.ts';
import type { TestedPage } from '../overrides/testedPage.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import { loadAccountState, type AccountState } from '../search/accountState.ts';
import { emptyResults } from '../search/emptyResults.ts';
import { loadSearch } from '../search/loadSearch.ts';
import { PageStatusError } from '../search/pageStatus.ts';
import type { PlaceLookup } from '../search/placeLookup.ts';
import { robotsOf } from '../seo/robots.ts';
import { structuredDataOf } from '../seo/structuredData.ts';
import type { ShellDeps } from './deps.ts';
import type { SlotMetrics } from './metrics.ts';
import type { Reporter } from './reports.ts';

/** All that one results page is made of. */
export interface ResultsRequest {
  readonly criteria: SearchCriteria;
  /** Path and query of the criteria in their normal form. */
  readonly url: string;
  /** Message above the results. */
  readonly notice: string | null;
  readonly session: SessionState;
  readonly hidesAlpha: boolean;
  readonly channel: string | undefined;
  readonly pixallId: string | undefined;
  readonly context: Omit<CallContext, 'signal'>;
  readonly snapshot: Snapshot;
  /** The page is a tester's. */
  readonly tested: TestedPage | undefined;
  readonly origin: string;
  /** Only whether there is a page, not the page. */
  readonly isHead: boolean;
}

export type ResultsAnswer =
  | { readonly kind: 'page'; readonly log: PageLog; readonly robots: string | undefined }
  /** The required listing call has failed. */
  | { readonly kind: 'failed' }
  /** The upstream has answered that the page has this status. */
  | { readonly kind: 'status'; readonly status: number };

export interface ResultsRendererParts {
  readonly placeOf: PlaceLookup;
  readonly slotMetrics: SlotMetrics;
  readonly earlyFiles: EarlyFilesOf;
  readonly report: Reporter;
}

/**
 * Loads a search and composes its page. The answer is there as soon as the
 * search is; its page goes on being written. Rejects only when it is given up.
 */
export function createResultsRenderer(
  deps: ShellDeps,
  { placeOf, slotMetrics, earlyFiles, report }: ResultsRendererParts,
) {
  const { gateway, reference, renderer, ownSlots, assets, logger } = deps;
  const rendering = {
    renderer,
    ownSlots,
    metrics: slotMetrics,
    logSlot: (event: object) => logger.warn(event, 'slot shown by its fallback'),
  };

  async function load(
    asked: ResultsRequest,
    account: Promise<AccountState>,
    context: CallContext,
  ): Promise<RootState['search'] | Exclude<ResultsAnswer, { kind: 'page' }>> {
    const { criteria, session, channel, pixallId, notice, url } = asked;
    const { requestId } = context;
    try {
      const page = await loadSearch(
        { gateway, placeOf, reference: reference.current },
        { criteria, session, channel, pixallId, account, context, report },
      );
      // A visitor who has hidden the showcase gets none, so that nothing has to vanish in the browser (B4-ALPHA-07).
      return { ...page, ...(asked.hidesAlpha ? { alpha: null } : {}), notice, requestId, status: 'ready' };
    } catch (error) {
      if (error instanceof PageStatusError) return { kind: 'status', status: error.status };
      if (!(error instanceof CallFailure) || error.code === 'CANCELLED') throw error;
      if (error.upstreamCode === 'INVALID_PARAMETERS') return emptyResults(criteria, url, requestId);
      report({ code: 'SEARCH_FAILED', message: error.message, requestId });
      return { kind: 'failed' };
    }
  }

  return async (
    asked: ResultsRequest,
    { signal, degrade }: RenderingContext,
  ): Promise<Rendering<ResultsAnswer>> => {
    const context: CallContext = { ...asked.context, signal, onFallback: degrade };
    const account = loadAccountState(gateway, asked.session, context);
    const search = await load(asked, account, context);
    if ('kind' in search) return { answer: search, log: undefined };
    const { snapshot, origin, tested } = asked;
    const session = { ...asked.session, ...(await account).session };
    const state: RootState = { page: { kind: 'results', url: asked.url, referrer: null }, search, session };
    const log = createPageLog();
    const answer: ResultsAnswer = { kind: 'page', log, robots: robotsOf(search) };
    if (asked.isHead) log.end();
    else {
      composePage(log, rendering, {
        state,
        snapshot,
        tested,
        requestId: context.requestId,
        signal,
        degrade,
        origin,
        assets,
        earlyFiles,
        structuredData: structuredDataOf(search, origin),
        call: (name, params, cut) => gateway.call(name, params, { ...context, signal: cut }),
      }).catch((error: unknown) => log.fail(error));
    }
    return { answer, log };
  };
}
