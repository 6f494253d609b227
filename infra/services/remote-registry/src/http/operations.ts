import type { RequestHandler } from 'express';
import type { PointerStore, ReleaseStore } from '../ports.ts';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** `GET /health/live`: the process is running. */
export const getLive: RequestHandler = (_req, res) => {
  res.json({ status: 'live' });
};

/** `GET /health/ready`: 503 while the storage cannot be read or the service is shutting down. */
export const getReady =
  (
    { pointers, releases }: { readonly pointers: PointerStore; readonly releases: ReleaseStore },
    { isAccepting = () => true }: { readonly isAccepting?: () => boolean },
  ): RequestHandler =>
  async (req, res) => {
    if (!isAccepting()) {
      res.status(503).json({ status: 'shutting down' });
      return;
    }
    try {
      await pointers.readPointers();
      await releases.findRelease({ name: 'ready', version: '0.0.0' });
      res.json({ status: 'ready' });
    } catch (error) {
      req.log.error({ err: error }, 'storage cannot be read');
      res.status(503).json({ status: 'storage cannot be read' });
    }
  };

/** `GET /metrics`: Prometheus text. */
export const getMetrics =
  ({ metrics }: { readonly metrics: RegistryMetrics }): RequestHandler =>
  async (_req, res) => {
    res.type(metrics.register.contentType).send(await metrics.register.metrics());
  };

/** The metrics of `/metrics`, in a registry of their own so that two apps in one process stay separate. */
export function createMetrics(waitingRequests: () => number) {
  const register = new Registry();
  const registers = [register];
  new Gauge({
    name: 'registry_pointer_waits',
    help: 'Requests held until the pointers change.',
    registers,
    collect() {
      this.set(waitingRequests());
    },
  });
  return {
    register,
    publishes: new Counter({
      name: 'registry_publishes_total',
      help: 'Attempts to publish a release, by outcome: published, or the code of the error.',
      labelNames: ['outcome'],
      registers,
    }),
    pointerWrites: new Counter({
      name: 'registry_pointer_writes_total',
      help: 'Attempts to change a pointer, by verb and by outcome: done, or the code of the error.',
      labelNames: ['verb', 'outcome'],
      registers,
    }),
    servedBytes: new Counter({
      name: 'registry_served_bytes_total',
      help: 'Bytes of release files sent, by content encoding (identity or br).',
      labelNames: ['encoding'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'registry_request_seconds',
      help: 'Time from request to end of response in seconds, by method, route and status; held requests count their wait.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
      registers,
    }),
  };
}
export type RegistryMetrics = ReturnType<typeof createMetrics>;

/** Measures response times by route pattern; paths would create too many series. */
export const requestTimes =
  ({ metrics }: { readonly metrics: RegistryMetrics }): RequestHandler =>
  (req, res, next) => {
    const stop = metrics.requestSeconds.startTimer();
    res.once('close', () => {
      const { path: route } = (req.route ?? {}) as { path?: unknown };
      stop({ method: req.method, route: typeof route === 'string' ? route : 'none', status: res.statusCode });
    });
    next();
  };
