import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import type { AppDeps } from './deps.ts';

const REQUEST_ID = /^[\w-]{1,64}$/;

/** One log line a request, with the id that the caller sent along or a new one. No headers: tokens never reach the log. */
export const requestLog = ({ logger }: AppDeps): RequestHandler =>
  pinoHttp({
    logger,
    genReqId: (req, res) => {
      const sent = req.headers['x-request-id'];
      const id = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    serializers: {
      req: ({ id, method, url }: { id: string; method: string; url: string }) => ({ id, method, url }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
    customLogLevel: (_req, res, error) => {
      if (error || res.statusCode >= 500) return 'error';
      return res.statusCode >= 400 ? 'warn' : 'debug';
    },
  });

/** Measures each answer under the pattern of its route, so that paths do not multiply the series. */
export const requestTimes =
  ({ metrics }: AppDeps): RequestHandler =>
  (req, res, next) => {
    const stop = metrics.requestSeconds.startTimer();
    res.once('close', () => {
      const { path: route } = (req.route ?? {}) as { path?: unknown };
      stop({ method: req.method, route: typeof route === 'string' ? route : 'none', status: res.statusCode });
    });
    next();
  };
