import type { Request } from 'express';
import type { SearchCriteria } from '@forecourt/shared-contracts/criteria';
import type { RootState } from '@forecourt/shared-contracts/store';
import { OverloadedError } from '../../engine/load/permits.ts';
import {
  pageKey,
  type PageCache,
  type Rendering,
  type RenderingContext,
} from '../../engine/cache/pageCache.ts';
import type { PageContents } from '../../engine/cache/pageContents.ts';
import { composePage } from '../../engine/compose/composePage.ts';
import { headStyle } from '../../engine/compose/earlyFiles.ts';
import type { HeadFields } from '../frame/frame.ts';
import type { PageAddition } from '../../engine/pageExtension.ts';
import { PageBody } from '../../engine/compose/pageBody.ts';
import { type RenderDeps, slotCalls } from '../../engine/compose/renderSlots.ts';
import { contextOf } from '../../engine/http/requestContext.ts';
import type { Snapshot } from '../../engine/releases/snapshot.ts';
import { startAdjustedSearch } from './adjustSearch.ts';
import type { LoadedSearch, StartedSearch } from './loadSearch.ts';
import { LATE_MS, within } from './optionalParts.ts';
import { emptyResults, PageStatusError, type Reporter, type SearchLoader } from './searchRequest.ts';
import { loadAccountState, NO_ACCOUNT, type AccountState } from '../saved/savedState.ts';
import { robotsOf, shareImageOf, structuredDataOf } from '../seo/structuredData.ts';
import { CallFailure } from '../../engine/gateway/callFailure.ts';
import type { CallContext } from '../../engine/gateway/gateway.ts';
import type { Visitor } from '../visitor/visitor.ts';
import { FIRST_SEARCH, type PageDeps, renderDepsOf, viewOf } from '../../engine/pages/pageDeps.ts';

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
  /** Only stored pages are sent. */
  readonly isOverBudget: boolean;
  /** Charges what was rendered for the request; ms. */
  readonly charge: (ms: number) => void;
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
  readonly contents: PageContents;
  readonly report: Reporter;
  readonly countPages: (outcome: string, requestId: string) => void;
  /** In local mode a forced reload skips the cache. */
  readonly isLocal: boolean;
}

/** Loads searches and composes their pages; pages that are equal for all anonymous visitors are cached. */
export class ResultsSource {
  readonly #deps: PageDeps;
  readonly #options: ResultsSourceOptions;
  readonly #renderDeps: RenderDeps;
  /** Layout and early files with and without the map. */
  readonly #views: Record<'list' | 'map', ReturnType<typeof viewOf>>;
  readonly report: Reporter;

  constructor(deps: PageDeps, options: ResultsSourceOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#renderDeps = renderDepsOf(deps);
    this.#views = { list: viewOf(deps), map: viewOf(deps, 'map') };
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
    const { signal, requestId } = contextOf(request);
    try {
      const { result, outcome } = await this.#cachedOrRendered(page, request);
      if (!signal.aborted) this.#options.countPages(outcome, requestId);
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
    if (!cache) {
      if (page.isOverBudget) throw new OverloadedError();
      return this.#renderOwn(page, signal);
    }
    this.#deps.tracing?.phase(page.context.requestId, 'cache');
    const key = pageKey(page);
    if (page.isHead) return cache.current(key) ?? this.#renderOwn(page, signal);
    // Shared pages are requested without user credentials.
    const shared = { ...page, pixallId: undefined, context: { requestId: page.context.requestId } };
    const { load } = this.#deps;
    const stored = load.prefersStale || page.isOverBudget ? this.#stored(cache, key) : undefined;
    if (stored) return stored;
    if (page.isOverBudget) throw new OverloadedError();
    try {
      return await cache.get(key, (context) => this.#render(shared, context), {
        signal,
        isRenewed: this.#options.isLocal && request.headers['cache-control'] === 'no-cache',
        acceptsReduced: load.leavesOutSlots,
        acceptsKept: page.visitor.session.isBot,
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

  /** Resolves once the required call has succeeded; the page is still being written then, and has its permit until its end. */
  #render(page: ResultsRequest, context: RenderingContext): Promise<Rendering<ResultsResponse>> {
    const { load, tracing } = this.#deps;
    tracing?.phase(page.context.requestId, 'queue');
    return load.run(context.signal, () => this.#renderPermitted(page, context), {
      endOf: ({ body }) => body?.done,
      onEnd: page.charge,
    });
  }

  async #renderPermitted(
    page: ResultsRequest,
    { signal, degrade, reduce }: RenderingContext,
  ): Promise<Rendering<ResultsResponse>> {
    const context: CallContext = { ...page.context, signal, onFallback: degrade };
    this.#deps.tracing?.phase(context.requestId, 'load');
    const account = loadAccountState(this.#deps.gateway, page.visitor.session, context);
    const started = await this.#load(page, { account, context, degrade });
    if ('kind' in started) return { result: started, body: undefined };
    // Links and breadcrumbs lack makes and models.
    if (this.#options.loader.reference.current().isEmpty) degrade();
    const states = {
      first: stateOf(page, started.first),
      complete: started.complete.then((loaded) => stateOf(page, loaded)),
    };
    const { body, styleHash } = this.#compose(page, states, { context, signal, degrade, reduce });
    return { result: { kind: 'page', body, robots: robotsOf(states.first.search), styleHash }, body };
  }

  async #load(
    page: ResultsRequest,
    {
      account,
      context,
      degrade,
    }: {
      readonly account: Promise<AccountState>;
      readonly context: CallContext;
      readonly degrade: () => void;
    },
  ): Promise<StartedSearch | Exclude<ResultsResponse, { kind: 'page' }>> {
    const { criteria, visitor, channel, pixallId, url } = page;
    const { requestId } = context;
    const { report } = this;
    try {
      const { session } = visitor;
      const request = { criteria, session, channel, pixallId, account, context, report, onLate: degrade };
      return await startAdjustedSearch(this.#options.loader, request);
    } catch (error) {
      if (error instanceof PageStatusError) return { kind: 'status', status: error.status };
      if (!(error instanceof CallFailure) || error.code === 'CANCELLED') throw error;
      if (error.upstreamCode === 'INVALID_PARAMETERS') {
        const loaded: LoadedSearch = {
          search: emptyResults(criteria, url, FIRST_SEARCH),
          account: await within(LATE_MS, account, NO_ACCOUNT),
        };
        return { first: loaded, complete: Promise.resolve(loaded) };
      }
      report({ code: 'SEARCH_FAILED', message: error.message, requestId });
      return { kind: 'failed' };
    }
  }

  #compose(
    page: ResultsRequest,
    { first, complete }: { readonly first: RootState; readonly complete: Promise<RootState> },
    { context, signal, degrade, reduce }: RenderingContext & { readonly context: CallContext },
  ): { readonly body: PageBody; readonly styleHash: string } {
    this.#deps.tracing?.phase(context.requestId, 'compose and send');
    const body = new PageBody(this.#deps.load);
    const { layout, earlyFilesOf } = this.#views[page.criteria.view ?? 'list'];
    const earlyFiles = earlyFilesOf(page.snapshot);
    const style = headStyle(earlyFiles, page.addition?.css);
    if (page.isHead) {
      complete.catch(() => {});
      body.html.end();
      return { body, styleHash: style.hash };
    }
    const { gateway, assets, load } = this.#deps;
    const isReduced = load.leavesOutSlots;
    if (isReduced) reduce();
    composePage(body.html, this.#renderDeps, {
      state: first,
      complete,
      layout,
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
      head: headOf(first.search),
      currentUrl: first.search.url,
      structuredData: structuredDataOf(first.search, page.origin),
      storeContent: (json) => this.#options.contents.store(json),
      call: slotCalls(gateway, context),
    }).catch((error: unknown) => body.html.fail(error));
    return { body, styleHash: style.hash };
  }
}

function stateOf({ url, visitor, notice }: ResultsRequest, { search, account }: LoadedSearch): RootState {
  // A showcase that the visitor has hidden is not rendered, to avoid a layout shift (B4-ALPHA-07).
  const hidden = visitor.hidesAlpha ? { alpha: null } : {};
  return {
    page: { kind: 'results', url, referrer: null },
    search: {
      status: 'ready',
      ...search,
      ...hidden,
      notice: notice ?? search.notice,
      requestId: FIRST_SEARCH,
    },
    session: { ...visitor.session, ...account.session },
  };
}

/** `heroImage` is the first vehicle's picture, most likely the largest contentful paint. */
function headOf({
  texts,
  spotlights,
  vehicleHighlight,
  listings,
  criteria,
}: RootState['search']): HeadFields {
  const first = spotlights[0]?.premium[0] ?? vehicleHighlight ?? listings[0];
  const picture = first?.images.sources[first.images.primary];
  return {
    title: texts.title,
    description: texts.description,
    canonical: texts.canonicalUrl,
    isIndexed: true,
    // A photo has variants: its element asks for the right one, and React writes the preload.
    heroImage: picture?.widths ? undefined : picture?.src,
    shareImage: shareImageOf(criteria),
  };
}
