import type { RequestHandler } from 'express';
import { EMPTY_SLUG_REFERENCE, type SearchCriteria } from '@forecourt/shared-contracts/criteria';
import { encodeUrl, normalizeUrl } from '@forecourt/shared-contracts/url';
import { createEarlyFiles } from '../page/earlyFiles.ts';
import { messagePage, notFoundPage, searchErrorPage, type MessagePage } from '../page/errorPage.ts';
import { markTested } from '../overrides/testedPage.ts';
import { withoutDevtools } from '../overrides/devtoolsSwitch.ts';
import { pageKey } from '../pageCache/pageKey.ts';
import type { PageCache, Rendering } from '../pageCache/pageCache.ts';
import { chooseSnapshot } from '../releases/snapshot.ts';
import { BOOKMARK_NOT_FOUND, visitBookmark } from '../search/bookmark.ts';
import type { PlaceLookup } from '../search/placeLookup.ts';
import { campaignCookie, pixallCookie } from '../session/cookies.ts';
import type { ShellDeps } from './deps.ts';
import type { SlotMetrics } from './metrics.ts';
import type { Reporter } from './reports.ts';
import { createResultsRenderer, type ResultsAnswer, type ResultsRequest } from './renderResults.ts';
import { infoOf, originOf, type Request, type Response } from './requestContext.ts';
import { sendPage } from './sendPage.ts';
import { campaignChannelOf } from '../session/campaignChannels.ts';

export interface ResultsPageParts {
  readonly placeOf: PlaceLookup;
  readonly slotMetrics: SlotMetrics;
  /** Pages of anonymous visitors; without it each is rendered for its one visitor. */
  readonly cache?: PageCache<ResultsAnswer> | undefined;
  readonly report: Reporter;
  readonly countPages: (outcome: string) => void;
  /** A tester's forced reload skips what is kept. */
  readonly isLocal: boolean;
}

/** An unfiltered search from its first page (A8-ERR-03). */
function everything({ criteria }: { criteria: SearchCriteria }) {
  const search = { ...criteria, filters: {}, firstRecord: 0 };
  delete search.searchBookmarkId;
  delete search.bookmarkId;
  return { criteria: search, canonicalUrl: encodeUrl(search, EMPTY_SLUG_REFERENCE) };
}

/**
 * `GET /cars-for-sale/…`: parse → 301 to the normalised order → visitor and
 * snapshot → page, kept or rendered. Only the required listing call can fail
 * the page: then the error screen answers, 500, or 200 for bots (B8-ERR-04).
 * A status that the upstream gives the page is everybody's (AMB-172, AMB-173).
 */
export function resultsPage(deps: ShellDeps, parts: ResultsPageParts): RequestHandler {
  const { gateway, reference, releases, assets, logger } = deps;
  const { cache } = parts;
  const render = createResultsRenderer(deps, {
    ...parts,
    earlyFiles: createEarlyFiles(assets),
  });

  function sendMessage(request: Request, response: Response, status: number, page: MessagePage) {
    const { visitor, nonce } = infoOf(request);
    response.status(status).set('Cache-Control', 'private, no-cache').type('html');
    response.send(messagePage(page, visitor.session, assets.css, nonce));
  }

  const sendErrorScreen = (request: Request, response: Response, status: number) =>
    sendMessage(request, response, status, searchErrorPage(request.originalUrl));

  function sendFailure(request: Request, response: Response) {
    const { isBot } = infoOf(request).visitor.session;
    if (isBot) response.set('X-Robots-Tag', 'noindex');
    sendErrorScreen(request, response, isBot ? 200 : 500);
  }

  /** The page of the cache, or one for this visitor alone. */
  async function answerTo(request: Request, asked: ResultsRequest) {
    const { visitor, signal, isAnonymous } = infoOf(request);
    if (!cache || !isAnonymous || asked.notice !== null || asked.isHead || asked.tested) {
      const { answer } = await render(asked, { signal, degrade: () => {} });
      return { answer, outcome: 'own' };
    }
    const { origin, url, snapshot, channel } = asked;
    return cache.get(
      pageKey({ origin, url, visitor, snapshot, channel }),
      // What everybody gets is asked for in nobody's name.
      (context): Promise<Rendering<ResultsAnswer>> =>
        render({ ...asked, context: { requestId: asked.context.requestId }, pixallId: undefined }, context),
      {
        signal,
        isRenewed: parts.isLocal && request.headers['cache-control'] === 'no-cache',
      },
    );
  }

  return async (request, response) => {
    const { visitor, requestId, nonce, signal, callContext } = infoOf(request);
    const { session } = visitor;
    const brand = { brand: session.brand };
    const url = deps.overrides ? withoutDevtools(request.originalUrl) : request.originalUrl;
    const normalised = normalizeUrl(url, reference.current(), brand);
    if (normalised.kind === 'notFound') {
      // Without the upstream's makes nobody can say that a make does not exist.
      if (normalised.reason === 'referenceMissing') {
        parts.report({ code: 'SEARCH_FAILED', message: 'no makes yet to read the path by', requestId });
        return sendFailure(request, response);
      }
      return sendMessage(request, response, 404, notFoundPage);
    }
    const campaign = campaignChannelOf(normalised.criteria);
    const cookieOptions = { secure: request.secure };
    if (campaign) response.append('Set-Cookie', campaignCookie(campaign, cookieOptions));
    if (normalised.needsRedirect) {
      // Caches keep a 301 unasked; this one's cookies are one visitor's.
      return response.set('Cache-Control', 'private').redirect(301, normalised.canonicalUrl);
    }

    const bookmark = await visitBookmark(gateway, normalised.criteria, callContext);
    if (bookmark.kind === 'found') {
      const stored = normalizeUrl(bookmark.url, reference.current(), brand);
      // Not for ever: the search behind an id may change.
      if (stored.kind === 'search') return response.redirect(302, stored.canonicalUrl);
    }
    const isLost = bookmark.kind !== 'none';
    if (isLost) logger.warn({ requestId, code: 'BOOKMARK_NOT_FOUND' }, BOOKMARK_NOT_FOUND);
    const { criteria, canonicalUrl } = isLost ? everything(normalised) : normalised;

    const chosen = chooseSnapshot(releases.live(), visitor.id);
    const tested = await deps.overrides?.pageFor(request, chosen, canonicalUrl);
    const answered = await answerTo(request, {
      criteria,
      url: canonicalUrl,
      notice: isLost ? BOOKMARK_NOT_FOUND : null,
      session,
      hidesAlpha: visitor.hidesAlpha,
      channel: campaign ?? visitor.channel,
      pixallId: visitor.pixallId,
      context: callContext,
      snapshot: tested?.snapshot ?? chosen,
      tested,
      origin: originOf(request),
      isHead: request.method === 'HEAD',
    }).catch((error: unknown) => {
      // Nobody waits any more.
      if (signal.aborted) return undefined;
      throw error;
    });
    if (!answered || signal.aborted) return undefined;
    const { answer, outcome } = answered;
    parts.countPages(outcome);
    response.set('Server-Timing', `page;desc="${outcome}"`);
    if (answer.kind === 'failed') return sendFailure(request, response);
    if (answer.kind === 'status') return sendErrorScreen(request, response, answer.status);

    response.status(200).type('html').set('Cache-Control', 'private, no-cache');
    if (answer.robots) response.set('X-Robots-Tag', answer.robots);
    if (tested) markTested(response, tested);
    if (visitor.pixallId && visitor.needsPixallId)
      response.append('Set-Cookie', pixallCookie(visitor.pixallId, cookieOptions));
    // Nobody reads a body.
    if (request.method === 'HEAD') return response.end();
    return sendPage(response, answer.log, { nonce, requestId }, signal);
  };
}
