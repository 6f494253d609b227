import { Router, type RequestHandler } from 'express';
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Live: the process responds. Ready: the index is loaded. */
export function healthRoutes(isReady: () => boolean): Router {
  const router = Router();
  router.get('/health/live', (_, response) => {
    response.json({ status: 'live' });
  });
  router.get('/health/ready', (_, response) => {
    const ready = isReady();
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'starting' });
  });
  return router;
}

export interface Metrics {
  /** Times every request by its route. */
  readonly timeRequests: RequestHandler;
  /** Times one call of a batch like a request of its own. */
  readonly timeCall: (route: string, status: number, seconds: number) => void;
  readonly routes: Router;
}

interface FeedGauges {
  /** By state. */
  readonly countPhotos: () => Promise<Readonly<Record<string, number>>>;
  /** The newest import of each source. */
  readonly latestFeeds: () => Promise<
    readonly { readonly source: string; readonly startedAt: number; readonly status: string | null }[]
  >;
}

function createFeedGauges(gauges: FeedGauges, registry: Registry): void {
  new Gauge({
    name: 'marketplace_photos',
    help: 'Photos that feeds name, by state.',
    labelNames: ['state'] as const,
    registers: [registry],
    async collect() {
      for (const [state, count] of Object.entries(await gauges.countPhotos())) this.set({ state }, count);
    },
  });
  new Gauge({
    name: 'marketplace_feed_started_timestamp_seconds',
    help: 'Start of the newest import of each feed, by its status; "unfinished" while it runs and after an interruption.',
    labelNames: ['feed', 'status'] as const,
    registers: [registry],
    async collect() {
      const latest = await gauges.latestFeeds();
      this.reset();
      for (const { source, startedAt, status } of latest)
        this.set({ feed: source, status: status ?? 'unfinished' }, startedAt / 1_000);
    },
  });
}

/** Metrics of one app, in its own registry. */
export function createMetrics(
  gauges: FeedGauges & {
    readonly countListings: () => number;
    /** By state. */
    readonly countMails: () => Promise<Readonly<Record<string, number>>>;
  },
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'marketplace_http_request_duration_seconds',
    help: 'Time from the request to the end of its response, by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'marketplace_index_listings',
    help: 'Listings in the search index.',
    registers: [registry],
    collect() {
      this.set(gauges.countListings());
    },
  });

  new Gauge({
    name: 'marketplace_mails',
    help: 'Mails by state; dead ones exceeded their retries.',
    labelNames: ['state'] as const,
    registers: [registry],
    async collect() {
      for (const [state, count] of Object.entries(await gauges.countMails())) this.set({ state }, count);
    },
  });

  createFeedGauges(gauges, registry);

  const timeRequests: RequestHandler = (request, response, next) => {
    const stop = durations.startTimer({ method: request.method });
    response.once('close', () => {
      const { path } = (request.route ?? {}) as { path?: string };
      stop({ route: path ?? 'unmatched', status: String(response.statusCode) });
    });
    next();
  };

  const timeCall: Metrics['timeCall'] = (route, status, seconds) => {
    durations.observe({ method: 'GET', route, status: String(status) }, seconds);
  };

  const routes = Router();
  routes.get('/metrics', async (_, response) => {
    response.set('Content-Type', registry.contentType).send(await registry.metrics());
  });
  return { timeRequests, timeCall, routes };
}
