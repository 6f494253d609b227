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
import { startSearch, type LoadedSearch, type StartedSearch } from '../search/loadSearch.ts';
import { LATE_MS, within } from '../search/optionalParts.ts';
import { emptyResults, PageStatusError } from '../search/pageStatus.ts';
import { loadAccountState, NO_ACCOUNT, type AccountState } from '../search/savedState.ts';
import type { Reporter, SearchLoader } from '../search/searchRequest.ts';
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

  /** Resolves once the required call has succeeded; the page is still being written then, and has its permit until its end. */
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
    const started = await this.#load(page, { account, context, degrade });
    if ('kind' in started) return { result: started, log: undefined };
    // Links and breadcrumbs lack makes and models.
    if (this.#options.loader.reference.current().isEmpty) degrade();
    const states = {
      first: stateOf(page, started.first),
      complete: started.complete.then((loaded) => stateOf(page, loaded)),
    };
    const log = this.#compose(page, states, { context, signal, degrade, reduce });
    return { result: { kind: 'page', log, robots: robotsOf(states.first.search) }, log };
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
      return await startSearch(this.#options.loader, request);
    } catch (error) {
      if (error instanceof PageStatusError) return { kind: 'status', status: error.status };
      if (!(error instanceof CallFailure) || error.code === 'CANCELLED') throw error;
      if (error.upstreamCode === 'INVALID_PARAMETERS') {
        const loaded: LoadedSearch = {
          search: emptyResults(criteria, url, requestId),
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
  ): PageLog {
    const log = createPageLog();
    if (page.isHead) {
      complete.catch(() => {});
      log.end();
      return log;
    }
    const { gateway, assets, load } = this.#deps;
    const isReduced = load.leavesOutSlots;
    if (isReduced) reduce();
    composePage(log, this.#renderDeps, {
      state: first,
      complete,
      snapshot: page.snapshot,
      addition: page.addition,
      requestId: context.requestId,
      signal,
      degrade,
      onLeftOut: isReduced ? () => load.count('slot') : undefined,
      origin: page.origin,
      assets,
      earlyFiles: this.#earlyFiles,
      head: headOf(first.search),
      currentUrl: first.search.url,
      structuredData: structuredDataOf(first.search, page.origin),
      call: slotCalls(gateway, context),
    }).catch((error: unknown) => log.fail(error));
    return log;
  }
}

function stateOf(
  { url, visitor, notice, context }: ResultsRequest,
  { search, account }: LoadedSearch,
): RootState {
  // A showcase that the visitor has hidden is not rendered, to avoid a layout shift (B4-ALPHA-07).
  const hidden = visitor.hidesAlpha ? { alpha: null } : {};
  return {
    page: { kind: 'results', url, referrer: null },
    search: {
      status: 'ready',
      ...search,
      ...hidden,
      notice: notice ?? search.notice,
      requestId: context.requestId,
    },
    session: { ...visitor.session, ...account.session },
  };
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
