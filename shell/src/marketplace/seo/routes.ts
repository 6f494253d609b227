import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { FilterValues, SlugData, SlugReference } from '@forecourt/search/criteria';
import { encodeUrl } from '@forecourt/search/url';
import type { CallResponses } from '@forecourt/upstream/calls';
import type { CrawlLink } from '@forecourt/upstream/entities';
import { CallFailure } from '../../engine/gateway/callFailure.ts';
import type { Gateway } from '../../engine/gateway/gateway.ts';
import { PageCalls } from '../../engine/pages/pageCalls.ts';
import type { SlugReferenceKeeper } from '../urls/slugReference.ts';
import { sendError } from '../../engine/http/responses.ts';
import { contextOf, originOf } from '../../engine/http/requestContext.ts';
import { siteLogo, webManifest } from '../frame/frame.ts';
import { escapeHtml } from '../../engine/compose/html.ts';
import { ICONS } from './icons.data.ts';

/** Sitemaps change slowly. */
const ONE_HOUR = 'public, max-age=3600';
const ONE_DAY = 'public, max-age=86400';
/** The manifest names the visitor's brand. */
const ONE_HOUR_PER_BROWSER = 'private, max-age=3600';
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

/** An incomplete sitemap would remove pages from the index, so the response is an error. */
function sendIncomplete(response: Response): void {
  response.set('Retry-After', RETRY_AFTER);
  sendError(response, 503, 'UNREACHABLE', 'the sitemap is not available');
}

const send = (response: Response, xml: string) =>
  void response.type('application/xml').set('Cache-Control', ONE_HOUR).send(xml);

/** `/robots.txt`, the icons and the web app's manifest. */
function addSiteFiles(router: Router): void {
  router.get('/robots.txt', (request, response) => {
    response
      .type('text/plain')
      .set('Cache-Control', ONE_HOUR)
      .send(robotsText(originOf(request)));
  });

  router.get('/favicon.ico', (_request, response) => {
    response.type('image/svg+xml').set('Cache-Control', ONE_HOUR).send(siteLogo);
  });

  router.get('/icons/:name', (request, response, next) => {
    const { name } = request.params;
    const icon = Object.hasOwn(ICONS, name) ? ICONS[name] : undefined;
    if (icon === undefined) return next();
    return response.type('png').set('Cache-Control', ONE_DAY).send(Buffer.from(icon, 'base64'));
  });

  router.get('/manifest.webmanifest', (request, response) => {
    response
      .type('application/manifest+json')
      .set('Cache-Control', ONE_HOUR_PER_BROWSER)
      .send(JSON.stringify(webManifest(contextOf(request).visitor.session.brand)));
  });
}

/** `/robots.txt`, `/favicon.ico`, `/manifest.webmanifest`, `/sitemap.xml` and the files that it names, which are limited. */
export function seoRoutes(
  {
    gateway,
    reference,
  }: {
    readonly gateway: Gateway;
    readonly reference: Pick<SlugReferenceKeeper, 'current' | 'data'>;
  },
  limitRenders: readonly RequestHandler[],
): Router {
  const router = Router();

  addSiteFiles(router);
  router.use(['/sitemap.xml', '/sitemaps'], ...limitRenders);

  /** Vehicle files or the vehicles of one; undefined when the upstream fails, because an incomplete sitemap removes pages. */
  async function loadVehicles(request: Request, file?: string) {
    const { requestId, signal } = contextOf(request);
    try {
      return await gateway.call('vehicleSitemap', { ...(file && { file }) }, { requestId, signal });
    } catch (error) {
      if (error instanceof CallFailure) return undefined;
      throw error;
    }
  }

  router.get('/sitemap.xml', async (request, response) => {
    const vehicles = reference.current().isEmpty ? undefined : await loadVehicles(request);
    if (!vehicles) return sendIncomplete(response);
    return send(response, sitemapIndex(reference.data(), vehicles.files, originOf(request)));
  });

  router.get('/sitemaps/vehicles-:file.xml', async (request, response) => {
    const { file } = request.params;
    if (!/^[1-9]\d{0,5}$/.test(file)) return sendError(response, 404, 'NOT_FOUND', 'not found');
    const loaded = await loadVehicles(request, file);
    if (!loaded) return sendIncomplete(response);
    if (loaded.vehicles.length === 0) return sendError(response, 404, 'NOT_FOUND', 'not found');
    const pages = loaded.vehicles.map(({ id, changedOn }) => ({ path: vehiclePath(id), changedOn }));
    return send(response, urlSet(pages, originOf(request)));
  });

  router.get('/sitemaps/:file', async (request, response) => {
    const { requestId, signal } = contextOf(request);
    const name = /^([a-z0-9-]+)\.xml$/.exec(request.params.file)?.[1];
    if (name !== undefined && reference.current().isEmpty) return sendIncomplete(response);
    const data: SlugData = reference.data();
    const make = data.makes.find(({ slug }) => slug === name);
    if (name !== COMMON_SITEMAP && !make) return sendError(response, 404, 'NOT_FOUND', 'not found');
    const context = { requestId, signal };
    const calls = new PageCalls(gateway);
    const isIncomplete = () => calls.completeness !== 'full';
    const crawlPaths: CrawlPaths = async (makeCode, modelCode) => {
      // A failing upstream is not called again.
      if (isIncomplete()) return [];
      const params = { makeCode, modelCode };
      const [years, trims] = await Promise.all([
        calls.call('modelYears', params, context),
        calls.call('trims', params, context),
      ]);
      return [...years.links, ...trims.links];
    };
    const current = reference.current();
    const paths = make ? await makePaths(make, current, crawlPaths) : commonPaths(data, current);
    if (isIncomplete()) return sendIncomplete(response);
    const pages = [...new Set(paths)].map((path) => ({ path }));
    return send(response, urlSet(pages, originOf(request)));
  });

  return router;
}

/** Limit of URLs per file and of files per index (sitemaps.org). */
const MAX_URLS = 50_000;

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Name of the file with pages that are not specific to a make. */
const COMMON_SITEMAP = 'searches';

const BODY_STYLES = ['TRUCKS', 'SUVCROSS', 'VANMV', 'SEDAN', 'HATCH', 'COUPE', 'CONVERT'];
const FUELS = ['ELE', 'GSL', 'DSL', 'HYB', 'PIH'];
const CONDITIONS = ['NEW', 'USED', 'CERTIFIED'];

const pathOf = (filters: FilterValues, reference: SlugReference): string =>
  encodeUrl({ filters, sortBy: 'relevance', firstRecord: 0, numRecords: 30, unknown: [] }, reference);

/** A page or file of a sitemap; `changedOn` is the last change of its content, YYYY-MM-DD. */
interface SitemapEntry {
  readonly path: string;
  readonly changedOn?: string;
}

const vehiclePath = (id: string): string => `/cars-for-sale/vehicle/${encodeURIComponent(id)}`;

const locationOf = ({ path, changedOn }: SitemapEntry, origin: string): string =>
  `<loc>${escapeHtml(origin + path)}</loc>${changedOn ? `<lastmod>${escapeHtml(changedOn)}</lastmod>` : ''}`;

/** `sitemap.xml`: one file per make, one for the other searches, and those of the vehicles. */
function sitemapIndex(
  { makes }: SlugData,
  vehicleFiles: CallResponses['vehicleSitemap']['files'],
  origin: string,
): string {
  const files: SitemapEntry[] = [
    ...[COMMON_SITEMAP, ...makes.map(({ slug }) => slug)].map((name) => ({ path: `/sitemaps/${name}.xml` })),
    ...vehicleFiles.map(({ file, changedOn }) => ({ path: `/sitemaps/vehicles-${file}.xml`, changedOn })),
  ];
  const entries = files.slice(0, MAX_URLS).map((file) => `<sitemap>${locationOf(file, origin)}</sitemap>`);
  return `${XML}<sitemapindex ${NAMESPACE}>${entries.join('')}</sitemapindex>`;
}

function urlSet(pages: readonly SitemapEntry[], origin: string): string {
  const entries = pages.slice(0, MAX_URLS).map((page) => `<url>${locationOf(page, origin)}</url>`);
  return `${XML}<urlset ${NAMESPACE}>${entries.join('')}</urlset>`;
}

/** Paths of the searches by condition, body style and fuel, and of each make. */
const commonPaths = ({ makes }: SlugData, reference: SlugReference): string[] => [
  pathOf({}, reference),
  ...CONDITIONS.map((code) => pathOf({ listingType: [code] }, reference)),
  ...BODY_STYLES.map((code) => pathOf({ vehicleStyleCode: [code] }, reference)),
  ...FUELS.map((code) => pathOf({ fuelTypeGroup: [code] }, reference)),
  ...makes.map(({ code }) => pathOf({ makeCode: [code] }, reference)),
];

/** Loads the years and trims of a model that are for sale, with their links. */
type CrawlPaths = (makeCode: string, modelCode: string) => Promise<readonly CrawlLink[]>;

/** Paths of one make: itself, by condition, and each model with the years and trims of its crawl paths. */
async function makePaths(
  make: SlugData['makes'][number],
  reference: SlugReference,
  crawlPaths: CrawlPaths,
): Promise<string[]> {
  const makeCode = [make.code];
  const paths = [
    pathOf({ makeCode }, reference),
    ...CONDITIONS.map((code) => pathOf({ makeCode, listingType: [code] }, reference)),
  ];
  // Sequential: a sitemap is not urgent, and shoppers use the same upstream.
  for (const { code } of make.models) {
    const links = await crawlPaths(make.code, code);
    if (links.length === 0) continue;
    paths.push(pathOf({ makeCode, modelCode: [code] }, reference));
    paths.push(...links.filter(({ count }) => count > 0).map(({ link }) => link));
  }
  return paths;
}
