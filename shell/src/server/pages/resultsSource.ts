import type { Request } from 'express';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { RootState } from '@forecourt/shared-contracts/store';
import { OverloadedError } from '../bounds/permits.ts';
import { pageKey, type PageCache, type Rendering, type RenderingContext } from '../cache/pageCache.ts';
import { composePage } from '../compose/composePage.ts';
import { createEarlyFiles, type EarlyFilesOf, headStyle } from '../compose/earlyFiles.ts';
import type { HeadFields } from '../compose/frame.ts';
import type { PageAddition } from '../compose/pageExtension.ts';
import { PageBody } from '../compose/pageBody.ts';
import { type RenderDeps, slotCalls } from '../compose/renderSlots.ts';
import { contextOf } from '../http/requestContext.ts';
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
import { FIRST_SEARCH } from './pageView.ts';

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
  | {
      readonly kind: 'page';
      readonly body: PageBody;
      readonly robots: string | undefined;
      /** For the page's Content Security Policy. */
      readonly styleHash: string;
    }
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
    this.#earlyFiles = createEarlyFiles(deps.assets, deps.layouts.results);
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

  /** Undefined if the page may contain anything of this visitor, or is not wanted from the cache. */
  #cacheOf(page: ResultsRequest, request: Request): PageCache<ResultsResponse> | undefined {
    const isShared = contextOf(request).isAnonymous && page.notice === null && !page.addition;
    return isShared ? this.#options.cache : undefined;
  }

  async #renderOwn(page: ResultsRequest, signal: AbortSignal) {
    const { result } = await this.#render(page, { signal, degrade: () => {}, reduce: () => {} });
    return { result, outcome: 'own' };
  }

  async #cachedOrRendered(page: ResultsRequest, request: Request) {
    const { signal } = contextOf(request);
    const cache = this.#cacheOf(page, request);
    if (!cache) return this.#renderOwn(page, signal);
    const key = pageKey(page);
    if (page.isHead) return cache.current(key) ?? this.#renderOwn(page, signal);
    // Shared pages are requested without user credentials.
    const shared = { ...page, pixallId: undefined, context: { requestId: page.context.requestId } };
    const { load } = this.#deps;
    const stored = load.prefersStale ? this.#stored(cache, key) : undefined;
    if (stored) return stored;
    try {
      return await cache.get(key, (context) => this.#render(shared, context), {
        signal,
        isRenewed: this.#options.isLocal && request.headers['cache-control'] === 'no-cache',
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
      ({ body }) => body?.done,
    );
  }

  async #renderPermitted(
    page: ResultsRequest,
    { signal, degrade, reduce }: RenderingContext,
  ): Promise<Rendering<ResultsResponse>> {
    const context: CallContext = { ...page.context, signal, onFallback: degrade };
    const account = loadAccountState(this.#deps.gateway, page.visitor.session, context);
    const search = await this.#load(page, { account, context });
    if ('kind' in search) return { result: search, body: undefined };
    const session = { ...page.visitor.session, ...(await account).session };
    const state: RootState = { page: { kind: 'results', url: page.url, referrer: null }, search, session };
    const { body, styleHash } = this.#compose(page, state, { context, signal, degrade, reduce });
    return { result: { kind: 'page', body, robots: robotsOf(search), styleHash }, body };
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
      return { ...search, ...hidden, notice, requestId: FIRST_SEARCH, status: 'ready' };
    } catch (error) {
      if (error instanceof PageStatusError) return { kind: 'status', status: error.status };
      if (!(error instanceof CallFailure) || error.code === 'CANCELLED') throw error;
      if (error.upstreamCode === 'INVALID_PARAMETERS') return emptyResults(criteria, url, FIRST_SEARCH);
      report({ code: 'SEARCH_FAILED', message: error.message, requestId });
      return { kind: 'failed' };
    }
  }

  #compose(
    page: ResultsRequest,
    state: RootState,
    { context, signal, degrade, reduce }: RenderingContext & { readonly context: CallContext },
  ): { readonly body: PageBody; readonly styleHash: string } {
    const body = new PageBody();
    const earlyFiles = this.#earlyFiles(page.snapshot);
    const style = headStyle(earlyFiles, page.addition?.css);
    if (page.isHead) {
      body.html.end();
      return { body, styleHash: style.hash };
    }
    const { gateway, assets, load, layouts } = this.#deps;
    const isReduced = load.leavesOutSlots;
    if (isReduced) reduce();
    composePage(body.html, this.#renderDeps, {
      state,
      layout: layouts.results,
      snapshot: page.snapshot,
      addition: page.addition,
      requestId: context.requestId,
      signal,
      degrade,
      onLeftOut: isReduced ? () => load.count('slot') : undefined,
      origin: page.origin,
      assets,
      earlyFiles,
      style,
      head: headOf(state.search),
      currentUrl: state.search.url,
      structuredData: structuredDataOf(state.search, page.origin),
      call: slotCalls(gateway, context),
    }).catch((error: unknown) => body.html.fail(error));
    return { body, styleHash: style.hash };
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
