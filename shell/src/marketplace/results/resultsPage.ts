import type { Request, RequestHandler, Response } from 'express';
import { campaignChannelOf } from '../visitor/visitor.ts';
import { notFoundPage, searchErrorPage, sendMessagePage } from '../frame/errorPage.ts';
import { chargeRender, isOverBudget } from '../../engine/load/clientLimits.ts';
import { contextOf, originOf } from '../../engine/http/requestContext.ts';
import { chooseSnapshot } from '../../engine/releases/snapshot.ts';
import { resolveBookmark, signInForBookmark } from '../saved/savedState.ts';
import { createUrlParser } from './slugReference.ts';
import { campaignCookie, pixallCookie } from '../visitor/cookies.ts';
import { serverTimingOf } from '../../engine/universal/responseFacts.ts';
import { type PageDeps, pageViewOf } from '../../engine/pages/pageDeps.ts';
import type { ResultsRequest, ResultsSource } from './resultsSource.ts';
import { sendPage } from '../../engine/http/sendPage.ts';

const PAGE_CACHING = 'private, no-cache';

function setPageHeaders(
  response: Response,
  { visitor, addition }: ResultsRequest,
  { robots, policy }: { readonly robots: string | undefined; readonly policy: string },
  cookieOptions: { readonly secure: boolean },
): void {
  response.status(200).type('html').set('Cache-Control', PAGE_CACHING);
  response.setHeader('Content-Security-Policy', policy);
  if (robots) response.set('X-Robots-Tag', robots);
  addition?.setHeaders(response);
  if (visitor.pixallId && visitor.needsPixallId)
    response.append('Set-Cookie', pixallCookie(visitor.pixallId, cookieOptions));
}

/** Collects everything that the page depends on. */
async function describeRequest(
  { releases, extension }: PageDeps,
  request: Request,
  search: Pick<ResultsRequest, 'criteria' | 'url' | 'notice'> & { readonly campaign: string | undefined },
): Promise<ResultsRequest> {
  const { visitor, callContext } = contextOf(request);
  const { campaign, ...rest } = search;
  const snapshot = chooseSnapshot(releases.live(), visitor.id);
  const addition = await extension?.extendPage(request, { snapshot, url: search.url });
  const response = request.res as Response;
  return {
    ...rest,
    visitor,
    channel: campaign ?? visitor.channel,
    pixallId: visitor.pixallId,
    context: callContext,
    snapshot: addition?.snapshot ?? snapshot,
    addition,
    origin: originOf(request),
    isHead: request.method === 'HEAD',
    isOverBudget: isOverBudget(response),
    charge: (ms) => chargeRender(response, ms),
  };
}

/**
 * `GET /cars-for-sale/…`: parse → 301 to the normalized URL → bookmark →
 * snapshot → cached or rendered page → send. Only the required listing call can
 * fail the page: the response is then the error screen with status 500, or 200
 * for bots (B8-ERR-04). An error status from the upstream applies to everyone
 * (AMB-172, AMB-173).
 */
export function resultsPage(deps: PageDeps, pages: ResultsSource): RequestHandler {
  const { gateway, reference, logger, extension, assets } = deps;
  const parseFor = createUrlParser(reference);

  const messageOptions = { css: assets.css, cacheControl: PAGE_CACHING };
  const sendSearchError = (request: Request, response: Response, status: number) =>
    sendMessagePage(response, searchErrorPage(request.originalUrl), { ...messageOptions, status });

  function sendFailure(request: Request, response: Response): void {
    const { isBot } = contextOf(request).visitor.session;
    if (isBot) response.set('X-Robots-Tag', 'noindex');
    sendSearchError(request, response, isBot ? 200 : 500);
  }

  function sendNotFound(request: Request, response: Response, reason: string): void {
    if (reason !== 'referenceMissing')
      return sendMessagePage(response, notFoundPage, { ...messageOptions, status: 404 });
    // Until the makes are loaded, an unknown make cannot be told from a missing one.
    const { requestId } = contextOf(request);
    pages.report({ code: 'SEARCH_FAILED', message: 'the makes are not loaded yet', requestId });
    return sendFailure(request, response);
  }

  return async (request, response) => {
    const context = contextOf(request);
    const { requestId, signal } = context;
    const cookieOptions = { secure: request.secure };
    const parse = (url: string) => parseFor(url, context.visitor.session);
    const parsed = parse(extension?.cleanUrl(request.originalUrl) ?? request.originalUrl);
    if (parsed.kind === 'notFound') return sendNotFound(request, response, parsed.reason);
    const campaign = campaignChannelOf(parsed.criteria);
    if (campaign) response.append('Set-Cookie', campaignCookie(campaign, cookieOptions));
    // Shared caches store a 301 by default; this response's cookies belong to one visitor.
    if (parsed.needsRedirect)
      return response.set('Cache-Control', 'private').redirect(301, parsed.canonicalUrl);

    const signIn = signInForBookmark(parsed, context.visitor.session);
    if (signIn) return response.set('Cache-Control', 'no-store').redirect(302, signIn);
    const search = await resolveBookmark(gateway, parsed, context.callContext, parse);
    // Temporary: the search behind a bookmark may change.
    if (search.redirect !== undefined) return response.redirect(302, search.redirect);
    if (search.notice) logger.warn({ requestId, code: 'BOOKMARK_NOT_FOUND' }, search.notice);
    const page = await describeRequest(deps, request, { ...search, campaign });
    const results = await pages.get(page, request);
    if (!results || signal.aborted) return;
    const { outcome } = results;
    if (outcome !== 'miss' && outcome !== 'own') deps.tracing?.phase(requestId, 'send');
    response.set('Server-Timing', serverTimingOf(outcome, pageViewOf(deps, context, page.snapshot)));
    if (results.kind === 'failed') return sendFailure(request, response);
    if (results.kind === 'status') return sendSearchError(request, response, results.status);
    const { robots, styleHash } = results;
    setPageHeaders(response, page, { robots, policy: context.policy(styleHash) }, cookieOptions);
    // A HEAD request renders nothing, but a stored page answers it.
    if (page.isHead && outcome === 'own') return void response.end();
    return sendPage(request, response, { ...results, isShared: outcome !== 'own', signal });
  };
}
