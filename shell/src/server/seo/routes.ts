import { Router, type Response } from 'express';
import type { SlugData } from '@forecourt/shared-contracts/criteria';
import type { Gateway } from '../upstream/gateway.ts';
import type { SlugReferenceKeeper } from '../search/slugReference.ts';
import { sendError } from '../http/responses.ts';
import { contextOf, originOf } from '../http/requestContext.ts';
import { COMMON_SITEMAP, commonPaths, makePaths, sitemapIndex, urlSet, type CrawlPaths } from './sitemap.ts';

/** The set of pages changes slowly. */
const ONE_HOUR = 'public, max-age=3600';
/** s */
const RETRY_AFTER = '60';

/** APIs and personal pages. */
const DISALLOWED = [
  '/cars-for-sale/api/',
  '/cars-for-sale/svc/',
  '/cars-for-sale/searchoptions/',
  '/account',
];

const robotsText = (origin: string): string =>
  [
    'User-agent: *',
    ...DISALLOWED.map((path) => `Disallow: ${path}`),
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n');

/** An incomplete sitemap would remove pages from the index, so none is sent. */
function sendIncomplete(response: Response, requestId: string): void {
  response.set('Retry-After', RETRY_AFTER);
  sendError(response, 503, 'UNREACHABLE', 'the sitemap is not available', requestId);
}

/** `/robots.txt`, `/sitemap.xml` and the files that it names. */
export function seoRoutes({
  gateway,
  reference,
}: {
  readonly gateway: Gateway;
  readonly reference: Pick<SlugReferenceKeeper, 'current' | 'data'>;
}): Router {
  const router = Router();

  router.get('/robots.txt', (request, response) => {
    response
      .type('text/plain')
      .set('Cache-Control', ONE_HOUR)
      .send(robotsText(originOf(request)));
  });

  router.get('/sitemap.xml', (request, response) => {
    if (reference.current().isEmpty) return sendIncomplete(response, contextOf(request).requestId);
    return void response
      .type('application/xml')
      .set('Cache-Control', ONE_HOUR)
      .send(sitemapIndex(reference.data(), originOf(request)));
  });

  router.get('/sitemaps/:file', async (request, response) => {
    const { requestId, signal } = contextOf(request as never);
    const name = /^([a-z0-9-]+)\.xml$/.exec(request.params.file)?.[1];
    if (name !== undefined && reference.current().isEmpty) return sendIncomplete(response, requestId);
    const data: SlugData = reference.data();
    const make = data.makes.find(({ slug }) => slug === name);
    if (name !== COMMON_SITEMAP && !make)
      return sendError(response, 404, 'NOT_FOUND', 'there is nothing here', requestId);
    let isIncomplete = false;
    const context = { requestId, signal, onFallback: () => (isIncomplete = true) };
    const crawlPaths: CrawlPaths = async (makeCode, modelCode) => {
      // Stops calling a failing upstream.
      if (isIncomplete) return [];
      const params = { makeCode, modelCode };
      const [years, trims] = await Promise.all([
        gateway.call('modelYears', params, context),
        gateway.call('trims', params, context),
      ]);
      return [...years.links, ...trims.links];
    };
    const current = reference.current();
    const paths = make ? await makePaths(make, current, crawlPaths) : commonPaths(data, current);
    if (isIncomplete) return sendIncomplete(response, requestId);
    return response
      .type('application/xml')
      .set('Cache-Control', ONE_HOUR)
      .send(urlSet(paths, originOf(request)));
  });

  return router;
}
