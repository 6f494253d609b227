import type { RequestHandler } from 'express';
import { Router } from 'express';
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { ListingIndex } from '../index/listingIndex.ts';
import type { MailStore } from '../mail/mailStore.ts';

export interface Metrics {
  readonly registry: Registry;
  /** Times every request by the route that answered it. */
  readonly timeRequests: RequestHandler;
  readonly routes: Router;
}

/** Metrics of one app, in a registry of its own. */
export function createMetrics(index: ListingIndex, mails: MailStore): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'marketplace_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'marketplace_index_listings',
    help: 'Listings in the search index.',
    registers: [registry],
    collect() {
      this.set(index.size);
    },
  });

  new Gauge({
    name: 'marketplace_mails',
    help: 'Mails by state; dead ones were given up and wait for somebody to look at them.',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(mails.counts())) this.set({ state }, count);
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

  const routes = Router();
  routes.get('/metrics', async (_, response) => {
    response.set('Content-Type', registry.contentType).send(await registry.metrics());
  });
  return { registry, timeRequests, routes };
}
