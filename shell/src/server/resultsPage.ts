import type { RequestHandler } from 'express';
import { normaliseUrl } from '@forecourt/shared-contracts/search';
import type { RootState } from '@forecourt/shared-contracts/store';
import { CallFailure } from '../gateway/callFailure.ts';
import { messagePage, notFoundPage, searchErrorPage, type MessagePage } from '../page/errorPage.ts';
import { createEarlyFiles } from '../page/earlyFiles.ts';
import { writePage } from '../page/writePage.ts';
import { chooseSnapshot } from '../releases/snapshot.ts';
import { emptyResults } from '../search/emptyResults.ts';
import type { PlaceLookup } from '../search/placeLookup.ts';
import { loadSearch } from '../search/loadSearch.ts';
import { sessionCookie } from '../session/visitor.ts';
import type { ShellDeps } from './deps.ts';
import type { SlotMetrics } from './metrics.ts';
import { infoOf, originOf, type Request, type Response } from './requestContext.ts';

/**
 * `GET /cars-for-sale/…`: parse → 301 to the normalised order → visitor and
 * snapshot → search → streamed page. Only the required listing call can fail
 * the page: then the error screen answers, 500, or 200 for bots (B8-ERR-04).
 */
export function resultsPage(deps: ShellDeps, placeOf: PlaceLookup, slotMetrics: SlotMetrics): RequestHandler {
  const { gateway, reference, releases, renderer, ownSlots, assets, logger } = deps;
  const earlyFiles = createEarlyFiles(assets.css);
  const rendering = {
    renderer,
    ownSlots,
    metrics: slotMetrics,
    logSlot: (event: object) => logger.warn(event, 'slot shown by its fallback'),
  };

  function sendMessage(request: Request, response: Response, status: number, page: MessagePage) {
    const { visitor, nonce } = infoOf(request);
    response.status(status).set('Cache-Control', 'no-store').type('html');
    response.send(messagePage(page, visitor.session, assets.css, nonce));
  }

  function sendSearchError(request: Request, response: Response) {
    const { isBot } = infoOf(request).visitor.session;
    if (isBot) response.set('X-Robots-Tag', 'noindex');
    sendMessage(request, response, isBot ? 200 : 500, searchErrorPage(request.originalUrl));
  }

  return async (request, response) => {
    const { visitor, requestId, nonce, signal } = infoOf(request);
    const { session } = visitor;
    const normalised = normaliseUrl(request.originalUrl, reference.current(), { brand: session.brand });
    if (normalised.kind === 'notFound') {
      // Without the upstream's makes nobody can say that a make does not exist.
      if (normalised.reason === 'referenceMissing') return sendSearchError(request, response);
      return sendMessage(request, response, 404, notFoundPage);
    }
    if (normalised.needsRedirect) return response.redirect(301, normalised.canonicalUrl);

    const { criteria } = normalised;
    const context = { requestId, signal };
    let search: RootState['search'];
    try {
      const page = await loadSearch(
        { gateway, placeOf, reference: reference.current },
        { criteria, session, context },
      );
      const { statusCode = 200 } = page.pageData;
      if (statusCode >= 400) {
        // A number that is no status of HTTP would fail the answer itself.
        const status = statusCode < 600 ? statusCode : 500;
        return sendMessage(request, response, status, searchErrorPage(request.originalUrl));
      }
      // A visitor who has hidden the showcase gets none, so that nothing has to vanish in the browser (B4-ALPHA-07).
      search = { ...page, ...(visitor.hidesAlpha ? { alpha: null } : {}), requestId, status: 'ready' };
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === 'CANCELLED') return undefined;
      if (error.upstreamCode !== 'INVALID_PARAMETERS') return sendSearchError(request, response);
      search = emptyResults(criteria, normalised.canonicalUrl, requestId);
    }

    response.status(200).type('html');
    response.set('Cache-Control', 'private, no-cache');
    response.append('Set-Cookie', sessionCookie(visitor, request.secure));
    // Nobody reads a body: nothing is rendered for it.
    if (request.method === 'HEAD') return response.end();
    return writePage(response, rendering, {
      state: { search, session },
      snapshot: chooseSnapshot(releases.live(), visitor.id),
      requestId,
      signal,
      call: (name, params, cut) => gateway.call(name, params, { requestId, signal: cut }),
      origin: originOf(request),
      nonce,
      assets,
      earlyFiles,
    });
  };
}
