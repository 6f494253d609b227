import type { Request, RequestHandler, Response } from 'express';
import { OverloadedError } from '../load/permits.ts';
import { type PageCache, type RenderingContext } from '../cache/pageCache.ts';
import type { PageContents } from '../cache/pageContents.ts';
import { pageKey } from '../cache/pageKey.ts';
import { composePage } from '../compose/composePage.ts';
import { headStyle } from '../compose/earlyFiles.ts';
import type { InlineElement } from '../compose/html.ts';
import { PageBody } from '../compose/pageBody.ts';
import { type RenderDeps, renderPlacement, slotCalls, type SlotRequest } from '../compose/renderSlots.ts';
import { contextOf, originOf, type RequestContext } from '../http/requestContext.ts';
import { sendPage } from '../http/sendPage.ts';
import { chargeRender, isOverBudget, markFree } from '../http/clientLimits.ts';
import { chooseSnapshot } from '../releases/snapshot.ts';
import { serverTimingOf } from '../universal/responseFacts.ts';
import { PageCalls } from './pageCalls.ts';
import { type PageDeps, type PageView, renderDepsOf, responseFactsOf, viewOf } from './pageDeps.ts';
import type { Ending, LoadedPage, PageDescription, PageKind, PageRequest } from './pageKind.ts';

/** How a page was made: from the cache, or `own` for one visitor alone. */
type PageOutcome = 'miss' | 'join' | 'hit' | 'stale' | 'own';

/** A page that is being written, or a response instead of it. */
export type PageResult =
  | Ending
  | {
      readonly kind: 'composed';
      readonly body: PageBody;
      readonly status: NonNullable<LoadedPage['status']>;
      readonly robots: string | undefined;
      /** Of its style elements, for the page's Content Security Policy. */
      readonly styleHashes: readonly string[];
    };

type ObtainedPage = { readonly result: PageResult; readonly outcome: PageOutcome };

/** What pages need that visitors share. */
export interface SharedPages {
  /** Without it each page is rendered for one visitor. */
  readonly cache: PageCache<PageResult> | undefined;
  readonly contents: PageContents;
  readonly count: (outcome: PageOutcome, requestId: string) => void;
  /** In local mode a forced reload skips the cache. */
  readonly isLocal: boolean;
}

const PAGE_CACHING = 'private, no-cache';

/** Outcomes for which this request has rendered nothing. */
const FREE: ReadonlySet<PageOutcome> = new Set(['hit', 'stale', 'join']);

/** Whether the browser fetches a page that the visitor may never open. */
const isPrefetch = ({ headers }: Request): boolean =>
  String(headers['sec-purpose'] ?? '').includes('prefetch');

/**
 * The way of a page: what the request asks for → its snapshot → the cached page or a rendered one → send.
 *
 * Only `load` of the page kind can fail the page: by an Ending, which is sent instead. Without capacity, and without a
 * stored page, the handler rejects with OverloadedError.
 */
export function pageHandler<D extends PageDescription>(
  deps: PageDeps,
  kind: PageKind<D>,
  shared?: SharedPages,
): RequestHandler {
  const { site, assets, extension, releases, tracing, browsers } = deps;
  const pages = new PageMaker(deps, kind, shared);

  function sendEnding(request: Request, response: Response, ending: Ending): void {
    if (ending.kind === 'redirect') {
      if (ending.cacheControl) response.set('Cache-Control', ending.cacheControl);
      return response.redirect(ending.status, ending.location);
    }
    const { status, cacheControl, robots } = ending;
    if (robots) response.set('X-Robots-Tag', robots);
    const page = typeof ending.page === 'function' ? ending.page(request.originalUrl) : ending.page;
    return site.messages.send(response, page, {
      css: assets.css,
      status,
      ...(cacheControl !== undefined && { cacheControl }),
    });
  }

  return async (request, response) => {
    const context = contextOf(request);
    const { requestId, signal, visitor } = context;
    const url = extension?.cleanUrl(request.originalUrl) ?? request.originalUrl;
    const description = await kind.describe(request, response, url);
    if (description.kind !== 'page') return sendEnding(request, response, description);

    const snapshot = chooseSnapshot(releases.live(), visitor.id);
    const addition = await extension?.extendPage(request, { snapshot, url: description.url });
    const page: PageRequest<D> = {
      description,
      visitor,
      snapshot: addition?.snapshot ?? snapshot,
      addition,
      origin: originOf(request),
      isShared: context.isAnonymous && !addition && description.shareKey !== undefined,
    };
    const obtained = await pages.obtain(page, request, response);
    if (!obtained || signal.aborted) return undefined;
    const { result, outcome } = obtained;
    if (FREE.has(outcome)) {
      markFree(response);
      tracing?.phase(requestId, 'send');
    }
    const facts = {
      ...responseFactsOf(deps, context, page.snapshot),
      dictionary: deps.dictionaries.offeredTo(request),
    };
    response.set('Server-Timing', serverTimingOf(outcome, facts));
    if (result.kind !== 'composed') return sendEnding(request, response, result);

    const { status, robots, styleHashes } = result;
    response
      .status(status)
      .type('html')
      .set('Cache-Control', status === 200 ? PAGE_CACHING : 'no-store');
    response.setHeader('Content-Security-Policy', context.policy(...styleHashes));
    if (robots) response.set('X-Robots-Tag', robots);
    if (description.part) response.set('Content-Location', description.url);
    addition?.setHeaders(response);
    kind.setHeaders?.(request, response, page);
    if (status === 200 && request.method === 'GET' && !visitor.isBot)
      browsers.sent(pages.layoutOf(page), page.snapshot);
    if (status === 200 && !isPrefetch(request)) kind.onShown?.(request, context);
    // Nothing was composed for a HEAD request, but a stored page answers it.
    if (request.method === 'HEAD' && outcome === 'own') return void response.end();
    return sendPage(request, response, {
      body: result.body,
      isShared: outcome !== 'own',
      dictionary: deps.dictionaries.of(request),
      signal,
    });
  };
}

/** Gets pages of one kind from the cache, or makes them. */
class PageMaker<D extends PageDescription> {
  readonly #deps: PageDeps;
  readonly #renderDeps: RenderDeps;
  readonly #kind: PageKind<D>;
  readonly #shared: SharedPages | undefined;
  readonly #views = new Map<string | undefined, PageView>();

  constructor(deps: PageDeps, kind: PageKind<D>, shared: SharedPages | undefined) {
    this.#deps = deps;
    this.#renderDeps = renderDepsOf(deps);
    this.#kind = kind;
    this.#shared = shared;
  }

  /** The page, and how it was made; undefined if the client disconnected. */
  async obtain(
    page: PageRequest<D>,
    request: Request,
    response: Response,
  ): Promise<ObtainedPage | undefined> {
    const { signal, requestId } = contextOf(request);
    try {
      const obtained = await this.#cachedOrRendered(page, request, response);
      if (!signal.aborted) this.#shared?.count(obtained.outcome, requestId);
      return obtained;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /**
   * HEAD requests render nothing that a stored page answers. Over its budget, a client gets stored pages only. Under load,
   * stored pages come first, and they replace what can't be rendered.
   */
  async #cachedOrRendered(page: PageRequest<D>, request: Request, response: Response): Promise<ObtainedPage> {
    const { load, tracing } = this.#deps;
    const context = contextOf(request);
    const isHead = request.method === 'HEAD';
    const isSpent = isOverBudget(response);
    const render = (
      rendering: RenderingContext,
      given: PageRequest<D>,
      callContext: RequestContext['callContext'],
    ) =>
      this.#render(given, { ...rendering, callContext, isHead, charge: (ms) => chargeRender(response, ms) });
    const renderOwn = async (): Promise<ObtainedPage> => {
      const { result } = await render(
        { signal: context.signal },
        { ...page, isShared: false },
        context.callContext,
      );
      return { result, outcome: 'own' };
    };
    const cache = page.isShared ? this.#shared?.cache : undefined;
    if (!cache) {
      if (isSpent) throw new OverloadedError();
      return renderOwn();
    }
    tracing?.phase(context.requestId, 'cache');
    const { origin, snapshot, description } = page;
    const { url, part, shareKey: visitor = [] } = description;
    const key = pageKey({ origin, snapshot, url, part, visitor });
    if (isHead) return cache.current(key) ?? renderOwn();
    const stored = () => {
      const found = cache.stored(key);
      if (found?.outcome === 'stale') load.count('stale');
      return found;
    };
    const preferred = load.prefersStale || isSpent ? stored() : undefined;
    if (preferred) return preferred;
    if (isSpent) throw new OverloadedError();
    try {
      // Shared pages are requested without user credentials.
      return await cache.get(key, (rendering) => render(rendering, page, { requestId: context.requestId }), {
        signal: context.signal,
        isRenewed: this.#shared?.isLocal === true && request.headers['cache-control'] === 'no-cache',
        acceptsShed: load.leavesOutSlots,
        acceptsOld: page.visitor.isBot,
      });
    } catch (error) {
      const older = error instanceof OverloadedError ? stored() : undefined;
      if (older) return older;
      throw error;
    }
  }

  /** Resolves once the head is known; the page is still being written then, and has its permit until its end. */
  #render(page: PageRequest<D>, rendering: PageRendering) {
    const { load, tracing } = this.#deps;
    tracing?.phase(rendering.callContext.requestId, 'queue');
    return load.run(rendering.signal, () => this.#renderPermitted(page, rendering), {
      endOf: ({ body }) => body?.done,
      onEnd: rendering.charge,
    });
  }

  async #renderPermitted(
    page: PageRequest<D>,
    { signal, callContext: visitorContext, isHead }: PageRendering,
  ): Promise<{ readonly result: PageResult; readonly body: PageBody | undefined }> {
    const { gateway, tracing } = this.#deps;
    const { requestId } = visitorContext;
    const calls = new PageCalls(gateway);
    const callContext = { ...visitorContext, signal };
    const { layout, earlyFilesOf } = this.#viewOf(page.description.view);
    const slotRequest: Omit<SlotRequest, 'state'> = {
      snapshot: page.snapshot,
      requestId,
      signal,
      call: slotCalls(gateway, callContext),
    };
    tracing?.phase(requestId, 'load');
    const loaded = await this.#kind.load(page, {
      calls,
      callContext,
      layout,
      signal,
      renderSlot: (placement, state) =>
        renderPlacement(placement, this.#renderDeps, { ...slotRequest, state }),
    });
    if (loaded.kind !== 'loaded') return { result: loaded, body: undefined };
    tracing?.phase(requestId, 'compose and send');
    const earlyFiles = earlyFilesOf(page.snapshot);
    const style = headStyle(earlyFiles, page.addition?.css);
    const body = new PageBody(this.#deps.load);
    const result: PageResult = {
      kind: 'composed',
      body,
      status: loaded.status ?? 200,
      robots: loaded.robots,
      styleHashes: [style, earlyFiles.styleBelow].flatMap((one) => (one ? [one.hash] : [])),
    };
    if (isHead) {
      loaded.complete?.catch(() => {});
      body.html.end();
    } else this.#compose(page, loaded, { body, layout, earlyFiles, style, slotRequest });
    return { result, body };
  }

  /** Writes the page into its body, in the background. */
  #compose(
    page: PageRequest<D>,
    loaded: LoadedPage,
    parts: Pick<PageView, 'layout'> & {
      readonly body: PageBody;
      readonly earlyFiles: ReturnType<PageView['earlyFilesOf']>;
      readonly style: InlineElement;
      readonly slotRequest: Omit<SlotRequest, 'state'>;
    },
  ): void {
    const { site, assets, load } = this.#deps;
    const { body, slotRequest, ...view } = parts;
    const { state, complete, head, currentUrl, mainSlot, structuredData, completeness } = loaded;
    const contents = this.#shared?.contents;
    composePage(body.html, this.#renderDeps, {
      ...slotRequest,
      ...view,
      site,
      assets,
      head,
      currentUrl,
      state,
      complete: complete ?? Promise.resolve({ state, completeness }),
      leavesOutSlots: load.leavesOutSlots,
      part: page.description.part,
      addition: page.addition,
      origin: page.origin,
      ...(mainSlot && { mainSlot }),
      ...(structuredData !== undefined && { structuredData }),
      ...(contents && { storeContent: (json: Buffer) => contents.store(json) }),
    })
      .then((outcomes) => {
        for (const { completeness: slot } of outcomes) if (slot === 'shed') load.count('slot');
      })
      .catch((error: unknown) => body.html.fail(error));
  }

  /** The slots of the page. */
  layoutOf({ description }: PageRequest<D>): PageView['layout'] {
    return this.#viewOf(description.view).layout;
  }

  #viewOf(name: string | undefined): PageView {
    const view = this.#views.get(name) ?? viewOf(this.#deps, this.#kind.name, name);
    this.#views.set(name, view);
    return view;
  }
}

interface PageRendering extends RenderingContext {
  readonly callContext: RequestContext['callContext'];
  /** The page is loaded, but not composed. */
  readonly isHead: boolean;
  /** Charges what was rendered for the request; ms. */
  readonly charge: (ms: number) => void;
}
