import { createHash, randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { ApiError } from './errors.ts';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';

const WINDOW_MS = 60_000;

/** Rate limit key: the account or browser on whose behalf the shell calls, else the IP address. */
function keyOf(request: Request): string {
  const token = request.get('authorization') ?? request.get('x-id-token');
  if (token) return `token:${createHash('sha256').update(token).digest('base64url')}`;
  const consumer = request.get('x-consumer-id');
  if (consumer) return `consumer:${consumer.slice(0, 128)}`;
  return `address:${ipKeyGenerator(request.ip ?? '')}`;
}

/** Limits writes per caller and minute; beyond that 429 RATE_LIMITED with Retry-After. */
export const limitWrites = (perMinute: number): RequestHandler =>
  rateLimit({
    windowMs: WINDOW_MS,
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: keyOf,
    skip: ({ method }) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS',
    handler: (_, __, next) => {
      next(new ApiError(429, 'RATE_LIMITED', 'Too many writes; try again in a minute'));
    },
  });

/** Request ids that are safe in logs and headers. */
const SAFE_ID = /^[\w.:-]{1,128}$/;

/** Logs each request as one JSON line. Uses the caller's X-Request-Id or a new id, and returns it. */
export const requestLog = (logger: Logger) =>
  pinoHttp({
    logger,
    genReqId(request, response) {
      const given = request.headers['x-request-id'];
      const id = typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    serializers: {
      req: ({ id, method, url }: { id: unknown; method: string; url: string }) => ({ id, method, url }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
    customLogLevel: (_, response, error) =>
      error || response.statusCode >= 500 ? 'error' : response.statusCode >= 400 ? 'warn' : 'info',
    autoLogging: { ignore: ({ url }) => /^\/(health|metrics)/.test(url ?? '') },
  });
