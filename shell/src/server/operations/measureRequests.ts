import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { contextOf } from '../http/requestContext.ts';
import { createRequestMetrics } from './metrics.ts';

/** Times and logs each request of a route. */
export function createMeasure({
  metrics,
  logger,
}: {
  readonly metrics: Registry;
  readonly logger: Logger;
}): (route: string) => RequestHandler {
  const requestSeconds = createRequestMetrics(metrics);
  return (route) => (request, response, next) => {
    const stop = requestSeconds.startTimer({ route });
    response.on('close', () => {
      const seconds = stop({ status: String(response.statusCode) });
      const { requestId } = contextOf(request);
      const ms = Math.round(seconds * 1000);
      logger.info({ requestId, route, status: response.statusCode, ms }, 'request');
    });
    next();
  };
}
