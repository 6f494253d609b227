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

/** Metrics of one app, in its own registry. */
export function createMetrics(gauges: {
  readonly countListings: () => number;
  /** By state. */
  readonly countMails: () => Readonly<Record<string, number>>;
}): Metrics {
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
    collect() {
      for (const [state, count] of Object.entries(gauges.countMails())) this.set({ state }, count);
    },
  });

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
