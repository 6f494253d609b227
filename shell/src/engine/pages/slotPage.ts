import type { Request, RequestHandler, Response } from 'express';
import { BRANDS } from '@forecourt/shared-contracts/brands';
import type { PageHead, SlotModule } from '@forecourt/shared-contracts/slots';
import { type PageKind, type RootState, emptySearch } from '@forecourt/shared-contracts/store';
import { type ResponseFacts, serverTimingOf } from '../universal/responseFacts.ts';
import { composePage } from '../compose/composePage.ts';
import { createEarlyFiles, headStyle } from '../compose/earlyFiles.ts';
import { pageErrorPage, sendMessagePage } from '../../marketplace/frame/errorPage.ts';
import type { PageAddition } from '../pageExtension.ts';
import { PageBody } from '../compose/pageBody.ts';
import { type SlotOutcome, type SlotRequest, renderPlacement, slotCalls } from '../compose/renderSlots.ts';
import { chargeRender } from '../load/clientLimits.ts';
import { type RequestContext, contextOf, originOf, referrerOf } from '../http/requestContext.ts';
import type { SlotPlacement } from '../compose/placement.ts';
import { chooseSnapshot } from '../releases/snapshot.ts';
import { type PageDeps, renderDepsOf, FIRST_SEARCH, pageViewOf } from './pageDeps.ts';
import { sendPage } from '../http/sendPage.ts';
import { z } from 'zod';

/**
 * Path and query on this origin. Browsers read '//' and '/\' as the start of
 * another host and drop control characters.
 */
const sameOriginPath = z
  .string()
  .max(8000)
  .regex(/^\/(?![/\\])[^\p{Cc}\s\\]*$/u, 'must be a path of this origin');

/** A main slot's decision about its page; validated because remote code returns it. */
const pageOutcomeSchema: z.ZodType<NonNullable<ReturnType<NonNullable<SlotModule['page']>>>> = z.union([
  z.object({ redirect: sameOriginPath, status: z.literal([301, 302]) }),
  z.object({
    title: z.string().max(1000),
    description: z.string().max(5000),
    canonical: sameOriginPath,
    isIndexed: z.boolean(),
    heroImage: z.string().max(2000).optional(),
    shareImage: sameOriginPath.optional(),
    returnPath: sameOriginPath.optional(),
    status: z.literal([200, 404, 410, 503]).optional(),
  }),
]);

export interface SlotPageOptions {
  /** Path and query to return to after signing in; defaults to the request's own. */
  readonly currentUrl?: string;
  /** Called for each page that is sent with status 200, but not for one that is fetched ahead. */
  readonly onShown?: (request: Request, context: RequestContext) => void;
}

/** Whether the browser fetches a page that the visitor may never open. */
const isPrefetch = ({ headers }: Request): boolean =>
  String(headers['sec-purpose'] ?? '').includes('prefetch');

/** The store's state for a page without a search. */
const stateOf = (
  request: Request,
  page: { readonly kind: PageKind; readonly url: string; readonly currentUrl: string },
): RootState => {
  const { visitor } = contextOf(request);
  return {
    page: { kind: page.kind, url: page.url, referrer: referrerOf(request) },
    search: { ...emptySearch, url: page.currentUrl, requestId: FIRST_SEARCH, status: 'ready' },
    session: visitor.session,
  };
};

function setHeaders(
  response: Response,
  { status = 200 }: PageHead,
  { addition, policy, view }: { addition: PageAddition | undefined; policy: string; view: ResponseFacts },
): void {
  response.status(status).type('html');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Server-Timing', serverTimingOf('own', view));
  response.set('Cache-Control', status === 200 ? 'private, no-cache' : 'no-store');
  addition?.setHeaders(response);
}

const sendFailure = (request: Request, response: Response, css: string) =>
  sendMessagePage(response, pageErrorPage(request.originalUrl), { css, status: 500 });

/** Charges the visitor for a part of the page when it is rendered. */
async function chargeTime<T>(part: Promise<T>, response: Response): Promise<T> {
  const startedAt = performance.now();
  try {
    return await part;
  } finally {
    chargeRender(response, performance.now() - startedAt);
  }
}

/** Renders the main slot under the concurrency limit; undefined if the client disconnected in the queue. */
async function renderMain(
  { load }: PageDeps,
  signal: AbortSignal,
  render: () => Promise<SlotOutcome>,
): Promise<SlotOutcome | undefined> {
  try {
    return await load.run(signal, render);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/**
 * A page whose content is its main slot: parse → visitor → snapshot → render
 * the main slot → head, redirect or status from its outcome → compose → send.
 * If the main slot fails, the response is the error screen with status 500;
 * without capacity it is OverloadedError.
 */
export function slotPage(
  deps: PageDeps,
  kind: Exclude<PageKind, 'results'>,
  { currentUrl, onShown }: SlotPageOptions = {},
): RequestHandler {
  const { assets, extension, gateway, reference, releases, logger, load } = deps;
  const layout = deps.layouts[kind];
  const mainPlacement = layout.find(({ slot }) => slot === kind) as SlotPlacement;
  const earlyFiles = createEarlyFiles(assets, layout, kind);
  const renderDeps = renderDepsOf(deps);

  async function preparePage(request: Request, { visitor, callContext, requestId, signal }: RequestContext) {
    const url = extension?.cleanUrl(request.originalUrl) ?? request.originalUrl;
    const snapshot = chooseSnapshot(releases.live(), visitor.id);
    const addition = await extension?.extendPage(request, { snapshot, url });
    const slotRequest: SlotRequest = {
      state: stateOf(request, { kind, url, currentUrl: currentUrl ?? url }),
      snapshot: addition?.snapshot ?? snapshot,
      requestId,
      signal,
      call: slotCalls(gateway, callContext, reference.data),
    };
    return { slotRequest, addition };
  }

  /** The outcome returned by the main slot; undefined if the slot failed or its outcome is invalid. */
  function outcomeOf(mainSlot: SlotOutcome, requestId: string) {
    if (!mainSlot.rendered) return undefined;
    const outcome = pageOutcomeSchema.safeParse(mainSlot.rendered.page);
    if (outcome.success) return outcome.data;
    logger.error(
      { slot: kind, requestId, reason: outcome.error.message },
      'the main slot returned no valid page',
    );
    return undefined;
  }

  return async (request, response) => {
    const context = contextOf(request);
    const { signal, requestId } = context;
    const { slotRequest, addition } = await preparePage(request, context);
    deps.tracing?.phase(requestId, 'queue');
    const mainSlot = await renderMain(deps, signal, () => {
      deps.tracing?.phase(requestId, 'main slot');
      return chargeTime(renderPlacement(mainPlacement, renderDeps, slotRequest), response);
    });
    if (!mainSlot || signal.aborted) return;
    const outcome = outcomeOf(mainSlot, requestId);
    if (!outcome) return sendFailure(request, response, assets.css);
    // Never cached: a vehicle that is gone today may be for sale again.
    if ('redirect' in outcome)
      return response.set('Cache-Control', 'no-store').redirect(outcome.status, outcome.redirect);

    deps.tracing?.phase(requestId, 'compose and send');
    const { snapshot } = slotRequest;
    const files = earlyFiles(snapshot);
    const style = headStyle(files, addition?.css);
    const view = pageViewOf(deps, context, snapshot);
    setHeaders(response, outcome, { addition, policy: context.policy(style.hash), view });
    if ((outcome.status ?? 200) === 200 && !isPrefetch(request)) onShown?.(request, context);
    if (request.method === 'HEAD') return void response.end();
    const body = new PageBody(load);
    const compose = composePage(body.html, renderDeps, {
      ...slotRequest,
      mainSlot,
      layout,
      head: { ...outcome, title: `${outcome.title} | ${BRANDS[context.visitor.session.brand].name}` },
      currentUrl: outcome.returnPath ?? slotRequest.state.search.url,
      origin: originOf(request),
      assets,
      earlyFiles: files,
      style,
      degrade: () => {},
      onLeftOut: load.leavesOutSlots ? () => load.count('slot') : undefined,
      addition,
    });
    void chargeTime(compose, response).catch((error: unknown) => body.html.fail(error));
    return sendPage(request, response, { body, isShared: false, signal });
  };
}
