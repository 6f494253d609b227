import type { Request } from 'express';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { RootState } from '@forecourt/shared-contracts/store';
import { OverloadedError } from '../bounds/permits.ts';
import { pageKey, type PageCache, type Rendering, type RenderingContext } from '../cache/pageCache.ts';
import { composePage } from '../compose/composePage.ts';
import { createEarlyFiles, type EarlyFilesOf } from '../compose/earlyFiles.ts';
import type { HeadFields } from '../compose/frame.ts';
import type { PageAddition } from '../compose/pageExtension.ts';
import { createPageLog, type PageLog } from '../compose/pageLog.ts';
import { type RenderDeps, slotCalls } from '../compose/renderSlots.ts';
import { contextOf } from '../http/requestContext.ts';
import { PAGE_LAYOUTS } from '../layout/layouts.ts';
import type { Snapshot } from '../releases/snapshot.ts';
import { loadAdjustedSearch } from '../search/adjustSearch.ts';
import type { Reporter, SearchLoader } from '../search/loadSearch.ts';
import { emptyResults, PageStatusError } from '../search/pageStatus.ts';
import { loadAccountState, type AccountState } from '../search/savedState.ts';
import { robotsOf, structuredDataOf } from '../seo/structuredData.ts';
import { CallFailure } from '../upstream/callFailure.ts';
import type { CallContext } from '../upstream/gateway.ts';
import type { Visitor } from '../visitor/visitor.ts';
import { renderDepsOf, type PageDeps } from './pageDeps.ts';

/** Everything that one results page depends on. */
export interface ResultsRequest {
  readonly criteria: SearchCriteria;
  /** Normalized path and query of the criteria. */
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
  /** The upstream's error status for this page. */
  | { readonly kind: 'status'; readonly status: number };

export interface ResultsSourceOptions {
  readonly loader: SearchLoader;
  /** Shared pages of anonymous visitors; without it each page is rendered for one visitor. */
  readonly cache?: PageCache<ResultsResponse> | undefined;
  readonly report: Reporter;
  readonly countPages: (outcome: string) => void;
  /** In local mode a forced reload skips the cache. */
  readonly isLocal: boolean;
}

/** Loads searches and composes their pages; pages that are equal for all anonymous visitors are cached. */
export class ResultsSource {
  readonly #deps: PageDeps;
  readonly #options: ResultsSourceOptions;
  readonly #renderDeps: RenderDeps;
  readonly #earlyFiles: EarlyFilesOf;
  readonly report: Reporter;

  constructor(deps: PageDeps, options: ResultsSourceOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#renderDeps = renderDepsOf(deps);
    this.#earlyFiles = createEarlyFiles(deps.assets, PAGE_LAYOUTS.results);
    this.report = options.report;
  }

  /**
   * The page from the cache or rendered; undefined if the client disconnected. `outcome` says which.
   * Rejects with OverloadedError if there is neither a page nor the capacity to render one.
   */
  async get(
    page: ResultsRequest,
    request: Request,
  ): Promise<(ResultsResponse & { readonly outcome: string }) | undefined> {
    const { signal } = contextOf(request);
    try {
      const { result, outcome } = await this.#cachedOrRendered(page, request);
      if (!signal.aborted) this.#options.countPages(outcome);
      return { ...result, outcome };
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  async #cachedOrRendered(page: ResultsRequest, request: Request) {
    const { cache, isLocal } = this.#options;
    const { signal, isAnonymous } = contextOf(request);
    if (!cache || !isAnonymous || page.notice !== null || page.isHead || page.addition) {
      const { result } = await this.#render(page, { signal, degrade: () => {}, reduce: () => {} });
      return { result, outcome: 'own' };
    }
    // Shared pages are requested without user credentials.
    const shared = { ...page, pixallId: undefined, context: { requestId: page.context.requestId } };
    const { load } = this.#deps;
    const key = pageKey(page);
    const stored = load.prefersStale ? this.#stored(cache, key) : undefined;
    if (stored) return stored;
    try {
      return await cache.get(key, (context) => this.#render(shared, context), {
        signal,
        isRenewed: isLocal && request.headers['cache-control'] === 'no-cache',
        acceptsReduced: load.leavesOutSlots,
      });
    } catch (error) {
      const older = error instanceof OverloadedError ? this.#stored(cache, key) : undefined;
      if (older) return older;
      throw error;
    }
  }

  #stored(cache: PageCache<ResultsResponse>, key: string) {
    const page = cache.stored(key);
    if (page?.outcome === 'stale') this.#deps.load.count('stale');
    return page;
  }

  /** Resolves once the search is loaded; the page is still being written then, and has its permit until its end. */
  #render(page: ResultsRequest, context: RenderingContext): Promise<Rendering<ResultsResponse>> {
    return this.#deps.load.run(
      context.signal,
      () => this.#renderPermitted(page, context),
      ({ log }) => log?.done,
    );
  }

  async #renderPermitted(
    page: ResultsRequest,
    { signal, degrade, reduce }: RenderingContext,
  ): Promise<Rendering<ResultsResponse>> {
    const context: CallContext = { ...page.context, signal, onFallback: degrade };
    const account = loadAccountState(this.#deps.gateway, page.visitor.session, context);
    const search = await this.#load(page, { account, context });
    if ('kind' in search) return { result: search, log: undefined };
    const session = { ...page.visitor.session, ...(await account).session };
    const state: RootState = { page: { kind: 'results', url: page.url, referrer: null }, search, session };
    const log = this.#compose(page, state, { context, signal, degrade, reduce });
    return { result: { kind: 'page', log, robots: robotsOf(search) }, log };
  }

  async #load(
    page: ResultsRequest,
    { account, context }: { readonly account: Promise<AccountState>; readonly context: CallContext },
  ): Promise<RootState['search'] | Exclude<ResultsResponse, { kind: 'page' }>> {
    const { criteria, visitor, channel, pixallId, notice, url } = page;
    const { requestId } = context;
    const { report } = this;
    try {
      const { session } = visitor;
      const request = { criteria, session, channel, pixallId, account, context, report };
      const search = await loadAdjustedSearch(this.#options.loader, request);
      // A showcase that the visitor has hidden is not rendered, to avoid a layout shift (B4-ALPHA-07).
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

  #compose(
    page: ResultsRequest,
    state: RootState,
    { context, signal, degrade, reduce }: RenderingContext & { readonly context: CallContext },
  ): PageLog {
    const log = createPageLog();
    if (page.isHead) {
      log.end();
      return log;
    }
    const { gateway, assets, load } = this.#deps;
    const isReduced = load.leavesOutSlots;
    if (isReduced) reduce();
    composePage(log, this.#renderDeps, {
      state,
      snapshot: page.snapshot,
      addition: page.addition,
      requestId: context.requestId,
      signal,
      degrade,
      onLeftOut: isReduced ? () => load.count('slot') : undefined,
      origin: page.origin,
      assets,
      earlyFiles: this.#earlyFiles,
      head: headOf(state.search),
      currentUrl: state.search.url,
      structuredData: structuredDataOf(state.search, page.origin),
      call: slotCalls(gateway, context),
    }).catch((error: unknown) => log.fail(error));
    return log;
  }
}

/** `heroImage` is the first vehicle's picture, most likely the largest contentful paint. */
function headOf({ texts, spotlights, vehicleHighlight, listings }: RootState['search']): HeadFields {
  const first = spotlights[0]?.premium[0] ?? vehicleHighlight ?? listings[0];
  return {
    title: texts.title,
    description: texts.description,
    canonical: texts.canonicalUrl,
    isIndexed: true,
    heroImage: first?.images.sources[first.images.primary]?.src,
  };
}
