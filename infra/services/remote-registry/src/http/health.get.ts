import type { RequestHandler } from 'express';
import type { AppDeps, AppOptions } from './deps.ts';

/** `GET /health/live`: the process is running. */
export const getLive: RequestHandler = (_req, res) => {
  res.json({ status: 'live' });
};

/** `GET /health/ready`: 503 while the storage cannot be read or the service is shutting down. */
export const getReady =
  ({ pointers, releases }: AppDeps, { isAccepting = () => true }: AppOptions): RequestHandler =>
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
  ({ metrics }: AppDeps): RequestHandler =>
  async (_req, res) => {
    res.type(metrics.register.contentType).send(await metrics.register.metrics());
  };
