import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger as PinoLogger } from 'pino';
import { type HttpLogger, pinoHttp } from 'pino-http';
import { errorFields, type Logger } from './log.ts';
import type { Tracing } from './tracing.ts';

/** Request ids that are safe in logs and headers. */
const SAFE_ID = /^[\w.:-]{1,128}$/;
const UNLOGGED = /^\/(?:health|metrics)/;

interface Routed extends IncomingMessage {
  readonly route?: { readonly path?: unknown };
}
interface Answer extends ServerResponse {
  readonly locals?: { readonly calls?: readonly object[] };
}

const describe = ({ method, route }: Routed, { statusCode: status, locals }: Answer, ms: number): object => ({
  method,
  route: typeof route?.path === 'string' ? route.path : 'none',
  status,
  ms,
  ...(locals?.calls && { calls: locals.calls }),
});

/**
 * Logs each request as one line, by its route: URLs hold tokens of links, addresses and searches. Uses the caller's
 * X-Request-Id or a new id, and returns it; `request.log` writes it too. `success` is the level of requests without errors.
 */
export const requestLog = (
  logger: Logger,
  {
    success = 'info',
    traceIdOf,
  }: { readonly success?: 'info' | 'debug'; readonly traceIdOf?: Tracing['traceIdOf'] } = {},
): HttpLogger =>
  pinoHttp({
    // Every log is one of pino's; its own type takes any field.
    logger: logger as PinoLogger,
    genReqId(request, response) {
      const header = request.headers['x-request-id'];
      const id = typeof header === 'string' && SAFE_ID.test(header) ? header : randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    ...(traceIdOf && {
      customProps(request) {
        const traceId = traceIdOf(request);
        return traceId === undefined ? {} : { traceId };
      },
    }),
    quietReqLogger: true,
    quietResLogger: true,
    wrapSerializers: false,
    // pino-http makes a logger with the whole request, which has no use here: without this, it writes all headers as JSON.
    serializers: { err: errorFields, req: () => undefined },
    customAttributeKeys: { reqId: 'requestId', responseTime: 'ms' },
    customSuccessObject: (request, response, { ms }: { ms: number }) => describe(request, response, ms),
    customErrorObject: (request, response, error, { ms }: { ms: number }) => ({
      ...describe(request, response, ms),
      err: error,
    }),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request failed',
    customLogLevel: (_, { statusCode }, error) =>
      error || statusCode >= 500 ? 'error' : statusCode >= 400 ? 'warn' : success,
    autoLogging: { ignore: ({ url }) => UNLOGGED.test(url ?? '') },
  });
