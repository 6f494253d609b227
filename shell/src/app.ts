import { OVERRIDES_PATH } from '@forecourt/shared-contracts/slots/override';
import compression from 'compression';
import express, { Router, type Express, type RequestHandler } from 'express';
import { constants } from 'node:zlib';
import { createPageCache } from './pageCache/pageCache.ts';
import { createPlaceLookup } from './search/placeLookup.ts';
import { gateApi } from './releases/gateApi.ts';
import { seoRoutes } from './seo/routes.ts';
import { adCreative } from './server/adCreatives.ts';
import { callApi } from './server/callApi.ts';
import type { ShellDeps, ShellOptions } from './server/deps.ts';
import { createLastHandlers, notFound } from './server/errors.ts';
import { releaseFiles, shellFiles } from './server/files.ts';
import {
  createPageCacheMetrics,
  createReleaseMetrics,
  createRequestMetrics,
  createSlotMetrics,
  watchedSlots,
} from './server/metrics.ts';
import { limitWrites } from './server/limitWrites.ts';
import { pageEvents } from './server/pageEvents.ts';
import { renewSession } from './server/renewSession.ts';
import { createReporter } from './server/reports.ts';
import { infoOf, withRequestInfo, withVisitorFlags } from './server/requestContext.ts';
import { resultsPage } from './server/resultsPage.ts';
import { searchApi, searchMoreApi } from './server/searchApi.ts';
import { FIREBASE_ORIGINS, securityHeaders } from './server/security.ts';
import { serviceWorker } from './server/serviceWorker.ts';
import { stillInterested } from './server/stillInterested.ts';
import { upstreamFiles } from './server/upstreamFiles.ts';
import type { ResultsAnswer } from './server/renderResults.ts';
import { buildRoute } from './pages/buildYourPrice/buildRoute.ts';
import { compareRoute } from './pages/compare/compareRoute.ts';
import { savedRoutes } from './pages/saved/savedRoutes.ts';
import { vehicleRoute } from './pages/vehicle/vehicleRoute.ts';

/** Writes of one visitor a minute: far above what a person sends. */
const WRITES_PER_MINUTE = 120;
/** What pages tell of themselves, six times a minute a tab: a hundred tabs behind one address. */
const BEACONS_PER_MINUTE = 600;

/** How long a page that is no longer young is served while a new one is rendered. */
const STALE_MS = 60_000;
/** About a hundred pages. */
const MAX_CACHE_BYTES = 32 * 1024 * 1024;

const createResultsCache = ({ logger, clock }: ShellDeps, { PAGE_CACHE_SECONDS }: ShellOptions) =>
  createPageCache<ResultsAnswer>({
    freshMs: PAGE_CACHE_SECONDS * 1000,
    staleMs: STALE_MS,
    maxBytes: MAX_CACHE_BYTES,
    now: () => clock().getTime(),
    onError: (error) => logger.error({ err: error }, 'a page could not be rendered anew'),
  });

/** The shell as an Express app. Reads no environment and does not listen. */
export function createApp(deps: ShellDeps, options: ShellOptions): Express {
  const { metrics, logger, releases } = deps;
  const requestSeconds = createRequestMetrics(metrics);
  createReleaseMetrics(metrics, releases);

  const measured =
    (route: string): RequestHandler =>
    (request, response, next) => {
      const stop = requestSeconds.startTimer({ route });
      response.on('close', () => {
        const seconds = stop({ status: String(response.statusCode) });
        const { requestId } = infoOf(request);
        logger.info(
          { requestId, route, status: response.statusCode, ms: Math.round(seconds * 1000) },
          'request',
        );
      });
      next();
    };
  const writes = limitWrites(WRITES_PER_MINUTE);
  const json = express.json({ limit: '64kb', type: ['application/json', 'text/plain'] });

  const placeOf = createPlaceLookup(deps.gateway);
  const report = createReporter(logger, metrics);
  const cache = options.PAGE_CACHE_SECONDS > 0 ? createResultsCache(deps, options) : undefined;
  const countPages = createPageCacheMetrics(metrics, () => cache?.size());

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', options.TRUST_PROXY);
  app.set('query parser', 'simple');
  app.use(withRequestInfo(deps, options));
  app.use(
    securityHeaders(
      () => releases.live().keys(),
      [new URL(options.OIDC_ISSUER).origin],
      options.FIREBASE_WEB_APP ? FIREBASE_ORIGINS : [],
    ),
  );

  // By their one name: an edge in front hides them from visitors.
  const operators = Router({ caseSensitive: true });
  operators.get('/health/live', (_, response) => void response.json({ status: 'live' }));
  operators.get('/health/ready', (_, response) => {
    const isStopping = deps.isStopping?.() ?? false;
    const isReady = !isStopping && !deps.reference.current().isEmpty && releases.live().size > 0;
    response.status(isReady ? 200 : 503).json({
      status: isStopping ? 'stopping' : isReady ? 'ready' : 'starting',
      releases: Object.fromEntries(
        [...releases.live()].map(([name, { live }]) => [name, live.manifest.version]),
      ),
      refused: Object.fromEntries(releases.refused?.() ?? []),
    });
  });
  operators.get('/metrics', async (_, response) => {
    response.type(metrics.contentType).send(await metrics.metrics());
  });
  app.use(operators);

  if (deps.gate) app.use(gateApi(deps.gate, logger, options));
  app.get('/assets/*path', shellFiles(deps.assets));
  app.get(
    '/remotes/*path',
    releaseFiles({
      releases: {
        find: (name, version) => releases.find(name, version) ?? deps.overrides?.find(name, version),
      },
      archive: deps.archive,
    }),
  );
  app.get(['/pictures/*path', '/static/*path'], upstreamFiles(options.MARKETPLACE_API_URL));
  app.get('/ads/creative', adCreative(options.MARKETPLACE_API_URL));

  // From quality 4 to 5 a page costs 2 ms more and is 7 % smaller: then its first results come with the first round trip.
  // A window of 256 KB holds a page; the default takes some megabytes for each one on its way.
  const brotli = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 18 };
  app.use(compression({ brotli: { params: brotli } }));
  app.use(seoRoutes(deps));
  app.get('/cars-for-sale/api/firebase-messaging-sw.js', serviceWorker);
  app.get('/build-your-price', (request, response) =>
    response.redirect(
      301,
      `/cars-for-sale/build-your-price${new URL(request.originalUrl, 'http://x').search}`,
    ),
  );
  // Everything from here on is made for a visitor.
  app.use(renewSession);
  app.use(withVisitorFlags(deps, options));
  app.get('/cars-for-sale/api/search', measured('search'), searchApi(deps, placeOf));
  app.get('/cars-for-sale/api/search/more', measured('search-more'), searchMoreApi(deps, placeOf));
  app.all(
    '/cars-for-sale/api/call/:name',
    measured('call'),
    writes,
    json,
    callApi(deps, options.SIGN_IN_PATH) as RequestHandler,
  );
  app.post('/cars-for-sale/svc/page-event', limitWrites(BEACONS_PER_MINUTE), json, pageEvents(deps, metrics));
  app.post('/cars-for-sale/still-interested/alert', writes, json, stillInterested(deps));
  app.get('/cars-for-sale/vehicle/:id', measured('vehicle'), vehicleRoute(deps));
  app.get('/cars-for-sale/compare', measured('compare'), compareRoute(deps));
  app.get('/cars-for-sale/build-your-price', measured('build-your-price'), buildRoute(deps));
  app.use('/account', measured('account'), writes);
  app.use(savedRoutes(deps, options));
  if (deps.accountRoutes) app.use(deps.accountRoutes);
  app.use(OVERRIDES_PATH, measured('overrides'), deps.overrides?.routes ?? notFound);
  app.get('/', (_, response) => response.redirect(302, '/cars-for-sale/all-cars'));
  app.get(
    ['/cars-for-sale', '/cars-for-sale/*path'],
    measured('results'),
    resultsPage(deps, {
      placeOf,
      report,
      cache,
      countPages,
      slotMetrics: watchedSlots(createSlotMetrics(metrics), (...render) => deps.canaries?.record(...render)),
      isLocal: options.LOCAL_MODE,
    }),
  );

  const last = createLastHandlers(logger, deps.assets.css);
  app.all(['/cars-for-sale', '/cars-for-sale/*path'], last.readOnly);
  app.use(last.notFound);
  app.use(last.handleError);
  return app;
}
