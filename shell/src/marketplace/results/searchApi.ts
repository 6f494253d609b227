import { normalizeUrl } from '@forecourt/search/decode';
import type { SearchCriteria } from '@forecourt/search/criteria';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { CallFailure } from '../../engine/gateway/callFailure.ts';
import { contextOf } from '../../engine/http/requestContext.ts';
import { sendError } from '../../engine/http/responses.ts';
import { loadAccountState } from '../saved/savedState.ts';
import { withoutIdleRadius } from '../urls/slugReference.ts';
import { visitorOf } from '../visitor/visitor.ts';
import { campaignChannelOf } from '../visitor/campaignChannels.ts';
import { loadAdjustedSearch } from './adjustSearch.ts';
import { loadMore } from './loadSearch.ts';
import { PageStatusError, type SearchLoader, type SearchRequest } from './searchRequest.ts';

const querySchema = z.object({ url: z.string().max(8000).startsWith('/cars-for-sale') });

/** The URL of a search that a request has as its parameter. */
export function searchUrlIn({ query }: Request): string | undefined {
  return querySchema.safeParse(query).data?.url;
}

/** Both search calls of the browser: URL in, JSON out, failures by code. */
function searchHandler(
  { gateway, reference }: SearchLoader,
  load: (request: SearchRequest, canonicalUrl: string) => Promise<object>,
): RequestHandler {
  return async (request: Request, response: Response) => {
    const { callContext } = contextOf(request);
    const visitor = visitorOf(request);
    const { session } = visitor;
    const url = searchUrlIn(request);
    if (url === undefined)
      return sendError(response, 400, 'INVALID_PARAMETERS', 'url is missing or not a search');
    const makes = reference.current();
    const normalized = withoutIdleRadius(normalizeUrl(url, makes, { brand: session.brand }), session, makes);
    if (normalized.kind === 'notFound' && normalized.reason === 'referenceMissing')
      return sendError(response, 502, 'UNREACHABLE', 'the search is not available');
    if (normalized.kind === 'notFound') return sendError(response, 404, 'NOT_FOUND', 'no such make or model');
    const criteria: SearchCriteria = normalized.criteria;
    try {
      const body = await load(
        {
          criteria,
          session,
          channel: campaignChannelOf(criteria) ?? visitor.channel,
          pixallId: visitor.pixallId,
          account: loadAccountState(gateway, session, callContext),
          context: callContext,
        },
        normalized.canonicalUrl,
      );
      return response.set('Cache-Control', 'private, no-cache').json(body);
    } catch (error) {
      if (error instanceof PageStatusError)
        return sendError(response, error.status, 'PAGE_STATUS', error.message);
      if (!(error instanceof CallFailure)) throw error;
      if (error.code === 'CANCELLED') return undefined;
      return error.upstreamCode === 'INVALID_PARAMETERS'
        ? sendError(response, 400, 'INVALID_PARAMETERS', error.message)
        : sendError(response, 502, error.code, 'the search is not available');
    }
  };
}

/** `GET /cars-for-sale/api/search?url=…` → `{kind: 'page', page, url}`: the content of that URL's page, unless it is no results page. */
export const searchApi = (loader: SearchLoader): RequestHandler =>
  searchHandler(loader, async (request, url) => {
    const page = await loadAdjustedSearch(loader, request);
    // The document of the same URL redirects to the vehicle.
    return typeof page === 'string' ? { kind: 'document' } : { kind: 'page', page, url };
  });

/** `GET /cars-for-sale/api/search/more?url=…` → `{page}`: the listings at the URL's firstRecord. */
export const searchMoreApi = (loader: SearchLoader): RequestHandler =>
  searchHandler(loader, async (request) => ({ page: await loadMore(loader, request) }));
