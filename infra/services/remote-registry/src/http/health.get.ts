import type { RequestHandler } from 'express';
import type { AppDeps, AppOptions } from './deps.ts';

/** `GET /health/live`: the process answers. */
export const getLive: RequestHandler = (_req, res) => {
  res.json({ status: 'live' });
};

/** `GET /health/ready`: the storage can be read and nobody is shutting the service down; 503 otherwise. */
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
