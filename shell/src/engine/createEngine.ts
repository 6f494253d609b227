import type { Refusal } from '@forecourt/releases/gate';
import type { RateLimits } from '@forecourt/service-kit/rateLimits';
import express, { Router, type Express, type RequestHandler } from 'express';
import type { Registry } from 'prom-client';
import { createPageCache } from './cache/pageCache.ts';
import { createPageContents } from './cache/pageContents.ts';
import { framePage } from './pages/framePage.ts';
import type { InlineElement } from './compose/html.ts';
import { layoutsWithFrames, requiredSlots } from './layout/permissions.ts';
import type { EngineConfig } from './config.ts';
import { callApi } from './http/callApi.ts';
import { type ContentPolicy, createContentPolicy } from './http/contentPolicy.ts';
import { createLastHandlers } from './http/lastHandlers.ts';
import { pageEvents, pageTrace } from './http/pageEvents.ts';
import { policyReports } from './http/policyReports.ts';
import { createRequestContext, resolveVisitor } from './http/requestContext.ts';
import {
  compressResponses,
  notFoundApi,
  readAbsoluteTarget,
  renewSession,
  requireHost,
  requireSameOrigin,
  securityHeaders,
} from './http/responses.ts';
import { pageContentApi } from './http/sendPage.ts';
import { createCompressedSender, dictionaryFiles, releaseFiles, shellFiles } from './http/staticFiles.ts';
import { limitRenders, limitWrites, refuseOverBudget } from './http/clientLimits.ts';
import { createLoadShedding } from './load/loadShedding.ts';
import { OverloadedError } from './load/permits.ts';
import {
  createMeasure,
  createPageCacheMetrics,
  createReleaseMetrics,
  createReporter,
  createSlotMetrics,
  createWorseMetric,
  observeReleases,
} from './operations/metrics.ts';
import {
  createIsolationMetrics,
  type Isolation,
  type ReadinessReport,
  reportReadiness,
} from './operations/readiness.ts';
import type { Reporter } from './operations/reporter.ts';
import { createReleaseReport, createSlotFailures, type SlotFailures } from './operations/slotFailures.ts';
import type { Tracing } from './operations/tracing.ts';
import type { PageDeps } from './pages/pageDeps.ts';
import { PageDictionaries } from './pages/pageDictionaries.ts';
import { pageHandler, type PageResult } from './pages/pageHandler.ts';
import type { PageDescription, PageKind } from './pages/pageKind.ts';
import { gateApi, type ReleaseGate } from './http/gateApi.ts';
import type { ReleaseArchive } from './releases/archive.ts';
import { type BrowserEvidence, createBrowserEvidence } from './releases/browserEvidence.ts';
import type { CanaryWatch } from './releases/canaryWatch.ts';
import { describeWorse, watchPredecessors, type WorseRelease } from './releases/predecessorWatch.ts';
import type { SuspiciousPointers } from './releases/registryClient.ts';
import type { LoadedRelease } from './rendering/release.ts';
import { createSlotBreakers } from './rendering/slotBreakers.ts';
import { createSlotCache } from './rendering/slotCache.ts';
import type { Site } from './site.ts';
import { DICTIONARY_FILES, FRAMES_PATH, sitePaths } from './universal/paths.ts';

/** What an engine runs on: `server.ts` creates it, tests replace some. */
export interface EngineAdapters extends Omit<
  PageDeps,
  | 'site'
  | 'releases'
  | 'slotMetrics'
  | 'browsers'
  | 'slotCache'
  | 'slotBreakers'
  | 'load'
  | 'layouts'
  | 'dictionaries'
> {
  readonly releases: PageDeps['releases'] & {
    readonly find: (name: string, version: string) => LoadedRelease | undefined;
    readonly revision?: () => number | undefined;
    readonly refused?: () => ReadonlyMap<string, readonly Refusal[]>;
    /** The registry's pointers if they are suspicious. */
    readonly suspicious?: () => SuspiciousPointers | undefined;
  };
  /** Gates releases that are not live. */
  readonly gate?: ReleaseGate;
  /** Observes how each release renders. */
  readonly canaries?: CanaryWatch;
  /** Ends a live release that is worse than its predecessor; without it, a person decides. */
  readonly rollBack?: ((worse: WorseRelease) => Promise<void>) | undefined;
  /** Files of releases that are no longer live. */
  readonly archive?: ReleaseArchive;
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

/** What the engine offers to the routes of its site. */
export interface EngineParts {
  /** The handler of pages of a kind. `isCached`: visitors without a session share them. */
  readonly page: <D extends PageDescription>(
    kind: PageKind<D>,
    options?: { readonly isCached?: boolean },
  ) => RequestHandler;
  /** Times and logs each request of a route. */
  readonly measured: (route: string) => RequestHandler;
  /** Limits what is rendered for a network and an account; later handlers see `isOverBudget`. */
  readonly limited: readonly RequestHandler[];
  /** The same for responses that no cache has: those over the budget are refused. */
  readonly renders: readonly RequestHandler[];
  /** Limits writes of a client. */
  readonly writes: RequestHandler;
  /** Parses the JSON of beacons and refuses those of other sites. */
  readonly beacon: readonly RequestHandler[];
  /** Reports failures to monitoring. */
  readonly report: Reporter;
  /** Sends bytes that are compressed once. */
  readonly sendCompressed: ReturnType<typeof createCompressedSender>;
}

/** The site's own routes, in the order in which requests pass them. */
export interface SiteRoutes {
  /** Pages that are requested most: their paths come first, because a cached page costs little more than its route. */
  readonly pages: {
    readonly paths: RegExp;
    /** The same with those that may belong to other routes, which come before. */
    readonly allPaths: readonly string[];
    readonly handlers: readonly RequestHandler[];
  };
  /** For programs; neither compressed nor for a visitor. */
  readonly programs?: Router | undefined;
  /** Files that are the same for everyone; their handlers compress them. */
  readonly files: Router;
  /** Other responses that are the same for everyone. */
  readonly shared: Router;
  /** Responses for one visitor. */
  readonly visitor: Router;
}

/** Time in which a stale page is served while it is revalidated; ms. */
const STALE_MS = 60_000;
/** Age up to which a crawler gets a stored page; ms. As old as results may be that are shown during an outage. */
const CRAWLER_MAX_AGE_MS = 600_000;
/** Of compressed pages: enough for about 600. */
const MAX_CACHE_BYTES = 24 * 1024 * 1024;

/** Dependencies of the routes below. */
interface Parts extends Omit<PageDeps, 'browsers' | 'dictionaries'>, EngineAdapters {
  readonly browsers: BrowserEvidence;
  readonly releases: EngineAdapters['releases'];
  readonly tracing?: Tracing | undefined;
  readonly dictionaries: PageDictionaries;
}

/**
 * A site's pages as an Express app, with middleware and routes in order. Reads no environment and does not listen.
 *
 * @example
 * const app = createEngine(librarySite, libraryRoutes, adapters, readConfig(process.env));
 * createServer(app).listen(3000);
 */
export function createEngine(
  site: Site,
  routesOf: (engine: EngineParts) => SiteRoutes,
  adapters: EngineAdapters,
  options: EngineConfig,
): Express {
  const { limits, logger, clock, metrics, tracing, extension } = adapters;
  const load = createLoadShedding(adapters, options);
  const slotFailures = createSlotFailures(clock);
  const { predecessors, browsers, slotMetrics } = observeSlots(site, adapters, slotFailures);
  const layouts = layoutsWithFrames(site.layouts, options.FRAMED_SLOTS);
  const deps: Parts = {
    ...adapters,
    site,
    load,
    layouts,
    dictionaries: new PageDictionaries({ ...adapters, site, layouts }, (err) =>
      logger.error({ err }, 'no dictionary for pages could be made'),
    ),
    slotMetrics,
    browsers,
    slotCache: createSlotCache(adapters, options),
    slotBreakers: createSlotBreakers(),
  };
  const paths = sitePaths(site.root);
  const measured = createMeasure(adapters);
  const contents = createPageContents(paths.pageContent);
  const limited = limitRenders(adapters, options);
  const json = express.json({ limit: '64kb', type: ['application/json', 'text/plain'] });
  const engine: EngineParts = {
    page: (kind, { isCached = false } = {}) =>
      pageHandler(deps, kind, isCached ? createSharedPages(deps, options, contents) : undefined),
    measured,
    limited,
    renders: [...limited, refuseOverBudget],
    writes: limitWrites(limits, 'writes'),
    beacon: [json, requireSameOrigin],
    report: createReporter(logger, metrics),
    sendCompressed: createCompressedSender(),
  };
  const routes = routesOf(engine);
  const beacons = limitWrites(limits, 'beacons');

  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', options.TRUST_PROXY);
  app.set('query parser', 'simple');
  app.use(
    readAbsoluteTarget,
    createRequestContext({ clock, visitors: site.visitors, policy: contentPolicy(deps) }),
    securityHeaders(paths.policyReport),
    requireHost(options.SITE_HOSTS, options.PORT, site.programPaths),
  );
  const compress = compressResponses();
  // For responses that are made for one visitor.
  const visitor = [renewSession, resolveVisitor(site.visitors)];
  app.get(routes.pages.paths, compress, visitor, ...routes.pages.handlers);
  app.get(`${paths.pageContent}/:hash`, measured('page-content'), pageContentApi(contents));

  app.use(operatorRoutes(deps, slotFailures));
  const status = () => reportReadiness(deps, load, {}).facts.status;
  const report = createReleaseReport({ ...deps, predecessors }, status, slotFailures);
  if (deps.gate) app.use(gateApi({ ...deps.gate, report }, logger, options));
  if (routes.programs) app.use(routes.programs);
  app.use(fileRoutes(deps, engine));
  app.use(routes.files);
  app.use(compress);
  app.get(`${FRAMES_PATH}/:slot/:remote/:version`, framePage({ ...deps, find: findRelease(deps) }));
  app.use(routes.shared);
  app.use(visitor);
  app.all(
    `${paths.call}:name`,
    measured('call'),
    engine.writes,
    site.browserCalls.limit,
    json,
    callApi(deps),
  );
  app.post(paths.pageEvent, beacons, ...engine.beacon, pageEvents(deps));
  app.post(paths.pageTrace, beacons, ...engine.beacon, pageTrace({ tracing }));
  app.use(policyReports(deps));
  app.use(routes.visitor);
  if (extension) app.use(extension.path, measured(extension.name), extension.routes, notFoundApi);
  app.get('/', (_, response) => response.redirect(302, site.homePath));
  app.get([...routes.pages.allPaths], ...routes.pages.handlers);

  const last = createLastHandlers(deps);
  app.all([...routes.pages.allPaths], last.readOnly);
  app.use(last.notFound);
  app.use(last.handleError);
  return app;
}

/** Records how slots fare on servers and in browsers: in metrics, for canaries, and against the releases before. */
function observeSlots(
  site: Site,
  { canaries, clock, failureClaims, logger, metrics, releases: { live }, rollBack }: EngineAdapters,
  slotFailures: SlotFailures,
) {
  const now = () => clock().getTime();
  const required = requiredSlots(site.layouts);
  const predecessors = watchPredecessors({
    live,
    requiredSlots: required,
    now,
    onWorse(worse) {
      logger.error(
        { release: `${worse.remote}@${worse.version}`, slot: worse.slot, reason: describeWorse(worse) },
        'live release is worse than its predecessor',
      );
      void rollBack?.(worse);
    },
  });
  createWorseMetric(metrics, predecessors.worse);
  const browsers = createBrowserEvidence({
    live,
    claims: failureClaims,
    canaries,
    predecessors,
    requiredSlots: required,
    metrics,
    now,
  });
  const slotMetrics = observeReleases(
    slotFailures.observe(createSlotMetrics(metrics)),
    ({ slot, ...render }) => {
      const outcome = { ...render, kind: 'server', name: slot } as const;
      canaries?.record(outcome);
      predecessors.record(outcome);
    },
  );
  return { predecessors, browsers, slotMetrics };
}

/** The cache of pages that visitors share. */
function createSharedPages(
  { metrics, clock, logger, tracing }: Parts,
  { CACHE_SECONDS: { pages: freshSeconds }, LOCAL_MODE: isLocal }: EngineConfig,
  contents: ReturnType<typeof createPageContents>,
) {
  const cache =
    freshSeconds > 0
      ? createPageCache<PageResult>({
          freshMs: freshSeconds * 1000,
          staleMs: STALE_MS,
          oldMs: CRAWLER_MAX_AGE_MS,
          maxBytes: MAX_CACHE_BYTES,
          now: () => clock().getTime(),
          onError(error) {
            if (error instanceof OverloadedError) return;
            logger.error({ err: error }, 'revalidation of a cached page failed');
          },
        })
      : undefined;
  return {
    cache,
    contents,
    count: createPageCacheMetrics(metrics, () => cache?.size(), tracing),
    isLocal,
  };
}

const contentPolicy = ({ site, releases, assets }: Parts): ContentPolicy =>
  createContentPolicy({
    ...site.policy,
    remotes: () => releases.live().keys(),
    scriptHashes: Object.values(assets.scripts).map(({ hash }: InlineElement) => hash),
    reportsTo: sitePaths(site.root).policyReport,
  });

/** Health and metrics. Case-sensitive, because the edge proxy hides exactly these paths from visitors. */
function operatorRoutes(deps: Parts, slotFailures: SlotFailures): Router {
  const { releases, metrics, isolation, load } = deps;
  const readiness = () => reportReadiness(deps, load, slotFailures.recent());
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
  ({ releases, extension }: Parts) =>
  (name: string, version: string): LoadedRelease | undefined =>
    releases.find(name, version) ?? extension?.findRelease(name, version);

/** Files of the shell and of releases. */
function fileRoutes(deps: Parts, { sendCompressed: send }: EngineParts): Router {
  const { assets, archive, dictionaries, site } = deps;
  const router = Router();
  router.get(
    `${DICTIONARY_FILES}/:hash`,
    dictionaryFiles((hash) => dictionaries.find(hash), site.root, send),
  );
  router.get('/assets/*path', shellFiles(assets, send));
  router.get('/remotes/*path', releaseFiles({ find: findRelease(deps), archive, send }));
  return router;
}
