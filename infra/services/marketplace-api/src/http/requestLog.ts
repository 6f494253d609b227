import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';

/** An id that a caller gives must be fit for a log and a header. */
const GIVEN_ID = /^[\w.:-]{1,128}$/;

/** Logs each request as one JSON line under the caller's X-Request-Id, or a new one, and answers with it. */
export const requestLog = (logger: Logger) =>
  pinoHttp({
    logger,
    genReqId(request, response) {
      const given = request.headers['x-request-id'];
      const id = typeof given === 'string' && GIVEN_ID.test(given) ? given : randomUUID();
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
