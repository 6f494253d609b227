import express, { Router, type Express, type RequestHandler } from 'express';
import type { Refusal } from '@forecourt/shared-contracts/slots/gate';
import type { Registry } from 'prom-client';
import {
  createRecordView,
  createViewBudget,
  pageEvents,
  pageTrace,
  stillInterested,
} from './beacons/beacons.ts';
import { FRAMES_PATH, PAGE_CONTENT_PATH, PAGE_TRACE_PATH } from '../engine/universal/paths.ts';
import { callApi, searchApi, searchMoreApi } from './results/callApi.ts';
import { gateApi, type ReleaseGate } from '../engine/releases/gateApi.ts';
import { POLICY_REPORTS_PATH, policyReports } from '../engine/http/policyReports.ts';
import { serviceWorker } from './notifications/serviceWorker.ts';
import { OverloadedError } from '../engine/load/permits.ts';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import { createPageCache } from '../engine/cache/pageCache.ts';
import { createPageContents, type PageContents } from '../engine/cache/pageContents.ts';
import type { InlineElement } from '../engine/compose/html.ts';
import type { Config } from './config.ts';
import { adCreative, upstreamFiles } from '../engine/http/upstreamFiles.ts';
import { createCompressedSender, releaseFiles, shellFiles } from '../engine/http/staticFiles.ts';
import { createRequestContext, resolveVisitor } from '../engine/http/requestContext.ts';
import { limitMails, limitRenders, limitWrites, refuseOverBudget } from '../engine/load/clientLimits.ts';
import {
  compressResponses,
  notFoundApi,
  readAbsoluteTarget,
  renewSession,
  requireHost,
  requireSameOrigin,
  securityHeaders,
} from '../engine/http/responses.ts';
import { type ContentPolicy, createContentPolicy, FIREBASE_ORIGINS } from '../engine/http/contentPolicy.ts';
import {
  createPageCacheMetrics,
  createReleaseMetrics,
  createReporter,
  createSlotMetrics,
  observeReleases,
  createMeasure,
} from '../engine/operations/metrics.ts';
import {
  reportReadiness,
  type ReadinessReport,
  createIsolationMetrics,
  type Isolation,
} from '../engine/operations/readiness.ts';
import {
  createReleaseReport,
  createSlotTrouble,
  type SlotTrouble,
} from '../engine/operations/slotTrouble.ts';
import type { Tracing } from '../engine/operations/tracing.ts';
import { createLoadShedding } from '../engine/load/loadShedding.ts';
import { layoutsWithFrames } from './permissions.ts';
import { emailLinks } from './saved/emailLinks.ts';
import { framePage } from '../engine/compose/framePage.ts';
import { ALL_RESULTS_PATHS, type PageDeps, resultsPaths } from '../engine/pages/pageDeps.ts';
import { resultsPage } from './results/resultsPage.ts';
import { ResultsSource, type ResultsResponse } from './results/resultsSource.ts';
import { savedPages } from './saved/savedPages.ts';
import { pageContentApi } from '../engine/http/sendPage.ts';
import { helpPage, sendMessagePage } from './frame/errorPage.ts';
import { createLastHandlers } from '../engine/http/lastHandlers.ts';
import { slotPage } from '../engine/pages/slotPage.ts';
import type { ReleaseArchive } from '../engine/releases/archive.ts';
import type { CanaryWatch } from '../engine/releases/canaryWatch.ts';
import type { DistrustedPointers } from '../engine/releases/registryClient.ts';
import type { LoadedRelease } from '../engine/rendering/release.ts';
import { createSlotCache } from '../engine/rendering/slotCache.ts';
import { type SearchLoader, createSearchLoader } from './results/searchRequest.ts';
import type { SlugReferenceKeeper } from './results/slugReference.ts';
import { seoRoutes } from './seo/routes.ts';
import type { FlagSource } from './visitor/flags.ts';
import type { VisitorSessions } from './visitor/visitor.ts';

/** The app's dependencies: `server.ts` creates them, tests replace some. */
export interface ShellDeps extends Omit<
  PageDeps,
  'releases' | 'reference' | 'slotMetrics' | 'slotCache' | 'load' | 'layouts'
> {
  readonly reference: SlugReferenceKeeper;
  readonly releases: PageDeps['releases'] & {
    readonly find: (name: string, version: string) => LoadedRelease | undefined;
    readonly revision?: () => number | undefined;
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
  /** Receives logout tokens of the issuer. */
  readonly logoutRoute?: Router;
  readonly limits: RateLimits;
  readonly metrics: Registry;
  /** Without it nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** How releases are isolated; without it health says nothing of it. */
  readonly isolation?: Isolation;
  readonly clock: () => Date;
  /** The event loop's delay since the last call, in ms; without it load is measured by waiting pages alone. */
  readonly loopDelayMs?: () => number;
  /** Shutting down: no longer ready. */
  readonly isStopping?: () => boolean;
  /** Receives the function that reports readiness, for probes on another port. */
  readonly onReadiness?: (report: () => ReadinessReport) => void;
}

/** Time in which a stale page is served while it is revalidated; ms. */
const STALE_MS = 60_000;
/** Age up to which a crawler gets a stored page; ms. As old as results may be that are shown during an outage. */
const KEPT_MS = 600_000;
/** Of pages and everything compressed: enough for about a hundred. */
const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** The shell as an Express app, with middleware and routes in order. Reads no environment and does not listen. */
export function createApp(deps: ShellDeps, options: Config): Express {
  const app = express();
  const load = createLoadShedding(deps, options);
  const trouble = createSlotTrouble(deps.clock);
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', options.TRUST_PROXY);
  app.set('query parser', 'simple');
  app.use(
    readAbsoluteTarget,
    createRequestContext({ ...deps, policy: contentPolicy(deps, options) }, options),
  );
  app.use(securityHeaders(POLICY_REPORTS_PATH), requireHost(options.SITE_HOSTS, options.PORT));
  const compress = compressResponses();
  // For responses that are made for one visitor.
  const visitor = [renewSession, resolveVisitor(deps, options)];
  const slotMetrics = observeReleases(trouble.observe(createSlotMetrics(deps.metrics)), (...render) =>
    deps.canaries?.record(...render),
  );
  const slotCache = createSlotCache(deps, options);
  const layouts = layoutsWithFrames(options.FRAMED_SLOTS);
  const pages: VisitorDeps = { ...deps, load, layouts, slotMetrics, slotCache };
  const measured = createMeasure(deps);
  const loader = createSearchLoader(deps, options);
  const contents = createPageContents();
  const limited = limitRenders(deps, options);
  const renders = [...limited, refuseOverBudget];
  const results = [measured('results'), ...limited, createResults(pages, options, { loader, contents })];
  // First, because they are requested most, and a cached page costs little more than the way to its route.
  app.get(resultsPaths(deps), compress, visitor, results);
  app.get(`${PAGE_CONTENT_PATH}/:hash`, measured('page-content'), pageContentApi(contents));

  app.use(operatorRoutes(deps, load, trouble));
  const status = () => reportReadiness(deps, load, {}).facts.status;
  const report = createReleaseReport(deps, status, trouble);
  if (deps.gate) app.use(gateApi({ ...deps.gate, report }, deps.logger, options));
  if (deps.logoutRoute) app.use(deps.logoutRoute);
  app.use(fileRoutes(deps, options));
  app.use(compress);
  app.get(`${FRAMES_PATH}/:slot/:remote/:version`, framePage({ ...pages, find: findRelease(deps) }));
  app.use(seoRoutes(deps, renders));
  app.get('/cars-for-sale/api/firebase-messaging-sw.js', serviceWorker);
  app.get('/build-your-price', redirectToBuildYourPrice);
  app.use(visitor);
  addVisitorRoutes(app, pages, options, { measured, loader, renders });
  app.get(ALL_RESULTS_PATHS, results);

  const last = createLastHandlers(deps.logger, deps.assets.css, load);
  app.all(ALL_RESULTS_PATHS, last.readOnly);
  app.use(last.notFound);
  app.use(last.handleError);
  return app;
}

const contentPolicy = ({ releases, assets }: ShellDeps, options: Config): ContentPolicy =>
  createContentPolicy({
    remotes: () => releases.live().keys(),
    scriptHashes: Object.values(assets.scripts).map(({ hash }: InlineElement) => hash),
    formTargets: [new URL(options.OIDC_ISSUER).origin],
    connectTargets: options.FIREBASE_WEB_APP ? FIREBASE_ORIGINS : [],
    reportsTo: POLICY_REPORTS_PATH,
  });

/** Health and metrics. Case-sensitive, because the edge proxy hides exactly these paths from visitors. */
function operatorRoutes(deps: ShellDeps, load: PageDeps['load'], trouble: SlotTrouble): Router {
  const { releases, metrics, isolation } = deps;
  const readiness = () => reportReadiness(deps, load, trouble.recent());
  deps.onReadiness?.(readiness);
  createReleaseMetrics(metrics, releases);
  if (isolation) createIsolationMetrics(metrics, isolation);
  const router = Router({ caseSensitive: true });
  router.get('/health/live', (_, response) => void response.json({ status: 'live' }));
  router.get('/health/ready', (_, response) => {
    const { isReady, facts } = readiness();
    response.status(isReady ? 200 : 503).json(facts);
  });
  router.get('/metrics', async (_, response) => {
    response.type(metrics.contentType).send(await metrics.metrics());
  });
  return router;
}

const findRelease =
  ({ releases, extension }: ShellDeps) =>
  (name: string, version: string): LoadedRelease | undefined =>
    releases.find(name, version) ?? extension?.findRelease(name, version);

/** Files that are the same for everyone; each route compresses its own responses. */
function fileRoutes(deps: ShellDeps, options: Config): Router {
  const { assets, archive } = deps;
  const router = Router();
  const upstream = options.MARKETPLACE_API_URL;
  const send = createCompressedSender();
  router.get('/assets/*path', shellFiles(assets, send));
  router.get('/remotes/*path', releaseFiles({ find: findRelease(deps), archive, send }));
  router.get(['/pictures/*path', '/static/*path'], upstreamFiles(upstream, { sendCompressed: send }));
  router.get('/ads/creative', adCreative(upstream));
  return router;
}

const redirectToBuildYourPrice: RequestHandler = (request, response) =>
  response.redirect(301, `/cars-for-sale/build-your-price${new URL(request.originalUrl, 'http://x').search}`);

function createResults(
  deps: VisitorDeps,
  options: Config,
  parts: { readonly loader: SearchLoader; readonly contents: PageContents },
): RequestHandler {
  const { logger, metrics, clock, tracing } = deps;
  const cache =
    options.PAGE_CACHE_SECONDS > 0
      ? createPageCache<ResultsResponse>({
          freshMs: options.PAGE_CACHE_SECONDS * 1000,
          staleMs: STALE_MS,
          keptMs: KEPT_MS,
          maxBytes: MAX_CACHE_BYTES,
          now: () => clock().getTime(),
          onError(error) {
            if (error instanceof OverloadedError) return;
            logger.error({ err: error }, 'revalidation of a cached page failed');
          },
        })
      : undefined;
  const source = new ResultsSource(deps, {
    ...parts,
    cache,
    report: createReporter(logger, metrics),
    countPages: createPageCacheMetrics(metrics, () => cache?.size(), tracing),
    isLocal: options.LOCAL_MODE,
  });
  return resultsPage(deps, source);
}

type VisitorDeps = ShellDeps & PageDeps;

function addVisitorRoutes(
  app: Express,
  deps: VisitorDeps,
  options: Config,
  parts: {
    readonly measured: ReturnType<typeof createMeasure>;
    readonly loader: SearchLoader;
    /** Limits what is rendered for a network and an account. */
    readonly renders: readonly RequestHandler[];
  },
): void {
  const { extension, limits } = deps;
  const { measured, loader, renders } = parts;
  const writes = limitWrites(limits, 'writes');
  const json = express.json({ limit: '64kb', type: ['application/json', 'text/plain'] });

  app.get('/cars-for-sale/api/search', measured('search'), ...renders, searchApi(loader));
  app.get('/cars-for-sale/api/search/more', measured('search-more'), ...renders, searchMoreApi(loader));
  app.all(
    '/cars-for-sale/api/call/:name',
    measured('call'),
    writes,
    limitMails(limits, options),
    json,
    callApi(deps, options.SIGN_IN_PATH) as RequestHandler,
  );
  const allowsView = createViewBudget(limits);
  const recordView = createRecordView(deps, allowsView);
  const beacon = [json, requireSameOrigin];
  const events = pageEvents(deps, deps.metrics, { allowsView, recordView });
  app.post('/cars-for-sale/svc/page-event', limitWrites(limits, 'beacons'), beacon, events);
  app.post(PAGE_TRACE_PATH, limitWrites(limits, 'beacons'), beacon, pageTrace(deps));
  app.use(policyReports(deps));
  app.post('/cars-for-sale/still-interested/alert', writes, beacon, stillInterested(deps));

  const vehicle = slotPage(deps, 'vehicle', { onShown: recordView });
  app.get('/cars-for-sale/vehicle/:id', measured('vehicle'), ...renders, vehicle);
  for (const kind of ['compare', 'build-your-price'] as const)
    app.get(`/cars-for-sale/${kind}`, measured(kind), ...renders, slotPage(deps, kind));
  app.get('/help', measured('help'), (_, response) =>
    sendMessagePage(response, helpPage, { css: deps.assets.css, status: 200 }),
  );
  app.use(emailLinks(options.MARKETPLACE_API_URL, deps.assets.css, writes));
  app.use('/account', measured('account'), writes);
  app.use(savedPages(deps, options, renders));
  if (deps.accountRoutes) app.use(deps.accountRoutes);
  if (extension) app.use(extension.path, measured(extension.name), extension.routes, notFoundApi);
  app.get('/', (_, response) => response.redirect(302, '/cars-for-sale/all-cars'));
}
