import { constants } from 'node:zlib';
import compression from 'compression';
import express, { Router, type Express, type Request, type RequestHandler } from 'express';
import type { Refusal } from '@forecourt/shared-contracts/slots/gate';
import type { Registry } from 'prom-client';
import { pageEvents, stillInterested } from './api/beacons.ts';
import { callApi } from './api/callApi.ts';
import { gateApi, type ReleaseGate } from './api/gateApi.ts';
import { searchApi, searchMoreApi } from './api/searchApi.ts';
import { serviceWorker } from './api/serviceWorker.ts';
import { OverloadedError } from './bounds/permits.ts';
import { createPageCache } from './cache/pageCache.ts';
import type { Config } from './config.ts';
import { adCreative } from './files/adCreatives.ts';
import { releaseFiles, shellFiles } from './files/staticFiles.ts';
import { upstreamFiles } from './files/upstreamFiles.ts';
import { createRequestContext, resolveVisitor, type RequestContext } from './http/requestContext.ts';
import { limitWrites, renewSession, requireSameOrigin, sendError } from './http/responses.ts';
import { FIREBASE_ORIGINS, securityHeaders } from './http/securityHeaders.ts';
import {
  createPageCacheMetrics,
  createReleaseMetrics,
  createReporter,
  createSlotMetrics,
  observeReleases,
} from './operations/metrics.ts';
import { createSlotTrouble, type SlotTrouble } from './operations/slotTrouble.ts';
import { createIsolationMetrics, describeIsolation, type Isolation } from './operations/isolation.ts';
import { missingSlots } from './operations/readiness.ts';
import { createLoadShedding } from './operations/loadShedding.ts';
import { createMeasure } from './operations/measureRequests.ts';
import type { PageDeps } from './pages/pageDeps.ts';
import { resultsPage } from './pages/resultsPage.ts';
import { ResultsSource, type ResultsResponse } from './pages/resultsSource.ts';
import { savedPages } from './pages/savedPages.ts';
import { createLastHandlers } from './pages/screens.ts';
import { slotPage } from './pages/slotPage.ts';
import type { ReleaseArchive } from './releases/archive.ts';
import type { CanaryWatch } from './releases/canaryWatch.ts';
import type { DistrustedPointers } from './releases/plausibility.ts';
import type { LoadedRelease } from './rendering/release.ts';
import type { SearchLoader } from './search/loadSearch.ts';
import { createPlaceLookup } from './search/placeLookup.ts';
import type { SlugReferenceKeeper } from './search/slugReference.ts';
import { seoRoutes } from './seo/routes.ts';
import type { FlagSource } from './visitor/flags.ts';
import type { VisitorSessions } from './visitor/sessions.ts';

/** The app's dependencies: `server.ts` creates them, tests replace some. */
export interface ShellDeps extends Omit<PageDeps, 'releases' | 'reference' | 'slotMetrics' | 'load'> {
  readonly reference: SlugReferenceKeeper;
  readonly releases: PageDeps['releases'] & {
    readonly find: (name: string, version: string) => LoadedRelease | undefined;
    readonly refused?: () => ReadonlyMap<string, readonly Refusal[]>;
    /** The registry's pointers if they are implausible. */
    readonly distrusted?: () => DistrustedPointers | undefined;
  };
  /** Tries releases that are not live. */
  readonly gate?: ReleaseGate;
  /** Observes how each release renders. */
  readonly canaries?: CanaryWatch;
  /** Files of releases that are no longer live. */
  readonly archive?: ReleaseArchive;
  /** The visitor's feature flags; without it the defaults. */
  readonly flags?: FlagSource;
  /** Without it visitors cannot sign in. */
  readonly sessions?: VisitorSessions;
  readonly accountRoutes?: Router;
  readonly metrics: Registry;
  /** How releases are isolated; without it health says nothing of it. */
  readonly isolation?: Isolation;
  readonly clock: () => Date;
  /** The event loop's delay since the last call, in ms; without it load is measured by waiting pages alone. */
  readonly loopDelayMs?: () => number;
  /** Shutting down: no longer ready. */
  readonly isStopping?: () => boolean;
}

/** Writes per client per minute, far above what a person sends. */
const WRITES_PER_MINUTE = 120;
/** Telemetry beacons: up to 6 per minute per tab, a hundred tabs behind one address. */
const BEACONS_PER_MINUTE = 600;
/** Time in which a stale page is served while it is revalidated; ms. */
const STALE_MS = 60_000;
/** Enough for about a hundred pages. */
const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** The shell as an Express app, with middleware and routes in order. Reads no environment and does not listen. */
export function createApp(deps: ShellDeps, options: Config): Express {
  const app = express();
  const load = createLoadShedding(deps, options);
  const trouble = createSlotTrouble(deps.clock);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', options.TRUST_PROXY);
  app.set('query parser', 'simple');
  app.use(createRequestContext(deps, options));
  app.use(policyHeaders(deps, options));
  app.use(operatorRoutes(deps, load, trouble));
  if (deps.gate) app.use(gateApi(deps.gate, deps.logger, options));
  app.use(fileRoutes(deps, options));
  app.use(compressResponses());
  app.use(seoRoutes(deps));
  app.get('/cars-for-sale/api/firebase-messaging-sw.js', serviceWorker);
  app.get('/build-your-price', redirectToBuildYourPrice);
  // From here on responses are made for one visitor.
  app.use(renewSession);
  app.use(resolveVisitor(deps, options));
  addVisitorRoutes(app, { ...deps, load, trouble }, options);

  const last = createLastHandlers(deps.logger, deps.assets.css, load);
  app.all(['/cars-for-sale', '/cars-for-sale/*path'], last.readOnly);
  app.use(last.notFound);
  app.use(last.handleError);
  return app;
}

const policyHeaders = ({ releases }: ShellDeps, options: Config): RequestHandler =>
  securityHeaders(
    () => releases.live().keys(),
    [new URL(options.OIDC_ISSUER).origin],
    options.FIREBASE_WEB_APP ? FIREBASE_ORIGINS : [],
  );

/** Health and metrics. Case-sensitive, because the edge proxy hides exactly these paths from visitors. */
function operatorRoutes(deps: ShellDeps, load: PageDeps['load'], trouble: SlotTrouble): Router {
  const { reference, releases, metrics, isolation, isStopping = () => false } = deps;
  createReleaseMetrics(metrics, releases);
  if (isolation) createIsolationMetrics(metrics, isolation);
  const router = Router({ caseSensitive: true });
  router.get('/health/live', (_, response) => void response.json({ status: 'live' }));
  router.get('/health/ready', (_, response) => {
    const missing = missingSlots(releases.live());
    const isComplete = Object.keys(missing).length === 0;
    const isReady = !isStopping() && !reference.current().isEmpty && isComplete;
    const pointers = releases.distrusted?.();
    response.status(isReady ? 200 : 503).json({
      status: isStopping() ? 'stopping' : isReady ? 'ready' : 'starting',
      releases: Object.fromEntries(
        [...releases.live()].map(([name, { live }]) => [name, live.manifest.version]),
      ),
      refused: Object.fromEntries(releases.refused?.() ?? []),
      // A rollout must not replace complete replicas with this one.
      ...(!isComplete && { missing }),
      ...(pointers && { pointers }),
      load: load.level,
      failing: trouble.recent(),
      ...(isolation && { isolation: describeIsolation(isolation) }),
    });
  });
  router.get('/metrics', async (_, response) => {
    response.type(metrics.contentType).send(await metrics.metrics());
  });
  return router;
}

/** Files that are the same for everyone; each route compresses its own responses. */
function fileRoutes({ assets, releases, extension, archive }: ShellDeps, options: Config): Router {
  const router = Router();
  router.get('/assets/*path', shellFiles(assets));
  router.get(
    '/remotes/*path',
    releaseFiles({
      find: (name, version) => releases.find(name, version) ?? extension?.findRelease(name, version),
      archive,
    }),
  );
  router.get(['/pictures/*path', '/static/*path'], upstreamFiles(options.MARKETPLACE_API_URL));
  router.get('/ads/creative', adCreative(options.MARKETPLACE_API_URL));
  return router;
}

/**
 * Quality 5 costs 2 ms more per page than 4 and saves 7 %, so that the first
 * results arrive with the first round trip. A 256 KB window holds a page; the
 * default takes some megabytes of memory per response.
 */
const compressResponses = (): RequestHandler =>
  compression({
    brotli: {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 18 },
    },
  });

const redirectToBuildYourPrice: RequestHandler = (request, response) =>
  response.redirect(301, `/cars-for-sale/build-your-price${new URL(request.originalUrl, 'http://x').search}`);

/** Records a view in the visitor's history, on which alerts are based. The gateway logs failures. */
const recordView =
  ({ gateway }: ShellDeps) =>
  (request: Request, { visitor, callContext }: RequestContext): void => {
    const { isBot, brand } = visitor.session;
    if (isBot || !callContext.consumerId) return;
    // Without the request's signal: a view counts even if the client disconnects.
    const { signal: _, ...context } = callContext;
    const body = { listingId: String(request.params['id']), brand };
    void gateway.call('recordView', {}, { ...context, body });
  };

function createResults(pages: PageDeps, deps: ShellDeps, options: Config, loader: SearchLoader) {
  const { logger, metrics, clock } = deps;
  const cache =
    options.PAGE_CACHE_SECONDS > 0
      ? createPageCache<ResultsResponse>({
          freshMs: options.PAGE_CACHE_SECONDS * 1000,
          staleMs: STALE_MS,
          maxBytes: MAX_CACHE_BYTES,
          now: () => clock().getTime(),
          onError(error) {
            if (error instanceof OverloadedError) return;
            logger.error({ err: error }, 'revalidation of a cached page failed');
          },
        })
      : undefined;
  const source = new ResultsSource(pages, {
    loader,
    cache,
    report: createReporter(logger, metrics),
    countPages: createPageCacheMetrics(metrics, () => cache?.size()),
    isLocal: options.LOCAL_MODE,
  });
  return resultsPage(pages, source);
}

type VisitorDeps = ShellDeps & Pick<PageDeps, 'load'> & { readonly trouble: SlotTrouble };

function addVisitorRoutes(app: Express, deps: VisitorDeps, options: Config): void {
  const { extension, metrics, canaries, trouble } = deps;
  const measured = createMeasure(deps);
  const writes = limitWrites(WRITES_PER_MINUTE);
  const json = express.json({ limit: '64kb', type: ['application/json', 'text/plain'] });
  const loader: SearchLoader = { ...deps, placeOf: createPlaceLookup(deps.gateway) };
  const slotMetrics = observeReleases(trouble.observe(createSlotMetrics(metrics)), (...render) =>
    canaries?.record(...render),
  );
  const pages: PageDeps & Pick<ShellDeps, 'sessions'> = { ...deps, slotMetrics };

  app.get('/cars-for-sale/api/search', measured('search'), searchApi(loader));
  app.get('/cars-for-sale/api/search/more', measured('search-more'), searchMoreApi(loader));
  app.all(
    '/cars-for-sale/api/call/:name',
    measured('call'),
    writes,
    json,
    callApi(deps, options.SIGN_IN_PATH) as RequestHandler,
  );
  const beacon = [json, requireSameOrigin];
  app.post(
    '/cars-for-sale/svc/page-event',
    limitWrites(BEACONS_PER_MINUTE),
    beacon,
    pageEvents(deps, metrics),
  );
  app.post('/cars-for-sale/still-interested/alert', writes, beacon, stillInterested(deps));

  const onShown = recordView(deps);
  app.get('/cars-for-sale/vehicle/:id', measured('vehicle'), slotPage(pages, 'vehicle', { onShown }));
  app.get('/cars-for-sale/compare', measured('compare'), slotPage(pages, 'compare'));
  app.get(
    '/cars-for-sale/build-your-price',
    measured('build-your-price'),
    slotPage(pages, 'build-your-price'),
  );
  app.use('/account', measured('account'), writes);
  app.use(savedPages(pages, options));
  if (deps.accountRoutes) app.use(deps.accountRoutes);
  if (extension) app.use(extension.path, measured(extension.name), extension.routes, notFoundApi);
  app.get('/', (_, response) => response.redirect(302, '/cars-for-sale/all-cars'));
  app.get(
    ['/cars-for-sale', '/cars-for-sale/*path'],
    measured('results'),
    createResults(pages, deps, options, loader),
  );
}

const notFoundApi: RequestHandler = (request, response) => sendError(response, 404, 'NOT_FOUND', 'not found');
