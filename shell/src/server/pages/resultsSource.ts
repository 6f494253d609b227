import type { Request } from 'express';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { RootState } from '@forecourt/shared-contracts/store';
import { pageKey, type PageCache, type Rendering, type RenderingContext } from '../cache/pageCache.ts';
import { composePage } from '../compose/composePage.ts';
import { createEarlyFiles } from '../compose/earlyFiles.ts';
import type { PageAddition } from '../compose/pageExtension.ts';
import { createPageLog, type PageLog } from '../compose/pageLog.ts';
import { contextOf } from '../http/requestContext.ts';
import { PAGE_LAYOUTS } from '../layout/layouts.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import { loadSearch, type Reporter } from '../search/loadSearch.ts';
import { emptyResults, PageStatusError } from '../search/pageStatus.ts';
import type { PlaceLookup } from '../search/placeLookup.ts';
import { loadAccountState, type AccountState } from '../search/savedState.ts';
import { robotsOf, structuredDataOf } from '../seo/structuredData.ts';
import { CallFailure } from '../upstream/callFailure.ts';
import type { CallContext } from '../upstream/gateway.ts';
import type { Visitor } from '../visitor/visitor.ts';
import { renderDepsOf, type PageDeps } from './pageDeps.ts';

/** Everything that one results page depends on. */
export interface ResultsRequest {
  readonly criteria: SearchCriteria;
  /** Normalised path and query of the criteria. */
  readonly url: string;
  /** Message above the results. */
  readonly notice: string | null;
  readonly visitor: Visitor;
  readonly channel: string | undefined;
  readonly pixallId: string | undefined;
  readonly context: CallContext;
  readonly snapshot: Snapshot;
  readonly addition: PageAddition | undefined;
  readonly origin: string;
  /** HEAD request: the search is loaded, but no page is composed. */
  readonly isHead: boolean;
}

export type ResultsResponse =
  | { readonly kind: 'page'; readonly log: PageLog; readonly robots: string | undefined }
  /** The required listing call failed. */
  | { readonly kind: 'failed' }
  /** The upstream gave the page this status. */
  | { readonly kind: 'status'; readonly status: number };

export interface ResultsSource {
  /** The page from the cache or rendered; undefined if the client disconnected. `outcome` says which. */
  readonly get: (
    page: ResultsRequest,
    request: Request,
  ) => Promise<(ResultsResponse & { readonly outcome: string }) | undefined>;
  readonly report: Reporter;
}

export interface ResultsSourceOptions {
  readonly placeOf: PlaceLookup;
  /** Shared pages of anonymous visitors; without it each page is rendered for one visitor. */
  readonly cache?: PageCache<ResultsResponse> | undefined;
  readonly report: Reporter;
  readonly countPages: (outcome: string) => void;
  /** In local mode a forced reload skips the cache. */
  readonly isLocal: boolean;
}

/** Loads searches and composes their pages, cached where a page is the same for every anonymous visitor. */
export function createResultsSource(deps: PageDeps, options: ResultsSourceOptions): ResultsSource {
  const { gateway, reference, assets } = deps;
  const { cache, report, placeOf } = options;
  const renderDeps = renderDepsOf(deps);
  const earlyFiles = createEarlyFiles(assets, PAGE_LAYOUTS.results);

  async function load(
    page: ResultsRequest,
    { account, context }: { readonly account: Promise<AccountState>; readonly context: CallContext },
  ): Promise<RootState['search'] | Exclude<ResultsResponse, { kind: 'page' }>> {
    const { criteria, visitor, channel, notice, url } = page;
    const { requestId } = context;
    try {
      const search = await loadSearch(
        { gateway, placeOf, reference: reference.current },
        {
          criteria,
          session: visitor.session,
          channel,
          pixallId: page.pixallId,
          account,
          context,
          report,
        },
      );
      // For visitors who have hidden the showcase it is left out, so that nothing disappears later (B4-ALPHA-07).
      const hidden = visitor.hidesAlpha ? { alpha: null } : {};
      return { ...search, ...hidden, notice, requestId, status: 'ready' };
    } catch (error) {
      if (error instanceof PageStatusError) return { kind: 'status', status: error.status };
      if (!(error instanceof CallFailure) || error.code === 'CANCELLED') throw error;
      if (error.upstreamCode === 'INVALID_PARAMETERS') return emptyResults(criteria, url, requestId);
      report({ code: 'SEARCH_FAILED', message: error.message, requestId });
      return { kind: 'failed' };
    }
  }

  function compose(
    page: ResultsRequest,
    state: RootState,
    { context, signal, degrade }: RenderingContext & { readonly context: CallContext },
  ): PageLog {
    const log = createPageLog();
    if (page.isHead) {
      log.end();
      return log;
    }
    const { texts, spotlights, vehicleHighlight, listings } = state.search;
    const firstListing = spotlights[0]?.premium[0] ?? vehicleHighlight ?? listings[0];
    composePage(log, renderDeps, {
      state,
      snapshot: page.snapshot,
      addition: page.addition,
      requestId: context.requestId,
      signal,
      degrade,
      origin: page.origin,
      assets,
      earlyFiles,
      head: {
        title: texts.title,
        description: texts.description,
        canonical: texts.canonicalUrl,
        isIndexed: true,
        heroImage: firstListing?.images.sources[firstListing.images.primary]?.src,
      },
      currentUrl: state.search.url,
      structuredData: structuredDataOf(state.search, page.origin),
      call: (name, params, slotSignal) => gateway.call(name, params, { ...context, signal: slotSignal }),
    }).catch((error: unknown) => log.fail(error));
    return log;
  }

  /** Resolves once the search is loaded; the page is still being written then. */
  async function render(
    page: ResultsRequest,
    { signal, degrade }: RenderingContext,
  ): Promise<Rendering<ResultsResponse>> {
    const context: CallContext = { ...page.context, signal, onFallback: degrade };
    const account = loadAccountState(gateway, page.visitor.session, context);
    const search = await load(page, { account, context });
    if ('kind' in search) return { result: search, log: undefined };
    const session = { ...page.visitor.session, ...(await account).session };
    const state: RootState = { page: { kind: 'results', url: page.url, referrer: null }, search, session };
    const log = compose(page, state, { context, signal, degrade });
    return { result: { kind: 'page', log, robots: robotsOf(search) }, log };
  }

  async function cachedOrRendered(page: ResultsRequest, request: Request) {
    const { signal, isAnonymous } = contextOf(request);
    if (!cache || !isAnonymous || page.notice !== null || page.isHead || page.addition) {
      const { result } = await render(page, { signal, degrade: () => {} });
      return { result, outcome: 'own' };
    }
    // Shared pages are requested without user credentials.
    const shared = { ...page, pixallId: undefined, context: { requestId: page.context.requestId } };
    return cache.get(pageKey(page), (context) => render(shared, context), {
      signal,
      isRenewed: options.isLocal && request.headers['cache-control'] === 'no-cache',
    });
  }

  return {
    report,
    async get(page, request) {
      try {
        const { result, outcome } = await cachedOrRendered(page, request);
        if (!contextOf(request).signal.aborted) options.countPages(outcome);
        return { ...result, outcome };
      } catch (error) {
        if (contextOf(request).signal.aborted) return undefined;
        throw error;
      }
    },
  };
}
